import type { X509Certificate } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { ApiError, badRequest, tooLarge, tooManyRequests } from 'orch/sdk'
import type { Exchange, Headers, ResponseStream } from '../contracts/exchange.js'
import { AnswerStream, type StreamHost } from './answer-stream.js'
import { acceptsGzip, CompressedStream, type Compression } from './compressed-stream.js'
import { upgradeOf } from './upgrades.js'

/** What an exchange needs of the server that it belongs to. */
export interface ExchangeHost extends StreamHost {
  /** Is there memory left for an answer of so many bytes? */
  hasRoomFor(bytes: number): boolean
  readonly compression: Compression
}
const alone: ExchangeHost = {
  queuedBytes: 0,
  hasRoomFor: () => true,
  compression: { fromBytes: 0, atOnce: 0, count: 0 },
}

/** Larger answers go out at the pace of their reader. */
const largeBytes = 128 * 1024

/** An exchange over a socket. */
export class HttpExchange implements Exchange {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly trustedUser = undefined
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #host: ExchangeHost
  #stream: AnswerStream | undefined
  /** Bytes kept for an answer that has not begun. */
  #heldBytes = 0
  #isBodyPassedOn = false
  /** Headers beside those of the answer itself. */
  #added: Record<string, string | string[]> | undefined
  /** Stops whoever waits for the body. */
  #giveUpBody: ((why: Error) => void) | undefined

  constructor(request: IncomingMessage, response: ServerResponse, host: ExchangeHost = alone) {
    this.#request = request
    this.#response = response
    this.#host = host
    this.method = request.method ?? 'GET'
    this.url = request.url ?? '/'
    this.headers = request.headers
  }

  get remoteAddress(): string {
    return this.#request.socket.remoteAddress ?? ''
  }
  get status(): number {
    return this.#response.headersSent ? this.#response.statusCode : 0
  }
  get isAnswered(): boolean {
    return this.#response.headersSent
  }
  get stalledMs(): number {
    return this.#stream?.stalledMs ?? 0
  }

