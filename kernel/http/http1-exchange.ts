import type { X509Certificate } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import type { Headers } from '../contracts/exchange.js'
import type { AnswerStream, StreamHost } from './answer-stream.js'
import { certificatesOf } from './client-certificates.js'
import { type ExchangeHost, HttpExchange } from './http-exchange.js'
import { Http1Answer, pieceBytes } from './http1-answer.js'
import { upgradeOf } from './upgrades.js'

/** Clients behind proxies send an absolute URL, perhaps with a password in it; only the path counts. */
const pathOf = (target: string): string =>
  target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*\/?/i, '/')

/** An exchange over HTTP/1.1. */
export class Http1Exchange extends HttpExchange {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly connection: object
  protected readonly body: IncomingMessage
  protected readonly out: ServerResponse
  protected readonly largeBytes = pieceBytes

  constructor(request: IncomingMessage, response: ServerResponse, host?: ExchangeHost) {
    super(host)
    this.body = request
    this.out = response
    this.method = request.method ?? 'GET'
    this.url = pathOf(request.url ?? '/')
    this.headers = request.headers
    this.connection = request.socket
  }

  get remoteAddress(): string {
    return this.body.socket.remoteAddress ?? ''
  }
  get status(): number {
    return this.out.headersSent ? this.out.statusCode : 0
  }
  clientCertificates(): readonly X509Certificate[] {
    return certificatesOf(this.body.socket as TLSSocket)
  }
  protected rawHeaderValues(name: string): readonly string[] {
    return this.body.headersDistinct[name] ?? []
  }
  protected get isBodyComplete(): boolean {
    return this.body.complete
  }

  protected writeHead(status: number, headers: Record<string, string>): void {
    this.out.writeHead(status, headers)
  }
  protected endWith(body: Buffer | string): void {
    this.out.end(body)
  }
  protected open(host: StreamHost, isEndless: boolean): AnswerStream {
    // A watch may be silent for a long time.
    if (isEndless) this.out.flushHeaders()
    return new Http1Answer(this.out, host, isEndless)
  }
  /** Only closing the connection stops a client that sends a huge body. */
  protected refuseBody(): void {
    this.out.shouldKeepAlive = false
  }

  get canUpgrade(): boolean {
    return upgradeOf(this.body) !== undefined
  }
  upgrade(headers: Headers): Duplex {
    const upgrade = upgradeOf(this.body)
    if (!upgrade) throw new Error('the client did not ask for another protocol')
    return upgrade.accept(this.out, this.allHeaders(headers))
  }
}
