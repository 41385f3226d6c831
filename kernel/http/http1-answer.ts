import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { SharedChunk } from '../contracts/exchange.js'
import { AnswerStream, type Out, type StreamHost } from './answer-stream.js'
import { ChunkedBody } from './chunked-body.js'
import { SocketPace } from './socket-pace.js'

/** What a socket holds it copies when it encrypts. */
export const pieceBytes = 128 * 1024

/** Beside the response, which is Node's: it has no room for fields of ours. */
const answers = new WeakMap<ServerResponse, Http1Answer>()

/** The stream over which an answer goes out, unless it went out in one piece. */
export const answerOf = (response: ServerResponse): Http1Answer | undefined => answers.get(response)

/** An answer over HTTP/1.1, of which the client knows the length or which goes out in chunks. */
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

/** Watches write what they share as chunks already. */
const outOf = (response: ServerResponse, socket: Socket, pace: SocketPace, isEndless: boolean): Out =>
  isEndless || !response.chunkedEncoding
    ? new PacedResponse(response, pace)
    : ChunkedBody.of(response, socket, pace, pieceBytes)

/** A response of which the client knows the length, or which Node makes chunks of. */
class PacedResponse implements Out {
  readonly #response: ServerResponse
  readonly #pace: SocketPace

  constructor(response: ServerResponse, pace: SocketPace) {
    this.#response = response
    this.#pace = pace
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
