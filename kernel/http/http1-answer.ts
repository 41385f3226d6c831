import type { ServerResponse } from 'node:http'
import type { SharedChunk } from '../contracts/exchange.js'
import { AnswerStream, type StreamHost } from './answer-stream.js'
import { ChunkedBody } from './chunked-body.js'

/** What a socket holds it copies when it encrypts. */
export const pieceBytes = 128 * 1024

/** Beside the response, which is Node's: it has no room for fields of ours. */
const answers = new WeakMap<ServerResponse, Http1Answer>()

/** The stream over which an answer goes out, unless it went out in one piece. */
export const answerOf = (response: ServerResponse): Http1Answer | undefined => answers.get(response)

/** An answer over HTTP/1.1, of which the client knows the length or which goes out in chunks. */
export class Http1Answer extends AnswerStream {
  readonly #response: ServerResponse

  constructor(response: ServerResponse, host: StreamHost, isEndless: boolean) {
    // Watches write what they share as chunks already.
    super(isEndless ? response : ChunkedBody.of(response, pieceBytes), pieceBytes, host, isEndless)
    this.#response = response
    answers.set(response, this)
  }

  writeShared(chunk: SharedChunk): void {
    const { socket, chunkedEncoding } = this.#response
    // One buffer past the response is one TLS record; through it, the same chunk would be three of them.
    if (socket && chunkedEncoding && this.isFlowing) socket.write(chunk.chunked)
    else this.write(chunk.bytes)
  }
}
