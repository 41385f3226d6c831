import type { X509Certificate } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import type { UserInfo } from 'orch/sdk'

export type HeaderValue = string | number | readonly string[]
export type Headers = Record<string, HeaderValue>

/**
 * One request and the place for its answer, whatever carries it: a socket, or a caller in this process.
 * Everything past kernel/http works on this and knows no sockets.
 */
export interface Exchange {
  readonly method: string
  /** Path with query, as it arrived. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly remoteAddress: string
  /** Who the caller is, when the carrier vouches for it (a caller in this process). */
  readonly trustedUser: UserInfo | undefined
  /** What the client presented in the handshake: its certificate, then intermediates. One list per connection. */
  clientCertificates(): readonly X509Certificate[]
  /** Every value of a header, given in lower case, in the order sent; neither joined nor split. */
  headerValues(name: string): readonly string[]
  /** The whole body. Rejects with a 413 ApiError beyond `limitBytes`. */
  readBody(limitBytes: number): Promise<Buffer>
  /** The body as it comes, for whoever passes it on. Instead of `readBody`. */
  bodyStream(): Readable
  /** A header, of one line for each value, that goes with whatever answer comes. */
  setHeader(name: string, values: readonly string[]): void
  /** A complete answer. */
  send(status: number, headers: Headers, body: Buffer | string): void
  /** The beginning of an answer of unknown length; `isEndless` if it has no end of its own, as a watch. */
  stream(status: number, headers: Headers, isEndless?: boolean): ResponseStream
  /** Notes that so many bytes of the answer are kept in memory. False when it is short of that: keep no more. */
  hold(bytes: number): boolean
  /** How long the answer has waited for its reader; 0 while it is read. */
  readonly stalledMs: number
  readonly isAnswered: boolean
  /** The status code of the answer; 0 while there is none. */
  readonly status: number
  /** Did the client ask for another protocol on its connection, and can it have it? */
  readonly canUpgrade?: boolean
  /** Answers 101; from then on the connection carries whatever both sides want. */
  upgrade?(headers: Headers): Duplex
  /** Called once when the client went away or the answer is complete. */
  onClose(listener: () => void): void
}

/** An answer that is being written. */
export interface ResponseStream {
  /**
   * Returns false when the receiver is slow: wait for `drained()` before writing much more. `written` is called when nothing reads
   * the bytes any more; never, if that cannot be told.
   */
  write(chunk: Buffer, written?: () => void): boolean
  /** Writes bytes that go to many streams: what a stream must add to them is made once for all. */
  writeShared(chunk: SharedChunk): void
  drained(): Promise<void>
  /** Bytes accepted by `write` that the receiver has not taken yet. */
  readonly bufferedBytes: number
  readonly isClosed: boolean
  end(): void
  /** Drops what is unsent and breaks the connection. */
  destroy(): void
  onClose(listener: () => void): void
}

/** Bytes for many receivers, with the framing of chunked HTTP made at most once. */
export class SharedChunk {
  readonly bytes: Buffer
  #chunked: Buffer | undefined
  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
  /** The bytes as one chunk of a chunked HTTP body. */
  get chunked(): Buffer {
    this.#chunked ??= Buffer.concat([Buffer.from(`${this.bytes.length.toString(16)}\r\n`), this.bytes, chunkEnd])
    return this.#chunked
  }
}
const chunkEnd = Buffer.from('\r\n')
