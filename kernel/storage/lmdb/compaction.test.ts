import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { CompactedError, type Store } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventsOf, listAll, update } from '../../../test/support/store-steps.js'
import { verifyStore } from '../maintenance.js'
import { type OpenLmdbOptions, openLmdbStore } from './lmdb-storage.js'

const compaction = suite('compaction in the background')

async function withStore(
  options: Omit<OpenLmdbOptions, 'dataDir'>,
  work: (store: Store, dataDir: string) => Promise<void>,
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'orch-compaction-'))
  const store = await openLmdbStore({ dataDir, ...options })
  try {
    await work(store, dataDir)
  } finally {
    await store.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
async function eventually(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; !isTrue() && tries < 300; tries++) await pause(10)
  assert.ok(isTrue())
}

compaction('discards versions older than the history time, and no younger ones', () => {
  let now = 1_000_000
  return withStore({ historyMs: 1000, now: () => now }, async store => {
    const old = await update(store, '/a', 'old')
    const replaced = await update(store, '/a', 'middle')
    now += 900
    const young = await update(store, '/a', 'young')
    await pause(250)
    assert.equal(await listAll(store, '/', old), ['old'])
    now += 200
    await eventually(() => store.compactedRevision() === replaced)
    await pause(250)
    assert.is(store.compactedRevision(), replaced)
    assert.equal(await listAll(store, '/', replaced), ['middle'])
    assert.equal(
      (await eventsOf(store, '/', replaced)).map(({ revision }) => revision),
      [young],
    )
    assert.throws(
      () => store.list({ prefix: '/', revision: old }),
      (error: unknown) => error instanceof CompactedError && error.oldest === replaced,
    )
  })
})

compaction('discards entries with a future time after the clock was set back', () => {
  let now = 1_000_000_000
  return withStore({ historyMs: 1000, now: () => now }, async store => {
    const revision = await update(store, '/a', 'future')
    now -= 500_000
    await eventually(() => store.compactedRevision() === revision)
  })
})

compaction('keeps the file from growing while the same keys are overwritten', () =>
  withStore({ historyMs: 100 }, async (store, dataDir) => {
    let writes = 0
    let writtenBytes = 0
    const end = Date.now() + 3000
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      while (Date.now() < end || writtenBytes < 20e6) {
        const value = 'v'.repeat((writes % 4) * 3000)
        writtenBytes += value.length
        await update(store, `/k${writer}-${writes++ % 5}`, value)
      }
    })
    await Promise.all(writers)
    const { sizeBytes, historyEntries } = await store.stats()
    assert.ok(historyEntries < writes / 3, `${historyEntries} of ${writes} entries are kept`)
    assert.ok(sizeBytes < writtenBytes / 2, `${writtenBytes} bytes were written, the file takes ${sizeBytes}`)
    assert.equal((await verifyStore(dataDir)).problems, [])
  }),
)

compaction.run()
