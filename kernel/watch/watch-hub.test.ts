import type { Store, StoreEvent } from 'orch/sdk/host'
import { fakeClock, fakeLogger } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ResponseStream } from '../contracts/exchange.js'
import type { EventEncoder } from './event-encoder.js'
import type { WatchGroupKey } from './watch-group.js'
import { WatchHub } from './watch-hub.js'
import { Watcher } from './watcher.js'

/** A hub over a store that says what the test says. */
function hubUnderTest(bookmarkEveryMs = 60_000) {
  let deliver: (events: readonly StoreEvent[]) => void = () => {}
  const store = {
    currentRevision: () => 1,
    subscribe(subscriber: typeof deliver) {
      deliver = subscriber
      return () => {}
    },
  }
  const clock = fakeClock()
  const logger = fakeLogger()
  const hub = new WatchHub(store as unknown as Store, clock, logger, bookmarkEveryMs)
  return { hub, clock, logger, commit: (...revisions: number[]) => deliver(revisions.map(eventAt)) }
}

const eventAt = (revision: number): StoreEvent => ({
  revision,
  type: 'create',
  key: `acme.test/things/n/t${revision}`,
  body: Buffer.alloc(0),
  attributes: Buffer.alloc(0),
  previousAttributes: undefined,
  previousBody: () => undefined,
})

/** A stream that keeps what is written, and refuses more once it has ended. */
class FakeStream implements ResponseStream {
  text = ''
  isClosed = false
  readonly bufferedBytes = 0
  write(chunk: Buffer): boolean {
    if (this.isClosed) throw new Error('write after end')
    this.text += chunk.toString()
    return true
  }
  writeShared({ bytes }: { bytes: Buffer }): void {
    this.write(bytes)
  }
  drained = () => Promise.resolve()
  end(): void {
    this.isClosed = true
  }
  destroy(): void {
    this.isClosed = true
  }
  onClose(): void {}
}

const encoderOf = (id: string, encode: (event: StoreEvent) => string): EventEncoder => ({
  id,
  encode: event => Buffer.from(encode(event)),
  encodeInitial: () => Buffer.alloc(0),
  encodeBookmark: revision => Buffer.from(`bookmark ${revision} `),
  encodeError: () => Buffer.alloc(0),
})
const plain = encoderOf('plain', ({ revision }) => `${revision} `)
const keyOf = (encoder: EventEncoder): WatchGroupKey => ({
  id: encoder.id,
  typeKey: 'acme.test/things',
  namespace: '',
  onlyKey: undefined,
  filter: undefined,
  encoder,
})
function watcherWith(encoder = plain) {
  const stream = new FakeStream()
  return { stream, watcher: new Watcher(stream, encoder, 1000, 1, Number.POSITIVE_INFINITY) }
}
const flushed = () => new Promise(resolve => setImmediate(resolve))

const hubs = suite('the watch hub')

hubs('an event that cannot be encoded ends the watches in that form, and reaches everybody else', async () => {
  const { hub, commit, logger } = hubUnderTest()
  const broken = encoderOf('broken', ({ revision }) => {
    if (revision === 3) throw new Error('a column failed')
    return `${revision} `
  })
  const unlucky = watcherWith(broken)
  const lucky = watcherWith()
  hub.join(unlucky.watcher, keyOf(broken))
  hub.join(lucky.watcher, keyOf(plain))
  commit(2, 3, 4)
  await flushed()
  assert.is(lucky.stream.text, '2 3 4 ')
  assert.is(unlucky.stream.text, '2 ', 'it resumes after what it was told')
  assert.ok(unlucky.watcher.isEnded)
  assert.is(hub.dispatchedRevision, 4)
  assert.is(hub.watcherCount, 1)
  assert.equal(
    logger.lines.map(({ level }) => level),
    ['error'],
  )
})

hubs('a watch that ended while it caught up is not kept for bookmarks', () => {
  const { hub, clock } = hubUnderTest()
  const { watcher } = watcherWith()
  watcher.end('closed')
  hub.bookmark(watcher)
  assert.is(clock.pending, 0)
})

for (const everyMs of [200, 5_000, 60_000])
  hubs(`bookmarks come every ${everyMs} ms when that is the interval`, async () => {
    const { hub, clock } = hubUnderTest(everyMs)
    const { watcher, stream } = watcherWith()
    hub.join(watcher, keyOf(plain))
    hub.bookmark(watcher)
    await clock.advance(everyMs - 1)
    assert.is(stream.text, '')
    await clock.advance(1)
    assert.is(stream.text, 'bookmark 1 ')
    await clock.advance(2 * everyMs)
    assert.is(stream.text, 'bookmark 1 '.repeat(3))
    hub.close()
  })

hubs('a watch that ended while it caught up is written no more', async () => {
  const { watcher, stream } = watcherWith()
  watcher.end('timeout')
  await watcher.deliverAtPace(Buffer.from('late'), 2)
  assert.is(stream.text, '')
})

hubs('a hub that is closed ends watches that wait for a version, and those that come late', async () => {
  const { hub } = hubUnderTest()
  const waiting = watcherWith()
  const waits = hub.reached(5, waiting.watcher)
  const joining = watcherWith()
  hub.close()
  await waits
  hub.join(joining.watcher, keyOf(plain))
  assert.ok(waiting.watcher.isEnded && joining.watcher.isEnded)
  await hub.reached(6, watcherWith().watcher)
  assert.is(hub.watcherCount, 0)
})

hubs('a watch that waits for a version goes on when it has come', async () => {
  const { hub, commit } = hubUnderTest()
  const { watcher } = watcherWith()
  const waits = hub.reached(3, watcher)
  commit(2, 3)
  await waits
  assert.not.ok(watcher.isEnded)
})

hubs.run()
