import type { X509Certificate } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import { ApiError, badRequest, tooLarge, tooManyRequests } from 'orch/sdk'
import type { Exchange, Headers, ResponseStream } from '../contracts/exchange.js'
import { compressedForm } from '../contracts/kept-body.js'
import type { AnswerStream, StreamHost } from './answer-stream.js'
import { AnswerTurns } from './answer-turns.js'
import { acceptsGzip, CompressedStream, type Compression } from './compressed-stream.js'

/** The part of the server that an exchange uses. */
export interface ExchangeHost extends StreamHost {
  /** Whether there is memory for a response of this size. */
  hasRoomFor(bytes: number): boolean
  readonly compression: Compression
}
const noHost: ExchangeHost = {
  queuedBytes: 0,
  turns: new AnswerTurns(),
  hasRoomFor: () => true,
  compression: { fromBytes: 0, atOnce: 0, count: 0 },
}

/** An exchange over the network: what all versions of HTTP have in common. */
export abstract class HttpExchange implements Exchange {
  abstract readonly method: string
  abstract readonly url: string
  abstract readonly headers: IncomingHttpHeaders
  abstract readonly remoteAddress: string
  readonly trustedUser = undefined
  readonly #host: ExchangeHost
  #stream: AnswerStream | undefined
  /** Bytes held for a response that has not begun. */
  #heldBytes = 0
  #isBodyForwarded = false
  /** Headers besides those of the response itself. */
  #added: Record<string, string | string[]> | undefined
  /** Rejects the pending `readBody`. */
  #rejectBody: ((why: Error) => void) | undefined

  constructor(host: ExchangeHost = noHost) {
    this.#host = host
  }

  /** The source of the request body. */
  protected abstract readonly body: Readable
  protected abstract readonly isBodyComplete: boolean
  /** The destination of the response. */
  protected abstract readonly out: Writable
  /** Larger responses are sent at the client's pace. */
  protected abstract readonly largeBytes: number
  abstract readonly status: number
  abstract clientCertificates(): readonly X509Certificate[]
  /** Every value of a header as received: bytes, decoded as Latin-1. */
  protected abstract rawHeaderValues(name: string): readonly string[]
  protected abstract writeHead(status: number, headers: Record<string, string>): void
  /** Writes a complete body, and ends the response. */
  protected abstract endWith(body: Buffer | string): void
  /** Called after the head is written: returns the stream for the body. */
  protected abstract open(host: StreamHost, isEndless: boolean): AnswerStream
  /** Stops the client from sending more of its body: it will not be read. */
  protected abstract refuseBody(): void

  get isAnswered(): boolean {
    return this.status !== 0
  }
  get stalledMs(): number {
    return this.#stream?.stalledMs ?? 0
  }
  headerValues(name: string): readonly string[] {
    return this.headers[name] === undefined ? [] : this.rawHeaderValues(name).map(asUtf8)
  }

