import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ChunkBuilder } from './chunk-builder.js'

const chunks = suite('chunks of a list')

function chunkOf(builder: ChunkBuilder, ...bodies: string[]) {
  builder.begin()
  for (const body of bodies) builder.add(Buffer.from(`<${body}>`), 1, body.length + 1)
  return builder.finish('last', false)
}

chunks('are bodies with commas between them', () => {
  const { joined, offsets, count } = chunkOf(new ChunkBuilder(1000), 'one', 'two')
  assert.equal([joined.toString(), offsets, count], ['one,two', [0, 4], 2])
})
chunks('that are released are reused by later ones, each by one only', () => {
  const builder = new ChunkBuilder(1000)
  const large = 'x'.repeat(15_000)
  const first = chunkOf(builder, large)
  first.release?.()
  first.release?.()
  const second = chunkOf(builder, `${large}2`)
  const third = chunkOf(builder, `${large}3`)
  assert.is(second.joined.buffer, first.joined.buffer)
  assert.is.not(third.joined.buffer, second.joined.buffer)
  assert.is(second.joined.toString(), `${large}2`)
})
chunks('that are not released stay unchanged', () => {
  const builder = new ChunkBuilder(1000)
  const kept = chunkOf(builder, 'a'.repeat(15_000))
  chunkOf(builder, 'b'.repeat(15_000))
  assert.is(kept.joined.toString(), 'a'.repeat(15_000))
})
chunks('of very large objects are not pooled', () => {
  const builder = new ChunkBuilder(1000)
  const huge = chunkOf(builder, 'h'.repeat(100_000))
  huge.release?.()
  assert.is.not(chunkOf(builder, 'x'.repeat(15_000)).joined.buffer, huge.joined.buffer)
})

chunks.run()
