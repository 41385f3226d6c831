import { ApiError } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { unwrapEnvelope, watchFrame, wrapEnvelope } from './envelope.js'
import { encodeList, type ItemBatch, itemsField } from './list.js'
import { WireWriter } from './wire-writer.js'

const type = { apiVersion: 'v1', kind: 'ConfigMap' }
const envelope = suite('protobuf envelope')

envelope('has the prefix, the type, the message and empty content fields', () => {
  assert.is(
    wrapEnvelope(type, Buffer.from([1, 2, 3])).toString('hex'),
    `6b387300${'0a0f'}${'0a027631'}${'1209'}${Buffer.from('ConfigMap').toString('hex')}${'1203010203'}${'1a002200'}`,
  )
})
envelope('is unwrapped again', () => {
  const { apiVersion, kind, raw } = unwrapEnvelope(wrapEnvelope(type, Buffer.from('message')))
  assert.equal({ apiVersion, kind, raw: Buffer.from(raw).toString() }, { ...type, raw: 'message' })
})
const broken: Record<string, Buffer> = {
  nothing: Buffer.alloc(0),
  'another prefix': Buffer.from('k9s\0'),
  JSON: Buffer.from('{"apiVersion":"v1"}'),
  'a truncated envelope': wrapEnvelope(type, Buffer.from('message')).subarray(0, 26),
  'an encoded message': Buffer.concat([
    wrapEnvelope(type, Buffer.alloc(1)),
    Buffer.from('1a0467', 'hex'),
    Buffer.from('zip'),
  ]),
}
for (const [title, body] of Object.entries(broken)) {
  envelope(`rejects ${title} with 400`, () => {
    try {
      unwrapEnvelope(body)
    } catch (error) {
      assert.ok(error instanceof ApiError && error.code === 400)
      return
    }
    assert.unreachable()
  })
}
envelope('a watch frame states its length and nests the enveloped object', () => {
  const frame = watchFrame('ADDED', Buffer.from([7]))
  assert.is(frame.toString('hex'), `0000000c${'0a05'}${Buffer.from('ADDED').toString('hex')}${'1203' + '0a0107'}`)
})

const items = Array.from({ length: 500 }, (_, index) => Buffer.from(`item ${index} ${'x'.repeat(index)}`))
/** Each read returns batches of another size. The key of an item is its position. */
let batchSize = 7
function* inBatches(all: readonly Uint8Array[], after: string | undefined): Iterable<ItemBatch> {
  const size = batchSize++
  for (let start = after === undefined ? 0 : Number(after) + 1; start < all.length; start += size) {
    const writer = new WireWriter()
    const ends: number[] = []
    for (const item of all.slice(start, start + size)) {
      writer.unsigned((itemsField << 3) | 2).bytes(item)
      ends.push(writer.length)
    }
    yield { bytes: writer.toBytes(), ends, lastKey: String(start + ends.length - 1) }
  }
}
async function collect(bufferBytes: number, source: () => Iterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of encodeList({
    type: { apiVersion: 'v1', kind: 'ThingList' },
    metadata: () => Buffer.from([1]),
    items: after => inBatches([...source()], after),
    bufferBytes,
  })) {
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
envelope('a list is the same whether it fits the buffer or not', async () => {
  const whole = await collect(2 ** 20, () => items)
  for (const limit of [0, 1000, 50_000]) assert.ok(whole.equals(await collect(limit, () => items)), `limit ${limit}`)
  const { kind, raw } = unwrapEnvelope(whole)
  assert.is(kind, 'ThingList')
  assert.is(Buffer.from(raw.subarray(0, 5)).toString('hex'), '0a01011207')
})
envelope('an empty list has its metadata only', async () => {
  assert.is(Buffer.from(unwrapEnvelope(await collect(100, () => [])).raw).toString('hex'), '0a0101')
})
envelope('a list that fits is read once', async () => {
  let reads = 0
  await collect(2 ** 20, () => {
    reads++
    return items
  })
  assert.is(reads, 1)
})
envelope('only measured items are sent if a second read returns more', async () => {
  const whole = await collect(2 ** 20, () => items.slice(0, 300))
  for (const bufferBytes of [0, 20_000]) {
    let reads = 0
    const sent = await collect(bufferBytes, () => (reads++ === 0 ? items.slice(0, 300) : items))
    assert.ok(whole.equals(sent), `buffer of ${bufferBytes}`)
    assert.is(reads, 2)
  }
})
envelope('a list that changes between measuring and sending is aborted with an error', async () => {
  let reads = 0
  try {
    await collect(100, () => (reads++ === 0 ? items : items.slice(1)))
  } catch (error) {
    assert.match((error as Error).message, 'changed')
    return
  }
  assert.unreachable()
})
envelope.run()
