import type { ListChunk } from 'orch/sdk'

/** Bodies of a chunk one by one. */
export function* bodiesOf(chunk: ListChunk): Iterable<Buffer> {
  for (let i = 0; i < chunk.count; i++) {
    const next = chunk.offsets[i + 1]
    yield chunk.joined.subarray(chunk.offsets[i], next === undefined ? chunk.joined.length : next - 1)
  }
}
