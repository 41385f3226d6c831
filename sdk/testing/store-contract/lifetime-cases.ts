import assert from 'node:assert/strict'
import type { Revision, Store } from '../../host/storage.js'
import {
  bodyFor,
  type ContractCases,
  create,
  eventsOf,
  isCompacted,
  isKind,
  listAll,
  objectsOf,
  remove,
  summary,
  update,
} from './steps.js'

export const lifetimeCases: ContractCases = {
  async 'every revision since the last compaction can be listed'(store) {
    const states = new Map<Revision, string[]>([[store.currentRevision(), []]])
    const now = new Map<string, string>()
    for (let step = 0; step < 60; step++) {
      const key = `/k${(step * 5) % 7}`
      if (step % 4 === 3 && now.delete(key)) await remove(store, key)
      else now.set(key, `${step}`) && (await update(store, key, `${step}`))
      const sorted = [...now].toSorted(([one], [other]) => (one < other ? -1 : 1))
      states.set(
        store.currentRevision(),
        sorted.map(([, value]) => value),
      )
    }
    for (const [revision, expected] of states) assert.deepEqual(await listAll(store, '/', revision), expected)
  },
  async 'after compaction older revisions are rejected and newer ones are complete'(store) {
    await create(store, '/a')
    const old = await update(store, '/a', '2')
    const kept = await update(store, '/a', '3')
    const newest = await remove(store, '/a')
    await store.compact(kept)
    assert.equal(store.compactedRevision(), kept)
    await assert.rejects(async () => listAll(store, '/', old), isCompacted)
    await assert.rejects(async () => eventsOf(store, '/', old), isCompacted)
    assert.deepEqual(await listAll(store, '/', kept), ['3'])
    assert.deepEqual((await eventsOf(store, '/', kept)).map(summary), [`${newest} delete /a`])
  },
  async 'compaction of everything keeps the newest state, and later history is complete'(store) {
    for (let index = 0; index < 500; index++) await update(store, `/k${index % 10}`, `${index}`)
    await store.compact(store.currentRevision() + 100)
    assert.equal(store.compactedRevision(), store.currentRevision())
    assert.equal((await store.stats()).historyEntries, 0)
    assert.equal((await listAll(store, '/')).length, 10)
    const from = store.currentRevision()
    await update(store, '/k3', 'new')
    assert.deepEqual(objectsOf(await eventsOf(store, '', from)), [`new@${from + 1}`])
  },
  async 'a list whose revision is compacted midway fails instead of being incomplete'(store) {
    const value = 'v'.repeat(5000)
    const keys = Array.from({ length: 200 }, (_, index) => `/k${String(index).padStart(3, '0')}`)
    await Promise.all(keys.map(key => create(store, key, value)))
    const page = await store.list({ prefix: '/' })
    await assert.rejects(async () => {
      for await (const _ of page.items) {
        await Promise.all(keys.map(key => update(store, key, value)))
        await store.compact(store.currentRevision())
      }
    }, isCompacted)
  },
  async 'writes survive closing and opening'(_, open) {
    const place = `reopened-${process.pid}`
    const first = await open(place)
    const start = first.currentRevision()
    await create(first, '/a')
    await update(first, '/a', '2')
    await create(first, '/b')
    await remove(first, '/b')
    await first.close()
    await first.close()
    await assert.rejects(first.write({ key: '/c', body: bodyFor('c') }), isKind('unavailable'))
    const second = await open(place)
    try {
      assert.equal(second.currentRevision(), start + 4)
      assert.deepEqual(await listAll(second, '/'), ['2'])
      assert.deepEqual(await listAll(second, '/', start + 3), ['2', '/b'])
      assert.equal((await eventsOf(second, '', start)).length, 4)
      assert.equal(await create(second, '/c'), start + 5)
    } finally {
      await second.close()
    }
  },
  async 'closing waits for pending writes'(_, open) {
    const place = `closed-${process.pid}`
    const first = await open(place)
    const writes = Array.from({ length: 50 }, (_none, index) => create(first, `/k${index}`))
    await first.close()
    await Promise.all(writes)
    const second = await open(place)
    assert.equal(await second.count('/'), 50)
    await second.close()
  },
  async 'a store can be advanced, so that the next write gets a later revision, and history begins there'(_, open) {
    const place = `advanced-${process.pid}`
    const store = await open(place)
    const before = await create(store, '/a')
    const far = store.currentRevision() + 1000
    await store.advanceTo(far)
    const advanced = store.currentRevision()
    assert.ok(advanced >= far)
    await store.advanceTo(far - 500)
    assert.ok(store.currentRevision() >= advanced)
    assert.ok(store.compactedRevision() >= advanced)
    await assert.rejects(async () => await eventsOf(store, '/', before), isCompacted)
    await assert.rejects(async () => await eventsOf(store, '/', far - 1), isCompacted)
    const seen: Revision[] = []
    store.subscribe(events => seen.push(...events.map(({ revision }) => revision)))
    const next = await create(store, '/b')
    assert.ok(next > far)
    assert.deepEqual(seen, [next])
    assert.deepEqual(await listAll(store, '/'), ['/a', '/b'])
    const sees = async (from: Store) => (await eventsOf(from, '/', next - 1)).map(summary)
    assert.deepEqual(await sees(store), [`${next} create /b`])
    await store.close()
    const again = await open(place)
    assert.deepEqual(await sees(again), [`${next} create /b`])
    assert.ok(again.compactedRevision() >= advanced)
    await assert.rejects(async () => await eventsOf(again, '/', far - 1), isCompacted)
    await again.close()
  },
  async 'stats count keys and history'(store) {
    await create(store, '/a')
    await update(store, '/a', '2')
    await create(store, '/b')
    const stats = await store.stats()
    assert.deepEqual([stats.keys, stats.historyEntries, stats.revision], [2, 3, store.currentRevision()])
    assert.ok(stats.sizeBytes > 0)
  },
}
