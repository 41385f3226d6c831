import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rejects } from '../../test/support/rejects.js'
import { listAll, remove, update } from '../../test/support/store-steps.js'
import { openLmdbStore } from './lmdb/lmdb-storage.js'
import { backupStore, restoreStore, verifyStore } from './maintenance.js'

const points = suite('restoring a point of the past')

/** A backup of a store in which things changed once a second, and its state after every revision. */
async function withPast(
  work: (world: {
    folder: string
    backup: string
    /** What was stored after each revision, and when that was. */
    states: ReadonlyMap<number, { readonly state: string; readonly at: number }>
    restored(point: object): Promise<{ revision: number; state: string }>
  }) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'orch-points-'))
  const dataDir = join(folder, 'data')
  const states = new Map<number, { state: string; at: number }>()
  let now = Date.parse('2026-01-02T03:00:00Z')
  const stateOf = async (store: Store) => JSON.stringify(await listAll(store, '/'))
  try {
    const store = await openLmdbStore({ dataDir, now: () => now, historyMs: 3_600_000 })
    const note = async () => states.set(await store.latestRevision(), { state: await stateOf(store), at: now })
    for (let index = 0; index < 40; index++) {
      now += 1000
      if (index % 7 === 6) await remove(store, `/k${(index - 3) % 10}`)
      else await update(store, `/k${index % 10}`, `${index}`)
      await note()
    }
    await store.close()
    const { file: backup } = await backupStore(dataDir, join(folder, 'backup.mdb'))
    let number = 0
    await work({
      folder,
      backup,
      states,
      async restored(point) {
        const target = join(folder, `restored-${number++}`)
        const { restored } = await restoreStore(target, backup, undefined, point)
        assert.is((await verifyStore(target)).isSound, true)
        const opened = await openLmdbStore({ dataDir: target })
        const state = await stateOf(opened)
        await opened.close()
        return { revision: restored, state }
      },
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

points('every revision in the history of a backup is restored exactly', () =>
  withPast(async ({ states, restored }) => {
    const revisions = [...states.keys()]
    for (const revision of [revisions[0]!, revisions[5]!, revisions[6]!, revisions[20]!, revisions.at(-1)!]) {
      const found = await restored({ revision })
      assert.equal(found, { revision, state: states.get(revision)?.state })
    }
  }),
)

points('a time selects the last revision up to it', () =>
  withPast(async ({ states, restored }) => {
    const [revision, { at, state }] = [...states][12]!
    assert.equal(await restored({ time: at }), { revision, state })
    assert.equal(await restored({ time: at + 999 }), { revision, state })
    assert.is((await restored({ time: at + 3_600_000 })).revision, [...states.keys()].at(-1))
  }),
)

points('a point outside of the history is rejected with its range, and no store is created', () =>
  withPast(async ({ folder, backup, states }) => {
    const newest = [...states.keys()].at(-1)!
    const other = join(folder, 'other')
    const message = new RegExp(`only revisions 1 to ${newest}, the changes since 2026-01-02T03:00:01`)
    await rejects(restoreStore(other, backup, undefined, { revision: newest + 1 }), message)
    await rejects(restoreStore(other, backup, undefined, { time: Date.parse('2026-01-01T00:00:00Z') }), message)
    assert.throws(() => verifyStore(other), /there is no store/)
  }),
)

points.run()
