import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from 'orch/sdk/host'
import { storeContract } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { openLmdbStore } from '../../kernel/storage/lmdb/lmdb-storage.js'
import type { ProviderConfiguration } from '../../plugins/encryption/configuration/encryption-configuration.js'
import { startKmsPlugin } from '../../plugins/encryption/testing/kms-plugin.js'
import { Memory } from '../../plugins/storage-memory/memory.js'
import { MemoryStore } from '../../plugins/storage-memory/memory-store.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { aesGcm, encryptsEverything } from './encrypts-everything.js'

const contract = suite('an encrypted store keeps the store contract')
const folder = temporaryFolder()
const plugin = await startKmsPlugin()
contract.after(async () => {
  await plugin.remove()
  folder.remove()
})

let places = 0
const onDisk = async (place = `place-${places++}`): Promise<Store> => {
  const dataDir = join(folder.path, place)
  mkdirSync(dataDir, { recursive: true })
  return encryptsEverything(await openLmdbStore({ dataDir }), aesGcm)
}
for (const { name, run } of storeContract(onDisk, { chainsWrites: true }))
  contract(`on LMDB, with AES-GCM: ${name}`, run)

const kms: ProviderConfiguration = { kind: 'kms', name: 'test', endpoint: plugin.endpoint, timeoutMs: 10_000 }
/** Large and slow cases add nothing with other keys. */
const slow = /many and large|megabytes|chunks|every revision|midway|everything keeps/
const memories = new Map<string, Memory>()
const inMemory = async (place = `place-${places++}`): Promise<Store> => {
  const memory = memories.get(place) ?? new Memory()
  memories.set(place, memory)
  return encryptsEverything(new MemoryStore(memory, { historyMs: 3_600_000, now: Date.now }), kms)
}
for (const { name, run } of storeContract(inMemory, { chainsWrites: true }))
  if (!slow.test(name)) contract(`in memory, with a KMS plugin: ${name}`, run)

contract.run()
