/**
 * Writes until the disk is full, shows that reads still work, and continues writing when there is space again.
 * Its parent limits the size of files and later lifts the limit: to LMDB that is a full disk.
 *
 *   node full-disk-writer.js <dataDir>
 */
import { setTimeout as pause } from 'node:timers/promises'
import { StorageError } from 'orch/sdk/host'
import { openLmdbStore } from '../../kernel/storage/lmdb/lmdb-storage.js'

const [dataDir = ''] = process.argv.slice(2)
const store = await openLmdbStore({ dataDir })
const bodyOf = (index: number) => Buffer.from(`{"metadata":{"name":"${index}"},"data":"${'x'.repeat(4000)}"}`)
const say = (fact: object) => process.stdout.write(`${JSON.stringify(fact)}\n`)

async function write(index: number): Promise<boolean> {
  try {
    return (await store.write({ key: `/k${index}`, body: bodyOf(index), expect: 0 })).ok
  } catch (error) {
    if (error instanceof StorageError && error.kind === 'full') return false
    throw error
  }
}
async function countListed(): Promise<number> {
  let count = 0
  for await (const chunk of (await store.list({ prefix: '/' })).items) count += chunk.count
  return count
}

let written = 0
while (await write(written)) written++
const revision = store.currentRevision()
const isReadable = (await store.get('/k0')) !== undefined && (await store.get(`/k${written}`)) === undefined
const refusedAgain = !(await write(written))
say({ written, revision, listed: await countListed(), isReadable, refusedAgain })
while (!(await write(written))) await pause(20)
say({ revision: store.currentRevision(), listed: await countListed() })
await store.close()
