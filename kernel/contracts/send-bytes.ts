import type { Exchange, Headers, ResponseStream } from './exchange.js'

/**
 * Sends a response of unknown length as its bytes arrive, with backpressure. The source is read at most one
 * chunk ahead, and is closed when the client disconnects. If the source fails, the response is cut off: its beginning was already sent.
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

/** Responses of at most this many bytes are sent at once, with their length. */
const wholeBytes = 128 * 1024

/**
 * Sends a response that is produced in pieces: at once and with its length if it is small, as most are, otherwise piece
 * by piece. When a piece fails, the client must neither mistake the part for the whole nor wait for more.
 */
export async function sendPieces(
  exchange: Exchange,
  headers: Headers,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  let stream: ResponseStream | undefined
  let pending: Buffer[] = []
  let pendingBytes = 0
  try {
    for await (const piece of pieces) {
      pending.push(asBuffer(piece))
      pendingBytes += piece.length
      if (!stream && pendingBytes <= wholeBytes) continue
      stream ??= exchange.stream(200, headers)
      if (stream.isClosed) return
      let isReady = true
      for (const each of pending) isReady = stream.write(each)
      pending = []
      if (!isReady) await stream.drained()
    }
  } catch (failure) {
    stream?.destroy()
    throw failure
  }
  if (stream) stream.end()
  else exchange.send(200, headers, Buffer.concat(pending))
}

function asBuffer(chunk: Uint8Array | string): Buffer {
  if (typeof chunk === 'string') return Buffer.from(chunk)
  return Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}
