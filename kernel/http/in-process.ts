import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { tooLarge, type UserInfo } from 'orch/sdk'
import type { Transport, TransportRequest, TransportResponse } from 'orch/sdk/client'
import type { Exchange, Headers, ResponseStream, SharedChunk } from '../contracts/exchange.js'

/** A transport directly into this server, acting as `user`: the same stages, no sockets, no credentials. */
export function inProcessTransport(user: UserInfo, handle: (exchange: Exchange) => void): Transport {
  return request =>
    new Promise<TransportResponse>((resolve, reject) => {
      if (request.signal?.aborted) return reject(request.signal.reason)
      handle(new InProcessExchange(request, user, resolve))
    })
}

/** How many bytes a caller in this process may leave unread before it counts as slow. */
const highWaterMarkBytes = 1 << 20

class InProcessExchange implements Exchange {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly remoteAddress = 'in-process'
  readonly trustedUser: UserInfo
  readonly #request: TransportRequest
  readonly #resolve: (response: TransportResponse) => void
  readonly #added: Record<string, string[]> = {}
  readonly #body = new ByteQueue()
  #status = 0

  constructor(request: TransportRequest, user: UserInfo, resolve: (response: TransportResponse) => void) {
    this.#request = request
    this.#resolve = resolve
    this.trustedUser = user
    this.method = request.method
    this.url = request.path
    this.headers = Object.fromEntries(Object.entries(request.headers).map(([k, v]) => [k.toLowerCase(), v]))
    const abort = () => this.#body.close()
    request.signal?.addEventListener('abort', abort, { once: true })
    // A caller may use one signal for many requests: finished ones must be detached from it.
    this.#body.onClose(() => request.signal?.removeEventListener('abort', abort))
  }
  get isAnswered(): boolean {
    return this.#status !== 0
  }
  get status(): number {
    return this.#status
  }
  get stalledMs(): number {
    return this.#body.stalledMs
  }
  clientCertificates(): readonly [] {
    return []
  }
  headerValues(name: string): readonly string[] {
    const value = this.headers[name]
    return value === undefined ? [] : Array.isArray(value) ? value : [value]
  }
  async readBody(limitBytes: number): Promise<Buffer> {
    const { body } = this.#request
    const bytes = body === undefined ? Buffer.alloc(0) : typeof body === 'string' ? Buffer.from(body) : body
    if (bytes.length > limitBytes) throw tooLarge(`Request entity too large: limit is ${limitBytes}`)
    return bytes
  }
  bodyStream(): Readable {
    const { body } = this.#request
    return Readable.from(body === undefined ? [] : [typeof body === 'string' ? Buffer.from(body) : body])
  }
  setHeader(name: string, values: readonly string[]): void {
    this.#added[name.toLowerCase()] = [...values]
  }
  send(status: number, headers: Headers, body: Buffer | string): void {
    this.#answer(status, headers)
    this.#body.push(typeof body === 'string' ? Buffer.from(body) : body)
    this.#body.close()
  }
  stream(status: number, headers: Headers): ResponseStream {
    this.#answer(status, headers)
    return this.#body
  }
  hold(): boolean {
    return true
  }
  onClose(listener: () => void): void {
    this.#body.onClose(listener)
  }
  #answer(status: number, headers: Headers): void {
    this.#status = status
    const lower: Record<string, string | string[]> = { ...this.#added }
    for (const [name, value] of Object.entries(headers)) {
      lower[name.toLowerCase()] = Array.isArray(value) ? [...value] : String(value)
    }
    this.#resolve({ status, headers: lower, body: this.#body })
  }
}

/** Bytes passed from the server to a reader in this process. */
class ByteQueue implements ResponseStream, AsyncIterable<Buffer> {
  readonly #chunks: Buffer[] = []
  readonly #listeners: (() => void)[] = []
  #wakeReader: (() => void) | undefined
  #wakeWriters: (() => void)[] = []
  #isClosed = false
  #waitsSince: number | undefined
  bufferedBytes = 0

  get isClosed(): boolean {
    return this.#isClosed
  }
  get stalledMs(): number {
    return this.#waitsSince === undefined ? 0 : performance.now() - this.#waitsSince
  }
  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.bufferedBytes += chunk.length
    this.#wakeReader?.()
  }
  write(chunk: Buffer): boolean {
    if (!this.#isClosed) this.push(chunk)
    return this.bufferedBytes < highWaterMarkBytes
  }
  writeShared(chunk: SharedChunk): void {
    this.write(chunk.bytes)
  }
  drained(): Promise<void> {
    if (this.bufferedBytes < highWaterMarkBytes || this.#isClosed) return Promise.resolve()
    this.#waitsSince ??= performance.now()
    return new Promise(resolve => this.#wakeWriters.push(resolve))
  }
  end(): void {
    this.close()
  }
  destroy(): void {
    this.#chunks.length = 0
    this.close()
  }
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#wakeReader?.()
    this.#releaseWriters()
    for (const listener of this.#listeners) listener()
  }
  onClose(listener: () => void): void {
    if (this.#isClosed) queueMicrotask(listener)
    else this.#listeners.push(listener)
  }
  async *[Symbol.asyncIterator](): AsyncIterator<Buffer> {
    try {
      for (;;) {
        const chunk = this.#chunks.shift()
        if (chunk) {
          this.bufferedBytes -= chunk.length
          if (this.bufferedBytes < highWaterMarkBytes) this.#releaseWriters()
          yield chunk
        } else if (this.#isClosed) return
        else {
          await new Promise<void>(resolve => {
            this.#wakeReader = resolve
          })
          this.#wakeReader = undefined
        }
      }
    } finally {
      this.close()
    }
  }
  #releaseWriters(): void {
    const waiting = this.#wakeWriters
    this.#wakeWriters = []
    this.#waitsSince = undefined
    for (const wake of waiting) wake()
  }
}
