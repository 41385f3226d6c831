import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PeerCertificate, TLSSocket } from 'node:tls'
import { badRequest, tooLarge } from 'orch/sdk'
import type { Exchange, Headers, ResponseStream } from './exchange.js'

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
  get isAnswered(): boolean {
    return this.#response.headersSent
  }

  peerCertificate(): PeerCertificate | undefined {
    const socket = this.#request.socket as TLSSocket
    if (typeof socket.getPeerCertificate !== 'function') return undefined
    const certificate = socket.getPeerCertificate(false)
    return certificate && Object.keys(certificate).length > 0 ? certificate : undefined
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
      request.on('aborted', () => reject(badRequest('the request body ended early')))
      request.on('error', () => reject(badRequest('the request body could not be read')))
    })
  }

  addHeader(name: string, value: string): void {
    this.#response.appendHeader(name, value)
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

class HttpResponseStream implements ResponseStream {
  readonly #response: ServerResponse
  constructor(response: ServerResponse) {
    this.#response = response
  }
  write(chunk: Buffer): boolean {
    return this.#response.write(chunk)
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
