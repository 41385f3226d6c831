import type { X509Certificate } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import type { UserInfo } from 'orch/sdk'

export type HeaderValue = string | number | readonly string[]
export type Headers = Record<string, HeaderValue>

/**
 * One request and its response, whatever the transport: a socket, or a caller in this process.
 * Everything past kernel/http works on this and knows no sockets.
 */
export interface Exchange {
  readonly method: string
  /** Path with query, as it arrived. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly remoteAddress: string
  /** The connection that it arrived on, the same for all requests on it; undefined for a caller in this process. */
  readonly connection?: object | undefined
  /** Who the caller is, when the transport knows (a caller in this process). */
  readonly trustedUser: UserInfo | undefined
  /** The client's certificate chain, leaf first. One list per connection. */
  clientCertificates(): readonly X509Certificate[]
  /** Every value of a header, given in lower case, in the order sent; neither joined nor split. */
  headerValues(name: string): readonly string[]
  /** The whole body. Rejects with a 413 ApiError beyond `limitBytes`. */
  readBody(limitBytes: number): Promise<Buffer>
  /** The body as a stream, for forwarding it. Use either this or `readBody`. */
  bodyStream(): Readable
  /** Sets a header of the response, one line for each value, whatever the response will be. */
  setHeader(name: string, values: readonly string[]): void
  /** A complete answer. */
  send(status: number, headers: Headers, body: Buffer | string): void
  /** Starts a response of unknown length; `isEndless` for one that does not end by itself, such as a watch. */
  stream(status: number, headers: Headers, isEndless?: boolean): ResponseStream
  /** Accounts for bytes of the response that are buffered in memory. False when memory is short: buffer no more. */
  hold(bytes: number): boolean
  /** How long the response has waited for the client to read; 0 while it is being read. */
  readonly stalledMs: number
  readonly isAnswered: boolean
  /** The status code of the answer; 0 while there is none. */
  readonly status: number
  /** Whether the client asked to upgrade the connection and that is possible. */
  readonly canUpgrade?: boolean
  /** Answers 101 and hands over the raw connection. */
  upgrade?(headers: Headers): Duplex
  /** Called once, when the client disconnects or the response is complete. */
  onClose(listener: () => void): void
}

/** An answer that is being written. */
export interface ResponseStream {
  /**
   * Returns false when the client is slow: wait for `drained()` before writing much more. `written` is called when the bytes are no
   * longer needed; never, if that is unknown.
   */
  write(chunk: Buffer, written?: () => void): boolean
  /** Writes bytes that go to many streams; their framing is computed once. */
  writeShared(chunk: SharedChunk): void
  drained(): Promise<void>
  /** Bytes accepted by `write` that the client has not received yet. */
  readonly bufferedBytes: number
  readonly isClosed: boolean
  end(): void
  /** Discards unsent bytes and closes the connection. */
  destroy(): void
  onClose(listener: () => void): void
}

/** Bytes for many receivers, with the framing of chunked HTTP made at most once. */
export class SharedChunk {
  #bytes: Buffer
  #chunked: Buffer | undefined
  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }
  get bytes(): Buffer {
    return this.#bytes
  }
  /** The bytes as one chunk of a chunked HTTP body. */
  get chunked(): Buffer {
    if (this.#chunked) return this.#chunked
    const head = Buffer.from(`${this.#bytes.length.toString(16)}\r\n`)
    const chunked = Buffer.concat([head, this.#bytes, chunkEnd])
    this.#chunked = chunked
    // From now on a part of the chunk, so that only one copy stays in memory.
    this.#bytes = chunked.subarray(head.length, chunked.length - chunkEnd.length)
    return chunked
  }
}
const chunkEnd = Buffer.from('\r\n')
