import type { ApiObject } from 'orch/sdk'
import { type ListChunk, type ListRequest, StorageError, type Store, type StoreEvent } from 'orch/sdk/host'
import { fakeClock, fakeLogger, fakeMetrics } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ResourceTypes } from '../types/resource-types.js'
import { SharedCaches } from './collection-cache.js'
import { whenFilled } from './filled-caches.js'
import type { WatchHub } from './watch-hub.js'

const things = { group: 'acme.test', resource: 'things' }
const body = Buffer.from('{"metadata":{"name":"a"}}')
const chunk: ListChunk = { joined: body, count: 1, offsets: [0], lastKey: 'a', more: false }

const types = {
  onChange: () => () => {},
  get: () => ({ ...things, storageKey: 'acme.test/things', keyPrefix: 'acme.test/things/' }),
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
  return cachesOf({ list } as unknown as Store)
}
function cachesOf(
  store: Store,
  listen: WatchHub['listen'] = () => () => {},
  logger = fakeLogger(),
  clock = fakeClock(),
  metrics = fakeMetrics(),
) {
  return new SharedCaches({ store, hub: { listen } as unknown as WatchHub, types, logger, clock, metrics })
}
/** Caches over a store with one object, and a way to tell them of changes. */
function liveCaches() {
  let tell: (event: StoreEvent) => void = () => {}
  const stored = Buffer.from('{"metadata":{"name":"a","resourceVersion":"5"}}')
  const store = { list: async () => ({ revision: 5, items: [{ ...chunk, joined: stored }] }) } as unknown as Store
  const logger = fakeLogger()
  const caches = cachesOf(
    store,
    (_, listener) => {
      tell = listener
      return () => {}
    },
    logger,
  )
  const change = (revision: number) => {
    const text = `{"metadata":{"name":"a","resourceVersion":"${revision}"}}`
    tell({ type: 'update', revision, body: Buffer.from(text) } as StoreEvent)
  }
  return { cached: caches.of<ApiObject>(things), change, logger }
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
  assert.throws(() => caches.of(things).list(), /still being filled/)
  await caches.of(things).ready()
  assert.is(caches.of<ApiObject>(things).get('', 'a')?.metadata.name, 'a')
  assert.ok(caches.of(things).isReady)
})

cache('where nobody waits, a store that cannot be read ends nothing', async () => {
  const seen: unknown[] = []
  const note = (thrown: unknown) => void seen.push(thrown)
  process.on('unhandledRejection', note)
  const caches = cachesOver([unavailable])
  assert.not(caches.of<ApiObject>(things).isReady)
  // Rejections that nobody handled are told after the microtasks of a turn.
  for (let turns = 0; turns < 3; turns++) await new Promise(resolve => setImmediate(resolve))
  process.off('unhandledRejection', note)
  assert.equal(seen, [])
})

cache('what the hub tells late of the time before it was filled changes nothing', async () => {
  const { cached, change } = liveCaches()
  change(3)
  await cached.ready()
  const versions: (string | undefined)[] = []
  cached.onChange(({ object }) => void versions.push(object.metadata.resourceVersion))
  for (const revision of [4, 5, 6]) change(revision)
  assert.equal(versions, ['5', '6'])
})

cache('a listener or an index that throws is logged, and the others still work', async () => {
  const { cached, change, logger } = liveCaches()
  const broken = () => {
    throw new Error('somebody else’s mistake')
  }
  cached.onChange(broken)
  cached.addIndex('broken', broken)
  cached.addIndex('version', ({ metadata }) => [metadata.resourceVersion ?? ''])
  const versions: (string | undefined)[] = []
  cached.onChange(({ object }) => void versions.push(object.metadata.resourceVersion))
  await cached.ready()
  change(6)
  assert.equal(versions, ['5', '6'])
  assert.equal([cached.indexed('version', '5').length, cached.indexed('version', '6').length], [0, 1])
  assert.ok(logger.lines.length >= 4)
  assert.ok(logger.lines.every(({ level }) => level === 'error'))
})

cache(
  'a decision that reads it too early is asked again once it is filled, not told that there is nothing',
  async () => {
    const { cached } = liveCaches()
    assert.throws(() => cached.get('', 'a'), /still being filled/)
    let asked = 0
    const decide = () => {
      asked++
      return cached.get('', 'a')?.metadata.name
    }
    assert.is(await whenFilled(decide), 'a')
    assert.is(await whenFilled(async () => decide()), 'a')
    assert.is(asked, 3)
    assert.is(whenFilled(decide), 'a', 'at once when nothing is missing')
  },
)

cache(
  'an object that cannot be read any more is told of, missed by who asks for it, and read again later',
  async () => {
    let tell: (event: StoreEvent) => void = () => {}
    const bodyOf = (name: string, version: number) =>
      Buffer.from(`{"metadata":{"name":"${name}","resourceVersion":"${version}"}}`)
    const joined = Buffer.concat([bodyOf('a', 5), Buffer.from(','), bodyOf('b', 5)])
    const items = [{ joined, count: 2, offsets: [0, bodyOf('a', 5).length + 1], lastKey: 'b', more: false }]
    const unreadable = new StorageError('unreadable', 'things "a" cannot be decrypted')
    let isKeyThere = false
    const store = {
      list: async ({ onUnreadable }: ListRequest) => {
        onUnreadable?.('acme.test/things/c', new StorageError('unreadable', 'things "c" cannot be decrypted'))
        return { revision: 5, items }
      },
      get: async (key: string) => {
        if (key.endsWith('/c')) return undefined
        if (!isKeyThere) throw unreadable
        return { key, modRevision: 6, body: bodyOf('a', 6), attributes: Buffer.alloc(0) }
      },
    } as unknown as Store
    const [logger, clock, metrics] = [fakeLogger(), fakeClock(), fakeMetrics()]
    const listen = ((_: string, listener: (event: StoreEvent) => void) => {
      tell = listener
      return () => {}
    }) as WatchHub['listen']
    const cached = cachesOf(store, listen, logger, clock, metrics).of<ApiObject>(things)
    const versionOf = (name: string) => cached.get('', name)?.metadata.resourceVersion
    const event = (type: StoreEvent['type'], revision: number) =>
      ({
        type,
        revision,
        key: 'acme.test/things/a',
        get body(): Buffer {
          throw unreadable
        },
      }) as unknown as StoreEvent
    const counted = () => metrics.valueOf('apiserver_cache_unreadable_objects', { resource: 'things.acme.test' })
    await cached.ready()
    assert.throws(() => versionOf('c'), /things "c" cannot be decrypted/)
    assert.is(versionOf('a'), '5', 'what could not be read in the first place keeps nothing else away')
    tell(event('update', 6))
    assert.is(versionOf('b'), '5', 'the others are there')
    assert.throws(() => versionOf('a'), /things "a" cannot be decrypted/)
    assert.throws(() => cached.list(), /cannot be decrypted/)
    assert.equal([logger.lines.map(({ level }) => level), counted()], [['error', 'error'], 2])
    await clock.advance(1000)
    assert.equal([versionOf('c'), counted()], [undefined, 1])
    assert.throws(() => versionOf('a'), /cannot be decrypted/)
    isKeyThere = true
    await clock.advance(2000)
    assert.equal([versionOf('a'), cached.list().length, counted()], ['6', 2, 0])
    tell(event('update', 7))
    tell(event('delete', 8))
    assert.equal([versionOf('a'), cached.list().length, counted()], [undefined, 1, 0], 'a deletion needs no body')
  },
)

cache.run()
