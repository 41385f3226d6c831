import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { SharedChunk } from '../contracts/exchange.js'
import { AnswerStream, type Out, type StreamHost } from './answer-stream.js'
import { ChunkedBody, framedFromBytes, sendChunk } from './chunked-body.js'
import { SocketPace } from './socket-pace.js'

/** A socket copies its buffer when it encrypts. */
export const pieceBytes = 128 * 1024

/** Kept beside Node's response, which has no room for our fields. */
const answers = new WeakMap<ServerResponse, Http1Answer>()

/** The stream of a response that was not sent in one piece. */
export const answerOf = (response: ServerResponse): Http1Answer | undefined => answers.get(response)

/** A response over HTTP/1.1, of known length or chunked. */
export class Http1Answer extends AnswerStream {
  readonly #response: ServerResponse
  readonly #pace: SocketPace | undefined

  constructor(response: ServerResponse, host: StreamHost, isEndless: boolean) {
    const { socket } = response
    const pace = socket ? new SocketPace(socket) : undefined
    super(socket && pace ? outOf(response, socket, pace, isEndless) : response, pieceBytes, host, isEndless)
    this.#response = response
    this.#pace = pace
    answers.set(response, this)
  }

  writeShared(chunk: SharedChunk): void {
    const { socket, chunkedEncoding } = this.#response
    // One buffer past the response is one TLS record; through it, the same chunk would be three of them.
    if (socket && chunkedEncoding && this.isFlowing) socket.write(chunk.chunked, this.#pace?.sent)
    else this.write(chunk.bytes)
  }
}

/** Watches share bytes that are framed as chunks already. */
const outOf = (response: ServerResponse, socket: Socket, pace: SocketPace, isEndless: boolean): Out =>
  isEndless || !response.chunkedEncoding
    ? new PacedResponse(response, pace, isEndless && response.chunkedEncoding ? socket : undefined)
    : ChunkedBody.of(response, socket, pace, pieceBytes)

/** A response of known length, or one that Node chunks. */
class PacedResponse implements Out {
  readonly #response: ServerResponse
  readonly #pace: SocketPace
  readonly #socket: Socket | undefined

  /** `socket`: where chunks may be written past the response, if its head is sent already. */
  constructor(response: ServerResponse, pace: SocketPace, socket: Socket | undefined) {
    this.#response = response
    this.#pace = pace
    this.#socket = socket
  }

  get destroyed(): boolean {
    return this.#response.destroyed
  }
  get writableLength(): number {
    return this.#response.writableLength
  }
  get writableNeedDrain(): boolean {
    return !this.destroyed && this.#pace.isFull
  }
  write(bytes: Buffer, written?: (failure: Error | null | undefined) => void): boolean {
    const { sent } = this.#pace
    if (this.#socket?.writable && bytes.length >= framedFromBytes && bytes.length <= pieceBytes) {
      sendChunk(this.#socket, bytes, pieceBytes, sent)
      // The bytes were copied.
      written?.(undefined)
      return !this.#pace.isFull
    }
    this.#response.write(
      bytes,
      written === undefined
        ? sent
        : failure => {
            written(failure)
            sent()
          },
    )
    return !this.#pace.isFull
  }
  once(event: 'drain' | 'close', listener: () => void): void {
    if (event === 'drain') this.#pace.onceDrained(listener)
    else this.#response.once(event, listener)
  }
  end(): void {
    this.#response.end()
  }
  destroy(): void {
    this.#response.destroy()
  }
}
