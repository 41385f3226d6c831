import type { X509Certificate } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { badRequest, tooLarge } from 'orch/sdk'
import type { Exchange, Headers, ResponseStream, SharedChunk } from './exchange.js'

/** An exchange over a socket. */
export class HttpExchange implements Exchange {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly trustedUser = undefined
  readonly #request: IncomingMessage
  readonly #response: ServerResponse

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request
    this.#response = response
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
        if (size > limitBytes) reject(refusal())
        else resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size))
      })
      request.on('aborted', () => reject(endedEarly()))
      request.on('error', () => reject(badRequest('the request body could not be read')))
    })
  }

  setHeader(name: string, values: readonly string[]): void {
    this.#response.setHeader(name, values.map(asBytes))
  }

  send(status: number, headers: Headers, body: Buffer | string): void {
    const response = this.#response
    headers['Content-Length'] = typeof body === 'string' ? Buffer.byteLength(body) : body.length
    response.writeHead(status, headers as Record<string, string>)
    if (this.method === 'HEAD') response.end()
    else response.end(body)
  }

  stream(status: number, headers: Headers): ResponseStream {
    this.#response.writeHead(status, headers as Record<string, string>)
    this.#response.flushHeaders()
    return new HttpResponseStream(this.#response)
  }

  onClose(listener: () => void): void {
    this.#response.once('close', listener)
  }
}

const endedEarly = () => badRequest('the request body ended early')

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
const asBytes = (value: string) => (/^[\x00-\x7f]*$/.test(value) ? value : Buffer.from(value).toString('latin1'))

class HttpResponseStream implements ResponseStream {
  readonly #response: ServerResponse
  constructor(response: ServerResponse) {
    this.#response = response
  }
  write(chunk: Buffer): boolean {
    return this.#response.write(chunk)
  }
  writeShared(chunk: SharedChunk): void {
    const { socket, chunkedEncoding } = this.#response
    // One buffer past the response is one TLS record; through it, the same chunk would be three of them.
    if (socket && chunkedEncoding && !this.#response.writableEnded) socket.write(chunk.chunked)
    else this.#response.write(chunk.bytes)
  }
  get bufferedBytes(): number {
    return this.#response.writableLength
  }
  get isClosed(): boolean {
    return this.#response.destroyed || this.#response.writableEnded
  }
  drained(): Promise<void> {
    const response = this.#response
    if (!response.writableNeedDrain || response.destroyed) return Promise.resolve()
    return new Promise(resolve => {
      const done = () => {
        response.off('drain', done)
        response.off('close', done)
        resolve()
      }
      response.once('drain', done)
      response.once('close', done)
    })
  }
  end(): void {
    this.#response.end()
  }
  destroy(): void {
    this.#response.destroy()
  }
  onClose(listener: () => void): void {
    this.#response.once('close', listener)
  }
}