  clientCertificates(): readonly X509Certificate[] {
    return certificatesOf(this.#request.socket as TLSSocket)
  }
  headerValues(name: string): readonly string[] {
    if (this.headers[name] === undefined) return []
    return (this.#request.headersDistinct[name] ?? []).map(asUtf8)
  }

  readBody(limitBytes: number): Promise<Buffer> {
    const request = this.#request
    // Made when needed: an error with its stack costs more than reading the body.
    const refusal = () => tooLarge(`Request entity too large: limit is ${limitBytes}`)
    const refuse = () => {
      // Closing the connection is what tells a sender of a huge body to stop.
      this.#response.shouldKeepAlive = false
      return refusal()
    }
    // A body that is only somewhat too large is read to its end: a client that still sends would not see our answer.
    const patienceBytes = limitBytes * 4
    if (Number(request.headers['content-length'] ?? 0) > patienceBytes) return Promise.reject(refuse())
    // The client may have left while somebody was asked who it is: nothing more would ever be heard of it.
    if (request.destroyed) return Promise.reject(endedEarly())
    return new Promise((resolve, reject) => {
      this.#giveUpBody = reject
      const chunks: Buffer[] = []
      let size = 0
      request.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size <= limitBytes) chunks.push(chunk)
        else chunks.length = 0
        if (size <= patienceBytes) return
        request.removeAllListeners('data')
        request.resume()
        reject(refuse())
      })
      request.on('end', () => {
        this.#giveUpBody = undefined
        if (size > limitBytes) reject(refusal())
        else resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size))
      })
      request.on('aborted', () => reject(endedEarly()))
      request.on('error', error =>
        reject(error instanceof ApiError ? error : badRequest('the request body could not be read')),
      )
    })
  }

  bodyStream(): Readable {
    this.#isBodyPassedOn = true
    return this.#request
  }

  get canUpgrade(): boolean {
    return upgradeOf(this.#request) !== undefined
  }
  upgrade(headers: Headers): Duplex {
    const upgrade = upgradeOf(this.#request)
    if (!upgrade) throw new Error('the client did not ask for another protocol')
    return upgrade.accept(this.#response, this.#allHeaders(headers))
  }

  setHeader(name: string, values: readonly string[]): void {
    this.#added ??= {}
    this.#added[name] = values.length === 1 ? asBytes(values[0]!) : values.map(asBytes)
  }
  /** Not told to Node before: it takes the way of one header after the other then, which costs as much as a small answer. */
  #allHeaders(headers: Headers): Record<string, string> {
    return (this.#added ? Object.assign(headers, this.#added) : headers) as Record<string, string>
  }

  send(status: number, headers: Headers, body: Buffer | string): void {
    const response = this.#response
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
    const isLarge = length > largeBytes && this.method !== 'HEAD'
    if (this.#heldBytes > 0) this.#letGo()
    if (isLarge) this.#refuseWithoutRoom(length)
    if (this.#isCompressed(status, headers, length)) return this.#sendCompressed(status, headers, body)
    headers['Content-Length'] = length
    if (this.#isBodyUnread) this.#stopReading()
    response.writeHead(status, this.#allHeaders(headers))
    if (this.method === 'HEAD') response.end()
    else if (isLarge) this.#sendAtPace(typeof body === 'string' ? Buffer.from(body) : body)
    else response.end(body)
  }

  stream(status: number, headers: Headers, isEndless = false): ResponseStream {
    this.#letGo()
    if (!isEndless) this.#refuseWithoutRoom(largeBytes)
    // One whose length is told must have that length.
    const mayCompress = !isEndless && headers['Content-Length'] === undefined
    const isCompressed = mayCompress && this.#isCompressed(status, headers, Number.POSITIVE_INFINITY)
    return this.#begin(status, headers, isEndless, isCompressed)
  }

  #begin(status: number, headers: Headers, isEndless: boolean, isCompressed: boolean): ResponseStream {
    if (this.#isBodyUnread) this.#stopReading()
    if (isCompressed) Object.assign(headers, { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' })
    this.#response.writeHead(status, this.#allHeaders(headers))
    this.#response.flushHeaders()
    this.#stream = new AnswerStream(this.#response, this.#host, isEndless)
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
    if (this.#response.destroyed || !this.#host.hasRoomFor(bytes)) return false
    if (this.#stream) this.#stream.hold(bytes)
    else {
      if (this.#heldBytes === 0) this.#response.once('close', () => this.#letGo())
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
    this.#stream = new AnswerStream(this.#response, this.#host, false)
    this.#stream.write(body)
    this.#stream.end()
  }

  /** Who reads may come again; the answer to a write is sent, for it has happened. */
  #refuseWithoutRoom(bytes: number): void {
    if (this.method !== 'GET' || this.#host.hasRoomFor(bytes)) return
    throw tooManyRequests('Too many answers wait to be read, please try again later.', 1)
  }

  get #isBodyUnread(): boolean {
    return this.#giveUpBody !== undefined || (this.#isBodyPassedOn && !this.#request.complete)
  }
  /** The answer comes before the end of the body: nobody will read the rest, nor wait for it. */
  #stopReading(): void {
    this.#response.shouldKeepAlive = false
    this.#giveUpBody?.(endedEarly())
    this.#giveUpBody = undefined
  }

  onClose(listener: () => void): void {
    if (this.#response.destroyed) queueMicrotask(listener)
    else this.#response.once('close', listener)
  }
}

const endedEarly = () => badRequest('the request body ended early')

/** Beside the socket, which is Node's: it has no room for fields of ours. */
const presented = new WeakMap<TLSSocket, readonly X509Certificate[]>()
const nothing: readonly X509Certificate[] = []
/** Nobody needs a longer chain, and each link costs time to check. */
const longestChain = 8

/** Read once per connection: every reading parses the certificates anew. */
function certificatesOf(socket: TLSSocket): readonly X509Certificate[] {
  const known = presented.get(socket)
  if (known) return known
  const chain: X509Certificate[] = []
  let certificate = socket.getPeerX509Certificate?.()
  for (; certificate && chain.length < longestChain; certificate = certificate.issuerCertificate)
    chain.push(certificate)
  const found = chain.length === 0 ? nothing : chain
  presented.set(socket, found)
  return found
}

/** Headers arrive as bytes, which node reads as Latin-1; what people put into them is UTF-8. */
const asUtf8 = (value: string) => (/^[\x00-\x7f]*$/.test(value) ? value : Buffer.from(value, 'latin1').toString('utf8'))

/** The other way round. */
const asBytes = (value: string) => (/[^\x00-\x7f]/.test(value) ? Buffer.from(value).toString('latin1') : value)
