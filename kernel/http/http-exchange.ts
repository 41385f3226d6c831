import type { X509Certificate } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import { ApiError, badRequest, tooLarge, tooManyRequests } from 'orch/sdk'
import type { Exchange, Headers, ResponseStream } from '../contracts/exchange.js'
import type { AnswerStream, StreamHost } from './answer-stream.js'
import { AnswerTurns } from './answer-turns.js'
import { acceptsGzip, CompressedStream, type Compression } from './compressed-stream.js'

/** What an exchange needs of the server that it belongs to. */
export interface ExchangeHost extends StreamHost {
  /** Is there memory left for an answer of so many bytes? */
  hasRoomFor(bytes: number): boolean
  readonly compression: Compression
}
const alone: ExchangeHost = {
  queuedBytes: 0,
  turns: new AnswerTurns(),
  hasRoomFor: () => true,
  compression: { fromBytes: 0, atOnce: 0, count: 0 },
}

/** An exchange with a client outside: what all versions of HTTP have in common. */
export abstract class HttpExchange implements Exchange {
  abstract readonly method: string
  abstract readonly url: string
  abstract readonly headers: IncomingHttpHeaders
  abstract readonly remoteAddress: string
  readonly trustedUser = undefined
  readonly #host: ExchangeHost
  #stream: AnswerStream | undefined
  /** Bytes kept for an answer that has not begun. */
  #heldBytes = 0
  #isBodyPassedOn = false
  /** Headers beside those of the answer itself. */
  #added: Record<string, string | string[]> | undefined
  /** Stops whoever waits for the body. */
  #giveUpBody: ((why: Error) => void) | undefined

  constructor(host: ExchangeHost = alone) {
    this.#host = host
  }

