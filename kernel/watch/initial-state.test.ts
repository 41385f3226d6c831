import type { ListChunk, ListPage } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { EventEncoder } from './event-encoder.js'
import { InitialStates } from './initial-state.js'

const encoder = { encodeInitial: ({ joined }: ListChunk) => joined } as unknown as EventEncoder
const pageOf = (items: ListPage['items'], revision = 1): ListPage => ({ revision, items })

async function readAll(states: InitialStates, id: string, page: ListPage): Promise<void> {
  for await (const _ of states.encode(id, page, encoder));
}

const states = suite('initial states of watches')

states('one that was read is shared while nothing changes', async () => {
  const kept = new InitialStates()
  const joined = Buffer.from('{"metadata":{}}')
  await readAll(kept, 'a', pageOf([{ joined, count: 1, offsets: [0], lastKey: 'a', more: false }]))
  assert.equal(
    (await kept.find('a', 1))?.map(({ chunk }) => chunk.bytes.toString()),
    [joined.toString()],
  )
  assert.is(await kept.find('a', 2), undefined)
})

states('those of empty collections are not kept without end', async () => {
  const kept = new InitialStates()
  await readAll(kept, 'first', pageOf([]))
  assert.equal(await kept.find('first', 1), [])
  for (let i = 0; i < 20_000; i++) await readAll(kept, `selector ${i}`, pageOf([]))
  assert.is(await kept.find('first', 1), undefined)
})

states('one that takes the place of another does not push others out', async () => {
  const kept = new InitialStates()
  await readAll(kept, 'other', pageOf([]))
  for (let revision = 1; revision < 20_000; revision++) await readAll(kept, 'busy', pageOf([], revision))
  assert.equal(await kept.find('other', 1), [])
})

const megabyte = Buffer.alloc(1024 * 1024)
const chunk: ListChunk = { joined: megabyte, count: 1, offsets: [0], lastKey: 'a', more: false }

states('a large one is kept when several watchers want it at a time, and not for a single one', async () => {
  const kept = new InitialStates()
  const alone = kept.encode('a', pageOf(new Array(4).fill(chunk)), encoder)[Symbol.asyncIterator]()
  await alone.next()
  assert.is(await kept.find('a', 1), undefined)
  await readAll(kept, 'a', pageOf(new Array(4).fill(chunk)))
  assert.is((await kept.find('a', 1))?.length, 4)
  await alone.return?.()
})

states(
  'one that many watchers want at once is read by two of them: one before it is known, one for all others',
  async () => {
    const kept = new InitialStates()
    let read = 0
    const items = async function* () {
      for (let i = 0; i < 4; i++) {
        read++
        yield chunk
      }
    }
    // As a watch does it, which looks for the state before it lists.
    const watcher = async () => (await kept.find('a', 1)) ?? readAll(kept, 'a', pageOf(items()))
    await Promise.all(Array.from({ length: 50 }, watcher))
    assert.ok(read <= 8, `${read} megabytes were read of a state of four`)
  },
)

states('one that is too large to be kept is read by every watcher, and none waits for another', async () => {
  const kept = new InitialStates()
  const page = () => pageOf(new Array(20).fill(chunk))
  const first = kept.encode('a', page(), encoder)[Symbol.asyncIterator]()
  await first.next()
  const second = kept.encode('a', page(), encoder)[Symbol.asyncIterator]()
  await second.next()
  // Neither of them goes on.
  await readAll(kept, 'a', page())
  assert.is(await kept.find('a', 1), undefined)
  await first.return?.()
  await second.return?.()
})

states('what was read ahead for slow readers is bounded for all of them together', async () => {
  const kept = new InitialStates()
  let read = 0
  const items = function* () {
    for (let i = 0; i < 12; i++) {
      read++
      yield chunk
    }
  }
  for (let i = 0; i < 20; i++)
    for (let reader = 0; reader < 2; reader++)
      await kept.encode(`selector ${i}`, pageOf(items()), encoder)[Symbol.asyncIterator]().next()
  assert.ok(read < 80, `${read} megabytes are held for 40 readers that read one each`)
})

states('chunks of the store are split into pieces that a thousand watchers can hold, framed once', async () => {
  const bodies = Array.from({ length: 500 }, (_, i) => `{"metadata":{"name":"${String(i).padStart(1000, '0')}"}}`)
  const offsets: number[] = []
  for (let i = 0, start = 0; i < bodies.length; start += bodies[i++]!.length + 1) offsets.push(start)
  let released = 0
  const whole = { joined: Buffer.from(bodies.join()), count: bodies.length, offsets, lastKey: 'z', more: false }
  const kept = new InitialStates()
  await readAll(kept, 'a', pageOf([{ ...whole, release: () => released++ }]))
  const pieces = (await kept.find('a', 1)) ?? []
  assert.is(pieces.map(({ chunk }) => chunk.bytes.toString()).join(), bodies.join())
  const sizes = pieces.map(({ chunk }) => chunk.bytes.length)
  assert.ok(Math.max(...sizes) <= 64 * 1024 && pieces.length <= 10, `pieces of ${sizes} bytes`)
  assert.is(released, 1)
  const [first] = pieces.map(each => each.chunk)
  const framed = first?.chunked
  assert.is(first?.chunked, framed)
  assert.is(first?.bytes.buffer, framed?.buffer, 'only one copy stays in memory')
})

states('a reader that leaves early closes the listing', async () => {
  let isClosed = false
  const large = Buffer.alloc(10 * 1024 * 1024)
  const items = (async function* () {
    try {
      for (;;) yield { joined: large, count: 1, offsets: [0], lastKey: 'a', more: false }
    } finally {
      isClosed = true
    }
  })()
  for await (const _ of new InitialStates().encode('a', pageOf(items), encoder)) break
  assert.ok(isClosed)
})

states.run()
