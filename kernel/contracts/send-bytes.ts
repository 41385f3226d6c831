import type { Exchange, Headers, ResponseStream } from './exchange.js'

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

/** Answers of at most so many bytes are sent whole. */
const wholeBytes = 128 * 1024

/**
 * Sends an answer that is made in pieces: whole and with its length if it is small, as most are, else as the pieces come. When
 * they fail halfway, the client must neither take half for all nor wait for more.
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
