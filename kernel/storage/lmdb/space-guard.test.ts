import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { StorageError } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { create, isKind, remove } from '../../../test/support/store-steps.js'
import type { Environment } from './environment.js'
import { openLmdbStore } from './lmdb-storage.js'
import { SpaceGuard } from './space-guard.js'

const space = suite('a bound on the size of a store')

space('rejects more data, allows reads and deletes, and accepts data again after compaction', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'orch-space-'))
  const store = await openLmdbStore({ dataDir, maxBytes: 2 * 2 ** 20 })
  try {
    const { freeBytes: free = 0 } = await store.stats()
    assert.ok(free > 2 ** 20 && free < 2 * 2 ** 20, `${free} bytes of the bound are free`)
    let written = 0
    let refusal: unknown
    while (refusal === undefined && written < 5000) {
      await create(store, `/k${written++}`, 'v'.repeat(3000)).catch((error: unknown) => {
        refusal = error
      })
    }
    assert.instance(refusal, StorageError)
    assert.ok(isKind('full')(refusal))
    assert.ok(written > 100)
    assert.ok(((await store.stats()).freeBytes ?? free) < free / 10)
    assert.ok(store.get('/k0'))
    for (let index = 0; index < 100; index++) await remove(store, `/k${index}`)
    await store.compact(store.currentRevision())
    await pause(120)
    await create(store, '/new')
    assert.ok(store.get('/new'))
  } finally {
    await store.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

const disk = suite('a disk that fills up')
// A store without a bound of its own, as the guard sees it.
const anyStore = { path: tmpdir(), usedBytes: () => 0, fileBytes: () => 0 } as unknown as Environment
const refusesData = (guard: SpaceGuard) => {
  try {
    guard.check(1)
    return false
  } catch (error) {
    return isKind('full')(error)
  }
}

disk('is noticed before all of it is used, and when there is space again', () => {
  let free = 2 ** 30
  let now = 0
  const guard = new SpaceGuard(anyStore, undefined, { freeBytes: () => free, now: () => now })
  assert.not(refusesData(guard))
  free = 2 ** 20
  now += 200
  assert.ok(refusesData(guard))
  assert.match(guard.reasonToRefuse() ?? '', /the disk is full/)
  free = 2 ** 30
  now += 200
  assert.not(refusesData(guard))
})

disk('does not matter while the file itself has free pages', () => {
  const roomy = { path: tmpdir(), usedBytes: () => 0, fileBytes: () => 2 ** 30 } as unknown as Environment
  assert.not(refusesData(new SpaceGuard(roomy, undefined, { freeBytes: () => 0, now: () => 0 })))
})

disk('is not written to for a while after a commit found it full', () => {
  let now = 0
  const guard = new SpaceGuard(anyStore, undefined, { freeBytes: () => Infinity, now: () => now })
  guard.failed(new StorageError('unavailable', 'something else'))
  assert.not(refusesData(guard))
  guard.failed(new StorageError('full', 'no space'))
  assert.ok(refusesData(guard))
  assert.throws(() => guard.checkAny(), isKind('full'))
  now += 600
  assert.not(refusesData(guard))
})

disk.run()
space.run()
