import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contentsKey, StorageError, type Store, storeFormat } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { create, eventsOf, listAll, remove, update } from '../../test/support/store-steps.js'
import type { Environment } from './lmdb/environment.js'
import { openLmdbStore } from './lmdb/lmdb-storage.js'
import { openEnvironment } from './lmdb/open-environment.js'
import { backupStore, compactStore, restoreStore, storageStats, verifyStore } from './maintenance.js'
import { encodeRecord } from './revision.js'

const maintenance = suite('maintenance of a store')

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'orch-maintenance-'))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
async function withStore<T>(dataDir: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openLmdbStore({ dataDir })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
async function fill(store: Store): Promise<void> {
  for (let index = 0; index < 30; index++) await update(store, `/k${index % 10}`, `${index}`)
  await remove(store, '/k9')
}
async function failure(work: Promise<unknown>): Promise<StorageError> {
  try {
    await work
  } catch (error) {
    assert.instance(error, StorageError)
    return error as StorageError
  }
  return assert.unreachable('expected a StorageError') as never
}

maintenance('stats report size, revisions and users of a store', () =>
  inFolder(async dataDir => {
    await withStore(dataDir, fill)
    const stats = await storageStats(dataDir)
    assert.is(stats.keys, 9)
    assert.is(stats.historyEntries, 31)
    assert.is(stats.revision, 32)
    assert.ok(stats.usedBytes > 0 && stats.usedBytes <= stats.fileBytes)
    assert.equal(stats.processes, [])
  }),
)

maintenance('a folder without a store is reported, and none is created', () =>
  inFolder(async dataDir => {
    assert.is((await failure(storageStats(dataDir))).kind, 'unavailable')
    assert.equal(readdirSync(dataDir), [])
  }),
)

maintenance('a store is intact after writes, compaction and restart, also while in use', () =>
  inFolder(async dataDir => {
    await withStore(dataDir, async store => {
      await fill(store)
      await store.compact(20)
      const writing = Promise.all(Array.from({ length: 300 }, (_, index) => update(store, `/n${index % 20}`, 'x')))
      assert.equal((await verifyStore(dataDir)).problems, [])
      await writing
    })
    const result = await verifyStore(dataDir)
    assert.is(result.isSound, true)
    assert.is(result.historyEntries, result.revision - 20)
  }),
)

const damages: Record<string, [(environment: Environment) => void, RegExp]> = {
  'an object of another revision': [
    ({ current }) => current.putSync('/k1', encodeRecord(Buffer.from('{"metadata":{"a":1}}'), Buffer.alloc(0), 99)),
    /object \/k1 was written at 99/,
  ],
  'an object that is not JSON': [
    ({ current }) => current.putSync('/new', encodeRecord(Buffer.from('{"metadata":{"a"'), Buffer.alloc(0), 3)),
    /object \/new is not JSON/,
  ],
  'a revision that is missing in the log': [({ log }) => log.removeSync(20), /the log jumps from 19 to 21/],
  'an object that disappeared': [
    ({ current }) => current.removeSync('/k1'),
    /revision 23 of the log: .* not in the store/,
  ],
  'a log that ends too early': [({ log }) => log.removeSync(32), /the log ends at 31/],
}
for (const [title, [damage, expected]] of Object.entries(damages)) {
  maintenance(`verify finds ${title}`, () =>
    inFolder(async dataDir => {
      await withStore(dataDir, fill)
      const [environment, release] = await openEnvironment({ dataDir })
      damage(environment)
      await release()
      const { isSound, problems } = await verifyStore(dataDir)
      assert.is(isSound, false)
      assert.match(problems.join('\n'), expected)
    }),
  )
}

maintenance('a backup made during writes is consistent, and is restored exactly', () =>
  inFolder(async folder => {
    const [dataDir, other] = [join(folder, 'data'), join(folder, 'other')]
    mkdirSync(dataDir)
    const backup = await withStore(dataDir, async store => {
      await fill(store)
      const writing = Promise.all(Array.from({ length: 200 }, (_, index) => create(store, `/later/${index}`)))
      const result = await backupStore(dataDir, join(folder, 'backups', 'store.mdb'))
      await writing
      return result
    })
    assert.ok(existsSync(backup.file))
    assert.equal(readdirSync(join(folder, 'backups')), ['store.mdb'])
    const restored = await restoreStore(other, backup.file)
    assert.is(restored.keys, backup.keys)
    assert.ok(restored.revision > backup.revision)
    await withStore(other, async store => {
      assert.is((await listAll(store, '')).length, backup.keys)
      assert.is(store.compactedRevision(), restored.revision)
      assert.is(await create(store, '/new'), restored.revision + 1)
      assert.is((await eventsOf(store, '', restored.revision)).length, 1)
    })
    assert.equal((await verifyStore(other)).problems, [])
  }),
)

maintenance('a backup into a folder is named after its revision', () =>
  inFolder(async dataDir => {
    await withStore(dataDir, fill)
    assert.match((await backupStore(dataDir, dataDir)).file, /orch-store-32\.mdb$/)
  }),
)

maintenance('restoring keeps the previous store, and rejects a damaged backup', () =>
  inFolder(async dataDir => {
    await withStore(dataDir, fill)
    const { file } = await backupStore(dataDir, join(dataDir, 'backup.mdb'))
    await withStore(dataDir, store => create(store, '/after-backup'))
    const { replaced } = await restoreStore(dataDir, file)
    assert.ok(replaced !== undefined && existsSync(replaced))
    await withStore(dataDir, async store => assert.is(store.get('/after-backup'), undefined))
    // Clients have seen revisions of the replaced store as well, even if it was restored before or can no longer be read.
    const last = await withStore(dataDir, store => create(store, '/after-restore'))
    const again = await restoreStore(dataDir, file)
    assert.ok(again.revision > last)
    writeFileSync(join(dataDir, 'store/data.mdb'), 'damaged')
    assert.ok((await restoreStore(dataDir, file)).revision > again.revision)
    const broken = join(dataDir, 'broken.mdb')
    for (const bytes of [Buffer.alloc(20_000, 1), Buffer.alloc(100, 1), readFileSync(file).subarray(0, 9000)]) {
      writeFileSync(broken, bytes)
      assert.is((await failure(restoreStore(dataDir, broken))).kind, 'corrupt')
    }
    await withStore(dataDir, async store => assert.is(await store.count(''), 9))
  }),
)

maintenance('a store of a later version is copied, and neither rewritten nor restored', () =>
  inFolder(async dataDir => {
    const contents = { format: storeFormat + 1, vendor: 'orch', collections: {} }
    const body = Buffer.from(JSON.stringify({ metadata: {}, contents }))
    await withStore(dataDir, store => store.write({ key: contentsKey, body }))
    const { file } = await backupStore(dataDir, join(dataDir, 'backup.mdb'))
    const before = readFileSync(join(dataDir, 'store/data.mdb'))
    for (const attempt of [compactStore(dataDir), restoreStore(join(dataDir, 'other'), file)])
      assert.match((await failure(attempt)).message, /the store has format \d+, and this program knows formats up to/)
    assert.ok(before.equals(readFileSync(join(dataDir, 'store/data.mdb'))))
    assert.not(existsSync(join(dataDir, 'other/store')))
  }),
)

maintenance('compacting discards history and releases space', () =>
  inFolder(async dataDir => {
    await withStore(dataDir, async store => {
      await Promise.all(Array.from({ length: 500 }, (_, index) => update(store, `/k${index % 10}`, 'x'.repeat(5000))))
    })
    const result = await compactStore(dataDir)
    assert.is(result.forgottenEntries, 500)
    assert.ok(result.bytesAfter < result.bytesBefore / 5)
    assert.equal((await verifyStore(dataDir)).problems, [])
    await withStore(dataDir, async store => {
      assert.is(store.compactedRevision(), result.revision)
      assert.is(await store.count(''), 10)
      await create(store, '/new')
    })
  }),
)

maintenance('a compacted store and a restored one accept many scattered changes in their first commit', () =>
  inFolder(async folder => {
    const [dataDir, other] = [join(folder, 'data'), join(folder, 'other')]
    mkdirSync(dataDir)
    const keys = Array.from({ length: 4000 }, (_, index) => `/k${10_000 + index}`)
    await withStore(dataDir, store => Promise.all(keys.map(key => update(store, key, 'x'.repeat(900)))))
    const { file } = await backupStore(dataDir, join(folder, 'backup.mdb'))
    await compactStore(dataDir)
    assert.is((await restoreStore(other, file)).keys, keys.length)
    const scattered = keys.filter((_, index) => index % 8 === 0)
    for (const each of [dataDir, other]) {
      await withStore(each, store => Promise.all(scattered.map(key => update(store, key, 'y'))))
      assert.equal((await verifyStore(each)).problems, [])
    }
  }),
)

maintenance('a store in use is neither compacted nor replaced', () =>
  inFolder(async dataDir => {
    await withStore(dataDir, async store => {
      await fill(store)
      const { file } = await backupStore(dataDir, join(dataDir, 'backup.mdb'))
      assert.match((await failure(compactStore(dataDir))).message, /close the store/)
      assert.match((await failure(restoreStore(dataDir, file))).message, /close the store/)
      await create(store, '/new')
    })
    await withStore(dataDir, async store => assert.ok(store.get('/new')))
  }),
)

maintenance.run()
