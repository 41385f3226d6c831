import { constants, type ServerHttp2Stream } from 'node:http2'
import type { SharedChunk } from '../contracts/exchange.js'
import { AnswerStream, type StreamHost } from './answer-stream.js'

/**
 * A stream reports when a piece was sent, but not partial progress: the client has to receive a whole piece within the
 * time allowed for slow transfers. Larger pieces would take fewer turns of the event loop.
 */
export const pieceBytes = 64 * 1024

/** A response over an HTTP/2 stream. */
export class Http2Answer extends AnswerStream {
  readonly #stream: ServerHttp2Stream
  /** It was aborted by this server. */
  isGivenUp = false

  constructor(stream: ServerHttp2Stream, host: StreamHost, isEndless: boolean) {
    super(stream, pieceBytes, host, isEndless)
    this.#stream = stream
  }

  /** Bytes that the client has received. */
  get takenBytes(): number {
    return this.passedBytes - this.#stream.writableLength
  }

  override write(chunk: Buffer, written?: () => void): boolean {
    // A reset of the stream by the client ends it, too.
    return this.#stream.writableEnded || super.write(chunk, written)
  }
  writeShared({ bytes }: SharedChunk): void {
    this.write(bytes)
  }
  /** What the client has not received stays in our queue, where it is counted, and is sent in pieces. */
  protected override sendsAtOnce(chunk: Buffer): boolean {
    return chunk.length + this.#stream.writableLength <= pieceBytes
  }

  /** Other streams of the connection continue. */
  override destroy(): void {
    this.isGivenUp = true
    this.drop()
    // A clean end could be mistaken for the end of the response.
    this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  }
}
