import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { StorageError } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { create, isKind, remove } from '../contract/steps.js'
import { openLmdbStore } from './lmdb-storage.js'

const space = suite('a bound on the size of a store')

space('refuses more data, lets reads and deletes go on, and takes data again when history made room', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'orch-space-'))
  const store = await openLmdbStore({ dataDir, maxBytes: 2 * 2 ** 20 })
  try {
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

space.run()
