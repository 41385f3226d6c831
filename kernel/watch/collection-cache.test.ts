import type { ApiObject, ListChunk, Store } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ResourceTypes } from '../resources/resource-types.js'
import { SharedCaches } from './collection-cache.js'
import type { WatchHub } from './watch-hub.js'

const things = { group: 'acme.test', resource: 'things' }
const body = Buffer.from('{"metadata":{"name":"a"}}')
const chunk: ListChunk = { joined: body, count: 1, offsets: [0], lastKey: 'a', more: false }

/** Caches over a store that cannot be read the first times. */
function cachesOver(failures: (() => unknown)[]) {
  const list = async () => ({
    revision: 5,
    items: (async function* () {
      yield chunk
      await failures.shift()?.()
    })(),
  })
  return new SharedCaches(
    { list } as unknown as Store,
    { listen: () => {} } as unknown as WatchHub,
    { get: () => ({ storageKey: 'acme.test/things', keyPrefix: 'acme.test/things/' }) } as unknown as ResourceTypes,
  )
}
const unavailable = () => Promise.reject(new Error('no member answers'))

const cache = suite('a collection in memory')

cache('who waits hears that the store could not be read, and the next try fills it', async () => {
  const caches = cachesOver([unavailable])
  const first = await caches
    .of(things)
    .ready()
    .catch((thrown: Error) => thrown.message)
  assert.is(first, 'no member answers')
  assert.is(caches.of<ApiObject>(things).list().length, 0)
  await caches.of(things).ready()
  assert.is(caches.of<ApiObject>(things).get('', 'a')?.metadata.name, 'a')
  assert.ok(caches.of(things).isReady)
})

cache('where nobody waits, a store that cannot be read ends nothing', async () => {
  const seen: unknown[] = []
  const note = (thrown: unknown) => void seen.push(thrown)
  process.on('unhandledRejection', note)
  const caches = cachesOver([unavailable])
  assert.is(caches.of<ApiObject>(things).get('', 'a'), undefined)
  // Rejections that nobody handled are told after the microtasks of a turn.
  for (let turns = 0; turns < 3; turns++) await new Promise(resolve => setImmediate(resolve))
  process.off('unhandledRejection', note)
  assert.equal(seen, [])
})

cache.run()