  readBody(limitBytes: number): Promise<Buffer> {
    const { body } = this
    // Created when needed: an error with its stack costs more than reading the body.
    const refusal = () => tooLarge(`Request entity too large: limit is ${limitBytes}`)
    const refuse = () => {
      this.refuseBody()
      return refusal()
    }
    // A body that is only somewhat too large is read to its end: a client that is still sending would not see the response.
    const drainBytes = limitBytes * 4
    if (Number(this.headers['content-length'] ?? 0) > drainBytes) return Promise.reject(refuse())
    // The client may have disconnected during authentication: no event would follow.
    if (body.destroyed) return Promise.reject(endedEarly())
    return new Promise((resolve, reject) => {
      this.#rejectBody = reject
      const chunks: Buffer[] = []
      let size = 0
      body.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size <= limitBytes) chunks.push(chunk)
        else chunks.length = 0
        if (size <= drainBytes) return
        body.removeAllListeners('data')
        body.resume()
        reject(refuse())
      })
      body.on('end', () => {
        this.#rejectBody = undefined
        if (size > limitBytes) reject(refusal())
        else resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size))
      })
      body.on('aborted', () => reject(endedEarly()))
      body.on('error', error =>
        reject(error instanceof ApiError ? error : badRequest('the request body could not be read')),
      )
    })
  }

  bodyStream(): Readable {
    this.#isBodyForwarded = true
    return this.body
  }

  setHeader(name: string, values: readonly string[]): void {
    this.#added ??= {}
    this.#added[name] = values.length === 1 ? asBytes(values[0]!) : values.map(asBytes)
  }
  /** Passed to Node together: setting headers one by one costs as much as a small response. */
  protected allHeaders(headers: Headers): Record<string, string> {
    return (this.#added ? Object.assign(headers, this.#added) : headers) as Record<string, string>
  }

  send(status: number, headers: Headers, body: Buffer | string): void {
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
    const isLarge = length > this.largeBytes && this.method !== 'HEAD'
    if (this.#heldBytes > 0) this.#releaseHeld()
    if (isLarge) this.#refuseWithoutRoom(length)
    if (this.#isCompressed(status, headers, length)) return this.#sendCompressed(status, headers, body)
    headers['Content-Length'] = length
    if (this.#isBodyUnread) this.#stopReading()
    this.writeHead(status, this.allHeaders(headers))
    if (isLarge) this.#sendAtPace(typeof body === 'string' ? Buffer.from(body) : body)
    else this.endWith(this.method === 'HEAD' ? '' : body)
  }

  stream(status: number, headers: Headers, isEndless = false): ResponseStream {
    this.#releaseHeld()
    if (!isEndless) this.#refuseWithoutRoom(this.largeBytes)
    // A response with a Content-Length must have that length.
    const mayCompress = !isEndless && headers['Content-Length'] === undefined
    const isCompressed = mayCompress && this.#isCompressed(status, headers, Number.POSITIVE_INFINITY)
    return this.#begin(status, headers, isEndless, isCompressed)
  }

  #begin(status: number, headers: Headers, isEndless: boolean, isCompressed: boolean): ResponseStream {
    if (this.#isBodyUnread) this.#stopReading()
    this.writeHead(status, this.allHeaders(isCompressed ? asCompressed(headers) : headers))
    this.#stream = this.open(this.#host, isEndless)
    return isCompressed ? new CompressedStream(this.#stream, this.#host, this.#host.compression) : this.#stream
  }

  /** Only reads: clients do not expect a compressed response to a write. */
  #isCompressed(status: number, headers: Headers, bytes: number): boolean {
    const { fromBytes, atOnce, count } = this.#host.compression
    return (
      fromBytes > 0 &&
      bytes >= fromBytes &&
      count < atOnce &&
      status === 200 &&
      this.method === 'GET' &&
      headers['Content-Encoding'] === undefined &&
      acceptsGzip(this.headers['accept-encoding'])
    )
  }
  #sendCompressed(status: number, headers: Headers, body: Buffer | string): void {
    const kept = compressedForm(body)
    if (kept) return this.send(status, asCompressed(headers), kept)
    const stream = this.#begin(status, headers, false, true)
    stream.write(typeof body === 'string' ? Buffer.from(body) : body)
    stream.end()
  }

  hold(bytes: number): boolean {
    if (this.out.destroyed || !this.#host.hasRoomFor(bytes)) return false
    if (this.#stream) this.#stream.hold(bytes)
    else {
      if (this.#heldBytes === 0) this.out.once('close', () => this.#releaseHeld())
      this.#heldBytes += bytes
      this.#host.queuedBytes += bytes
    }
    return true
  }
  /** The held bytes are being sent, or are no longer needed. */
  #releaseHeld(): void {
    this.#host.queuedBytes -= this.#heldBytes
    this.#heldBytes = 0
  }

  #sendAtPace(body: Buffer): void {
    this.#stream = this.open(this.#host, false)
    this.#stream.write(body)
    this.#stream.end()
  }

  /** A read can be repeated; the response to a write is always sent, because the write has happened. */
  #refuseWithoutRoom(bytes: number): void {
    if (this.method !== 'GET' || this.#host.hasRoomFor(bytes)) return
    throw tooManyRequests('Too many responses are waiting to be read, please try again later.', 1)
  }

  get #isBodyUnread(): boolean {
    return this.#rejectBody !== undefined || (this.#isBodyForwarded && !this.isBodyComplete)
  }
  /** The response begins before the end of the body: the rest is not read. */
  #stopReading(): void {
    if (!this.rejectBody(endedEarly())) this.refuseBody()
  }
  /** Rejects the pending `readBody` with this error. False when there is none. */
  protected rejectBody(why: Error): boolean {
    const reject = this.#rejectBody
    if (!reject) return false
    this.#rejectBody = undefined
    this.refuseBody()
    reject(why)
    return true
  }

  onClose(listener: () => void): void {
    if (this.out.destroyed) queueMicrotask(listener)
    else this.out.once('close', listener)
  }
}

/** Keeps the Vary header of a response that depends on other headers as well. */
const asCompressed = (headers: Headers): Headers =>
  Object.assign(headers, {
    'Content-Encoding': 'gzip',
    Vary: headers['Vary'] === undefined ? 'Accept-Encoding' : `${headers['Vary']}, Accept-Encoding`,
  })

const endedEarly = () => badRequest('the request body ended early')

/** Node decodes the bytes of headers as Latin-1, but clients send UTF-8. */
const asUtf8 = (value: string) => (/^[\x00-\x7f]*$/.test(value) ? value : Buffer.from(value, 'latin1').toString('utf8'))

/** The reverse of `asUtf8`. */
const asBytes = (value: string) => (/[^\x00-\x7f]/.test(value) ? Buffer.from(value).toString('latin1') : value)
