import { constants, type ServerHttp2Stream } from 'node:http2'
import type { SharedChunk } from '../contracts/exchange.js'
import { AnswerStream, type StreamHost } from './answer-stream.js'

/**
 * A stream tells of a piece that it is gone, not how much of it: a client has to take so much within the time that it may be
 * slow. Larger pieces would go out with fewer turns of the event loop.
 */
export const pieceBytes = 64 * 1024

/** An answer over a stream of HTTP/2. */
export class Http2Answer extends AnswerStream {
  readonly #stream: ServerHttp2Stream
  /** It was broken off on our side. */
  isGivenUp = false

  constructor(stream: ServerHttp2Stream, host: StreamHost, isEndless: boolean) {
    super(stream, pieceBytes, host, isEndless)
    this.#stream = stream
  }

  /** Bytes that the client has taken. */
  get takenBytes(): number {
    return this.givenBytes - this.#stream.writableLength
  }

  override write(chunk: Buffer, written?: () => void): boolean {
    // A client that reset the stream ended it, too.
    return this.#stream.writableEnded || super.write(chunk, written)
  }
  writeShared({ bytes }: SharedChunk): void {
    this.write(bytes)
  }
  /** What the client does not take stays in our queue, where it is counted, and goes out in pieces. */
  protected override takesAtOnce(chunk: Buffer): boolean {
    return chunk.length + this.#stream.writableLength <= pieceBytes
  }

  /** Other streams of the connection go on. */
  override destroy(): void {
    this.isGivenUp = true
    this.drop()
    // An end without an error could be taken for the end of the answer.
    this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  }
}
