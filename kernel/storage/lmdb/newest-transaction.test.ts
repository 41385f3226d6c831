import { openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Store, StoreEvent } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventsOf, listAll, update } from '../../../test/support/store-steps.js'
import { temporaryFolder } from '../../../test/support/temporary-folder.js'
import { verifyStore } from '../maintenance.js'
import { storePath } from './environment.js'
import { openLmdbStore } from './lmdb-storage.js'

const newest = suite('a process that opens the store while others commit')

/** The file of locks: what an opening process writes there too late is written by these tests. */
class LockFile {
  /** Never closed: that would release the locks of the store. */
  readonly #descriptor: number

  constructor(dataDir: string) {
    this.#descriptor = openSync(join(storePath(dataDir), 'lock.mdb'), 'r+')
  }
  newest(): number {
    const bytes = Buffer.alloc(8)
    readSync(this.#descriptor, bytes, 0, 8, 8)
    return Number(bytes.readBigUInt64LE())
  }
  setNewest(transaction: number): void {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(BigInt(transaction))
    writeSync(this.#descriptor, bytes, 0, 8, 8)
  }
  setMagic(magic: number): void {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(magic)
    writeSync(this.#descriptor, bytes, 0, 4, 0)
  }
}

async function withStore(work: (store: Store, lockFile: LockFile) => Promise<void>): Promise<void> {
  const folder = temporaryFolder()
  const dataDir = folder.path
  try {
    const store = await openLmdbStore({ dataDir })
    await work(store, new LockFile(dataDir))
    await store.close()
    assert.equal((await verifyStore(dataDir)).problems, [])
  } finally {
    folder.remove()
  }
}

for (const commits of [1, 2, 3, 8]) {
  newest(`does not undo the last ${commits} commits of this one, whether it reads or writes next`, () =>
    withStore(async (store, lockFile) => {
      const seen: StoreEvent[] = []
      store.subscribe(events => seen.push(...events))
      for (let index = 0; index < 20; index++) await update(store, `/key-${index % 4}`, `before-${index}`)
      const from = store.currentRevision()
      const acknowledged: number[] = []
      for (let round = 0; round < 30; round++) {
        lockFile.setNewest(lockFile.newest() - commits)
        if (round % 3 === 0) {
          const found = await store.get(`/key-${(round - 1) % 4}`)
          if (round > 0) assert.is(JSON.parse(String(found?.body)).metadata.name, `after-${round - 1}`)
        }
        if (round % 3 === 1) assert.is(await store.latestRevision(), from + round)
        acknowledged.push(await update(store, `/key-${round % 4}`, `after-${round}`))
      }
      assert.equal(
        acknowledged,
        acknowledged.map((_, index) => from + 1 + index),
      )
      const names = (events: readonly StoreEvent[]) =>
        events.map(({ body }) => JSON.parse(String(body)).metadata.name as string)
      const expected = acknowledged.map((_, index) => `after-${index}`)
      assert.equal(names(await eventsOf(store, '/', from)), expected)
      assert.equal(names(seen).slice(-30), expected)
      assert.equal((await listAll(store, '/')).sort(), ['after-26', 'after-27', 'after-28', 'after-29'])
    }),
  )
}

newest('nothing is written when the file of locks is not as expected', () =>
  withStore(async (store, lockFile) => {
    await update(store, '/a', 'one')
    const revision = await update(store, '/a', 'two')
    const transaction = lockFile.newest()
    lockFile.setNewest(transaction - 1)
    lockFile.setMagic(7)
    try {
      await update(store, '/a', 'lost')
      assert.unreachable()
    } catch (error) {
      assert.match((error as Error).message, /lock\.mdb is unlike what lmdb .* writes: restart/)
    }
    lockFile.setMagic(0xbeefc0de)
    lockFile.setNewest(transaction)
    assert.equal(await listAll(store, '/'), ['two'])
    assert.is(await update(store, '/a', 'three'), revision + 1)
  }),
)

newest.run()
