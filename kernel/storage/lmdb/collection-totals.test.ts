import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../../../test/support/temporary-folder.js'
import { CollectionTotals } from './collection-totals.js'
import { Environment } from './environment.js'
import { LmdbStore } from './lmdb-store.js'

const totals = suite('the size of a collection')

totals('is counted once, then updated from the log, and dropped with the log', async () => {
  const folder = temporaryFolder()
  const environment = new Environment({ dataDir: folder.path })
  const options = { historyMs: 300_000, now: Date.now, warn: () => {} }
  const store = new LmdbStore(environment, () => environment.close(), options)
  const put = (key: string) =>
    store.write({
      key,
      body: Buffer.from('{"metadata":{"name":"x","resourceVersion":""}}'),
      attributes: Buffer.alloc(0),
    })
  try {
    const sizes = new CollectionTotals(environment)
    await put('/a/1')
    await put('/a/2')
    const first = store.latestRevision()
    assert.is(sizes.at('/a/', first), undefined)
    sizes.remember('/a/', first, 2)
    await put('/a/2')
    await put('/a/3')
    await put('/b/1')
    await store.write({ key: '/a/1', body: undefined })
    await put('/a/1')
    assert.is(sizes.at('/a/', store.latestRevision()), 3)
    assert.is(sizes.at('/a/', first), undefined, 'what is known is newer')
    await put('/a/4')
    await store.compact(store.latestRevision())
    assert.is(sizes.at('/a/', store.latestRevision()), undefined, 'the entries between are gone')
  } finally {
    await store.close()
    folder.remove()
  }
})

totals.run()
