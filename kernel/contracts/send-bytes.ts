import type { Exchange, Headers } from './exchange.js'

/**
 * Sends an answer of unknown length as its bytes come, at the pace of whoever reads. The source is not asked for more than one
 * chunk beyond that, and is closed when the client goes away. An answer whose source fails is cut off: its beginning was sent.
 */
export async function sendBytes(
  exchange: Exchange,
  status: number,
  headers: Headers,
  body: AsyncIterable<Uint8Array | string>,
): Promise<void> {
  const stream = exchange.stream(status, headers, true)
  try {
    for await (const chunk of body) {
      if (stream.isClosed) return
      if (!stream.write(asBuffer(chunk))) await stream.drained()
    }
    stream.end()
  } catch {
    stream.destroy()
  }
}

function asBuffer(chunk: Uint8Array | string): Buffer {
  if (typeof chunk === 'string') return Buffer.from(chunk)
  return Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}