  /** Where the body comes from. */
  protected abstract readonly body: Readable
  protected abstract readonly isBodyComplete: boolean
  /** Where the answer goes to. */
  protected abstract readonly out: Writable
  /** Answers of more bytes go out at the pace of their reader. */
  protected abstract readonly largeBytes: number
  abstract readonly status: number
  abstract clientCertificates(): readonly X509Certificate[]
  /** Every value of a header as it came: bytes, read as Latin-1. */
  protected abstract rawHeaderValues(name: string): readonly string[]
  protected abstract writeHead(status: number, headers: Record<string, string>): void
  /** Writes a body that is all there, and ends the answer. */
  protected abstract endWith(body: Buffer | string): void
  /** The head is written: what comes goes out over this. */
  protected abstract open(host: StreamHost, isEndless: boolean): AnswerStream
  /** The client is to send no more of its body: nobody will read it. */
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
    // Made when needed: an error with its stack costs more than reading the body.
    const refusal = () => tooLarge(`Request entity too large: limit is ${limitBytes}`)
    const refuse = () => {
      this.refuseBody()
      return refusal()
    }
    // A body that is only somewhat too large is read to its end: a client that still sends would not see our answer.
    const patienceBytes = limitBytes * 4
    if (Number(this.headers['content-length'] ?? 0) > patienceBytes) return Promise.reject(refuse())
    // The client may have left while somebody was asked who it is: nothing more would ever be heard of it.
    if (body.destroyed) return Promise.reject(endedEarly())
    return new Promise((resolve, reject) => {
      this.#giveUpBody = reject
      const chunks: Buffer[] = []
      let size = 0
      body.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size <= limitBytes) chunks.push(chunk)
        else chunks.length = 0
        if (size <= patienceBytes) return
        body.removeAllListeners('data')
        body.resume()
        reject(refuse())
      })
      body.on('end', () => {
        this.#giveUpBody = undefined
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
    this.#isBodyPassedOn = true
    return this.body
  }

  setHeader(name: string, values: readonly string[]): void {
    this.#added ??= {}
    this.#added[name] = values.length === 1 ? asBytes(values[0]!) : values.map(asBytes)
  }
  /** Not told to Node before: it takes the way of one header after the other then, which costs as much as a small answer. */
  protected allHeaders(headers: Headers): Record<string, string> {
    return (this.#added ? Object.assign(headers, this.#added) : headers) as Record<string, string>
  }

  send(status: number, headers: Headers, body: Buffer | string): void {
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
    const isLarge = length > this.largeBytes && this.method !== 'HEAD'
    if (this.#heldBytes > 0) this.#letGo()
    if (isLarge) this.#refuseWithoutRoom(length)
    if (this.#isCompressed(status, headers, length)) return this.#sendCompressed(status, headers, body)
    headers['Content-Length'] = length
    if (this.#isBodyUnread) this.#stopReading()
    this.writeHead(status, this.allHeaders(headers))
    if (isLarge) this.#sendAtPace(typeof body === 'string' ? Buffer.from(body) : body)
    else this.endWith(this.method === 'HEAD' ? '' : body)
  }

  stream(status: number, headers: Headers, isEndless = false): ResponseStream {
    this.#letGo()
    if (!isEndless) this.#refuseWithoutRoom(this.largeBytes)
    // One whose length is told must have that length.
    const mayCompress = !isEndless && headers['Content-Length'] === undefined
    const isCompressed = mayCompress && this.#isCompressed(status, headers, Number.POSITIVE_INFINITY)
    return this.#begin(status, headers, isEndless, isCompressed)
  }

  #begin(status: number, headers: Headers, isEndless: boolean, isCompressed: boolean): ResponseStream {
    if (this.#isBodyUnread) this.#stopReading()
    if (isCompressed) Object.assign(headers, { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' })
    this.writeHead(status, this.allHeaders(headers))
    this.#stream = this.open(this.#host, isEndless)
    return isCompressed ? new CompressedStream(this.#stream, this.#host, this.#host.compression) : this.#stream
  }

  /** Only what was read: clients do not expect it of the answer to a change. */
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
    const stream = this.#begin(status, headers, false, true)
    stream.write(typeof body === 'string' ? Buffer.from(body) : body)
    stream.end()
  }

  hold(bytes: number): boolean {
    if (this.out.destroyed || !this.#host.hasRoomFor(bytes)) return false
    if (this.#stream) this.#stream.hold(bytes)
    else {
      if (this.#heldBytes === 0) this.out.once('close', () => this.#letGo())
      this.#heldBytes += bytes
      this.#host.queuedBytes += bytes
    }
    return true
  }
  /** What was held goes out, or is of no use. */
  #letGo(): void {
    this.#host.queuedBytes -= this.#heldBytes
    this.#heldBytes = 0
  }

  #sendAtPace(body: Buffer): void {
    this.#stream = this.open(this.#host, false)
    this.#stream.write(body)
    this.#stream.end()
  }

  /** Who reads may come again; the answer to a write is sent, for it has happened. */
  #refuseWithoutRoom(bytes: number): void {
    if (this.method !== 'GET' || this.#host.hasRoomFor(bytes)) return
    throw tooManyRequests('Too many answers wait to be read, please try again later.', 1)
  }

  get #isBodyUnread(): boolean {
    return this.#giveUpBody !== undefined || (this.#isBodyPassedOn && !this.isBodyComplete)
  }
  /** The answer comes before the end of the body: nobody will read the rest, nor wait for it. */
  #stopReading(): void {
    if (!this.giveUpBody(endedEarly())) this.refuseBody()
  }
  /** Tells whoever waits for the body why it will not come. False when nobody does. */
  protected giveUpBody(why: Error): boolean {
    const giveUp = this.#giveUpBody
    if (!giveUp) return false
    this.#giveUpBody = undefined
    this.refuseBody()
    giveUp(why)
    return true
  }

  onClose(listener: () => void): void {
    if (this.out.destroyed) queueMicrotask(listener)
    else this.out.once('close', listener)
  }
}

const endedEarly = () => badRequest('the request body ended early')

/** Headers arrive as bytes, which node reads as Latin-1; what people put into them is UTF-8. */
const asUtf8 = (value: string) => (/^[\x00-\x7f]*$/.test(value) ? value : Buffer.from(value, 'latin1').toString('utf8'))

/** The other way round. */
const asBytes = (value: string) => (/[^\x00-\x7f]/.test(value) ? Buffer.from(value).toString('latin1') : value)
