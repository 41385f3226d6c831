import type { ApiObject, ListChunk, Store, StoreEvent } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ResourceTypes } from '../resources/resource-types.js'
import { SharedCaches } from './collection-cache.js'
import type { WatchHub } from './watch-hub.js'

const things = { group: 'acme.test', resource: 'things' }
const body = Buffer.from('{"metadata":{"name":"a"}}')
const chunk: ListChunk = { joined: body, count: 1, offsets: [0], lastKey: 'a', more: false }

const types = {
  get: () => ({ storageKey: 'acme.test/things', keyPrefix: 'acme.test/things/' }),
} as unknown as ResourceTypes

/** Caches over a store that cannot be read the first times. */
function cachesOver(failures: (() => unknown)[]) {
  const list = async () => ({
    revision: 5,
    items: (async function* () {
      yield chunk
      await failures.shift()?.()
    })(),
  })
  return new SharedCaches({ list } as unknown as Store, { listen: () => {} } as unknown as WatchHub, types)
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

cache('what the hub tells late of the time before it was filled changes nothing', async () => {
  let tell: (event: StoreEvent) => void = () => {}
  const stored = Buffer.from('{"metadata":{"name":"a","resourceVersion":"5"}}')
  const caches = new SharedCaches(
    { list: () => ({ revision: 5, items: [{ ...chunk, joined: stored }] }) } as unknown as Store,
    { listen: (_: string, listener: typeof tell) => void (tell = listener) } as unknown as WatchHub,
    types,
  )
  const cached = caches.of<ApiObject>(things)
  const event = (revision: number) =>
    ({
      type: 'update',
      revision,
      body: Buffer.from(`{"metadata":{"name":"a","resourceVersion":"${revision}"}}`),
    }) as StoreEvent
  tell(event(3))
  await cached.ready()
  const versions: (string | undefined)[] = []
  cached.onChange(({ object }) => void versions.push(object.metadata.resourceVersion))
  for (const revision of [4, 5, 6]) tell(event(revision))
  assert.equal(versions, ['5', '6'])
})

cache.run()
