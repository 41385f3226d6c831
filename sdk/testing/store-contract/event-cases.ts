import assert from 'node:assert/strict'
import type { StoreEvent } from '../../host/storage.js'
import {
  attributesFor,
  bodyFor,
  type ContractCases,
  committed,
  create,
  eventsOf,
  listAll,
  objectsOf,
  remove,
  summary,
  update,
} from './steps.js'

export const eventCases: ContractCases = {
  async 'subscribers receive an event before its writer is answered, in order and without gaps'(store) {
    const seen: StoreEvent[] = []
    const stop = store.subscribe(events => seen.push(...events))
    const start = store.currentRevision()
    const writes = Array.from({ length: 100 }, async (_, index) => {
      const revision = await create(store, `/k${index % 50}/${index}`)
      assert.ok(seen.some(event => event.revision === revision))
    })
    await Promise.all(writes)
    stop()
    await create(store, '/after')
    assert.deepEqual(
      seen.map(({ revision }) => revision),
      seen.map((_, index) => start + 1 + index),
    )
    assert.equal(seen.length, 100)
  },
  async 'events contain the new and the previous state'(store) {
    const seen: StoreEvent[] = []
    store.subscribe(events => seen.push(...events))
    const old = attributesFor({ labels: { tier: 'old' } })
    const young = attributesFor({ labels: { tier: 'young' } })
    const start = store.currentRevision()
    await committed(store, { key: '/a', body: bodyFor('1'), attributes: old })
    await committed(store, { key: '/a', body: bodyFor('2'), attributes: young })
    await remove(store, '/a')
    const replayed = await eventsOf(store, '/', start)
    for (const events of [seen, replayed]) {
      assert.deepEqual(events.map(summary), [
        `${start + 1} create /a`,
        `${start + 2} update /a`,
        `${start + 3} delete /a`,
      ])
      assert.deepEqual(objectsOf(events), [`1@${start + 1}`, `2@${start + 2}`, `2@${start + 3}`])
      assert.deepEqual(
        events.map(event => event.attributes),
        [old, young, young],
      )
      assert.deepEqual(
        events.map(event => event.previousAttributes),
        [undefined, old, young],
      )
      assert.deepEqual(
        events.map(
          event =>
            event
              .previousBody()
              ?.toString()
              .match(/"name":"(.)"/)?.[1],
        ),
        [undefined, '1', '2'],
      )
    }
  },
  async 'a delete can show another last body than the stored one'(store) {
    const start = await create(store, '/a')
    const shown = attributesFor({ labels: { gone: 'yes' } })
    const write = { key: '/a', body: undefined, lastBody: bodyFor('last'), attributes: shown }
    const revision = await committed(store, write)
    const [event] = await eventsOf(store, '/', start)
    assert.deepEqual(objectsOf(event ? [event] : []), [`last@${revision}`])
    assert.deepEqual(event?.attributes, shown)
    assert.match(String(event?.previousBody()), /"name":"\/a"/)
  },
  async 'a last body without attributes is shown with those that were stored'(store) {
    const attributes = attributesFor({ labels: { app: 'web' } })
    const start = await committed(store, { key: '/a', body: bodyFor('a'), attributes })
    await committed(store, { key: '/a', body: undefined, lastBody: bodyFor('last') })
    const [event] = await eventsOf(store, '/', start)
    assert.deepEqual(event?.attributes, attributes)
  },
  async 'history returns exactly the events between two revisions under a prefix'(store) {
    const start = store.currentRevision()
    for (const key of ['/a/1', '/b/1', '/a/2', '/a/1', '/b/2']) await update(store, key, key)
    await remove(store, '/a/2')
    const all = ['create /a/1', 'create /b/1', 'create /a/2', 'update /a/1', 'create /b/2', 'delete /a/2']
    const expected = all.map((text, index) => `${start + 1 + index} ${text}`)
    const wholly = await eventsOf(store, '', start)
    assert.deepEqual(wholly.map(summary), expected)
    for (let from = start; from <= start + all.length; from++) {
      const events = await eventsOf(store, '/a/', from, from + 3)
      const between = expected.slice(from - start, from - start + 3).filter(text => text.includes(' /a/'))
      assert.deepEqual(events.map(summary), between)
    }
  },
  async 'history of many and large events is complete'(store) {
    const start = store.currentRevision()
    const large = 'x'.repeat(20_000)
    await Promise.all(Array.from({ length: 700 }, (_, index) => update(store, `/k${index % 7}`, `${index}${large}`)))
    const events = await eventsOf(store, '/', start)
    assert.equal(events.length, 700)
    events.forEach((event, index) => {
      assert.equal(event.revision, start + 1 + index)
      assert.ok(event.body.includes(`"resourceVersion":"${event.revision}"`))
      assert.equal(event.body.length > 20_000, true)
    })
  },
  async 'an object of megabytes is stored, listed and replayed'(store) {
    const start = store.currentRevision()
    const value = 'm'.repeat(3 * 2 ** 20)
    await create(store, '/big', value)
    await create(store, '/small')
    await update(store, '/big', `${value}2`)
    assert.deepEqual(await listAll(store, '/', start + 2), [value, '/small'])
    assert.deepEqual(await listAll(store, '/'), [`${value}2`, '/small'])
    assert.deepEqual(objectsOf(await eventsOf(store, '/big', start)), [
      `${value}@${start + 1}`,
      `${value}2@${start + 3}`,
    ])
  },
}
