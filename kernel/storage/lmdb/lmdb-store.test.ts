import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoredObject } from 'orch/sdk/host'
import { storeContract } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openLmdbStore } from './lmdb-storage.js'

const contract = suite('LMDB keeps the store contract')
const folder = mkdtempSync(join(tmpdir(), 'orch-lmdb-'))
contract.after(() => rmSync(folder, { recursive: true, force: true }))

let places = 0
const open = (place = `place-${places++}`, sharesSnapshots = false) => {
  const dataDir = join(folder, place)
  mkdirSync(dataDir, { recursive: true })
  return openLmdbStore({ dataDir, sharesSnapshots })
}
for (const { name, run } of storeContract(open, { chainsWrites: true })) contract(name, run)

contract(
  'a store whose gets share snapshots reads each of its writes at once, whatever it read in the same turn',
  async () => {
    const store = await open('shared-snapshots', true)
    const read = (): string | undefined => {
      const found = store.get('/a') as StoredObject | undefined // this engine reads at once
      return found && JSON.parse(found.body.toString()).metadata.name
    }
    const seen: unknown[] = []
    store.subscribe(() => seen.push(read()))
    let expect = 0
    for (const text of ['one', 'two', 'three']) {
      const before = read()
      const writing = store.write({ key: '/a', expect, body: Buffer.from(`{"metadata":{"name":"${text}"}}`) })
      assert.is(read(), before)
      const [result, atOnce] = await writing.then(done => [done, read()] as const)
      assert.is(atOnce, text)
      expect = result.ok ? result.revision : Number.NaN
    }
    assert.equal(seen, ['one', 'two', 'three'])
    await store.close()
  },
)

contract.run()
