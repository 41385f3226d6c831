import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeContract } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { openLmdbStore } from './lmdb-storage.js'

const contract = suite('LMDB keeps the store contract')
const folder = mkdtempSync(join(tmpdir(), 'orch-lmdb-'))
contract.after(() => rmSync(folder, { recursive: true, force: true }))

let places = 0
const open = (place = `place-${places++}`) => {
  const dataDir = join(folder, place)
  mkdirSync(dataDir, { recursive: true })
  return openLmdbStore({ dataDir })
}
for (const { name, run } of storeContract(open)) contract(name, run)

contract.run()
