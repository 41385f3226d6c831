import type { X509Certificate } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { constants, type ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { ApiError } from 'orch/sdk'
import type { AnswerStream, StreamHost } from './answer-stream.js'
import { certificatesOf } from './client-certificates.js'
import type { CutReason, Watched } from './connection.js'
import type { ConnectionLimits } from './connection-limits.js'
import { type ExchangeHost, HttpExchange } from './http-exchange.js'
import { Http2Answer, pieceBytes } from './http2-answer.js'
import { isOverdue, Transfer } from './transfer.js'

/** The head of a request as parsed by Node. */
export interface StreamHead {
  readonly headers: IncomingHttpHeaders & { ':method'?: string; ':path'?: string; ':authority'?: string }
  /** Names and values alternating, as received. */
  readonly rawHeaders: readonly string[]
}
/** The peer of the connection. */
export interface Peer {
  readonly socket: TLSSocket
  readonly remoteAddress: string
}

/** An exchange over an HTTP/2 stream. */
export class Http2Exchange extends HttpExchange implements Watched {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  protected readonly body: ServerHttp2Stream
  protected readonly out: ServerHttp2Stream
  protected readonly largeBytes = pieceBytes
  readonly #rawHeaders: readonly string[]
  readonly #peer: Peer
  #status = 0
  #answer: Http2Answer | undefined
  #answerBytes = 0
  #arrivedBytes = 0
  /** Created at the first check: most requests are finished before. */
  #transfer: Transfer | undefined
  #seenAt = 0
  #isCut = false
  /** Called when the response begins. */
  onAnswer: (() => void) | undefined

  constructor(stream: ServerHttp2Stream, { headers, rawHeaders }: StreamHead, peer: Peer, host: ExchangeHost) {
    super(host)
    this.body = stream
    this.out = stream
    this.method = headers[':method'] ?? 'GET'
    this.url = headers[':path'] ?? '/'
    this.#rawHeaders = rawHeaders
    this.#peer = peer
    this.headers = withoutPseudoHeaders(headers)
  }

  get remoteAddress(): string {
    return this.#peer.remoteAddress
  }
  get connection(): object {
    return this.#peer.socket
  }
  get status(): number {
    return this.#status
  }
  clientCertificates(): readonly X509Certificate[] {
    return certificatesOf(this.#peer.socket)
  }
  protected rawHeaderValues(name: string): readonly string[] {
    return this.#rawHeaders.filter((_, at) => at % 2 === 1 && this.#rawHeaders[at - 1] === name)
  }

  protected get isBodyComplete(): boolean {
    return this.body.endAfterHeaders || this.body.readableEnded
  }
  override readBody(limitBytes: number): Promise<Buffer> {
    const read = super.readBody(limitBytes)
    this.body.on('data', (chunk: Buffer) => {
      this.#arrivedBytes += chunk.length
    })
    return read
  }
  /** The stream is closed with NO_ERROR once the response is sent: the client need not send the rest. */
  protected refuseBody(): void {
    this.out.once('finish', () => this.out.close(constants.NGHTTP2_NO_ERROR))
  }

  protected writeHead(status: number, headers: Record<string, string>): void {
    this.#status = status
    this.onAnswer?.()
    if (this.out.destroyed || this.out.closed) return
    this.out.respond({ ...headers, ':status': status })
  }
  protected endWith(body: Buffer | string): void {
    this.#answerBytes = body.length
    // Node has ended streams that cannot have a body, and those that the client cancelled.
    if (!this.out.writableEnded) this.out.end(body)
  }
  protected open(host: StreamHost, isEndless: boolean): AnswerStream {
    this.#answer = new Http2Answer(this.out, host, isEndless)
    return this.#answer
  }

  /** Whether the client cancelled the request, other than by closing a watch. */
  get isCancelled(): boolean {
    if (this.#isCut || this.#answer?.isGivenUp || this.#answer?.isEndless) return false
    return !this.isAnswered || this.out.rstCode !== constants.NGHTTP2_NO_ERROR
  }

  get heldBytes(): number {
    return this.#transfer?.heldBytes ?? 0
  }
  get isBehind(): boolean {
    return this.#transfer?.isBehind ?? false
  }
  stalledForMs(now: number): number {
    return this.#transfer?.stalledForMs(now) ?? 0
  }

  check(now: number, limits: ConnectionLimits): CutReason | undefined {
    if (!this.#transfer) this.#seenAt = now
    this.#transfer ??= new Transfer()
    return this.#isSlowToSend(this.#transfer, now, limits)
      ? 'slow-body'
      : this.#checkReader(this.#transfer, now, limits)
  }
  #isSlowToSend(transfer: Transfer, now: number, limits: ConnectionLimits): boolean {
    if (this.isBodyComplete || this.body.readableFlowing !== true) {
      transfer.stopArriving()
      return false
    }
    return isOverdue(now - this.#seenAt, limits.requestMs) || transfer.isSlowToSend(now, this.#arrivedBytes, limits)
  }
  #checkReader(transfer: Transfer, now: number, limits: ConnectionLimits): CutReason | undefined {
    const heldBytes = this.out.writableLength
    const unread = {
      heldBytes,
      keptBytes: this.#answer?.keptBytes ?? 0,
      takenBytes: this.#answer?.takenBytes ?? this.#answerBytes - heldBytes,
      isEndless: this.#answer?.isEndless ?? false,
    }
    return transfer.checkReader(now, unread, limits)
  }

  cut(reason: CutReason): void {
    const isAnswerable = reason === 'slow-body' && !this.isAnswered
    if (isAnswerable && this.rejectBody(new ApiError(408, 'Timeout', 'the request body arrived too slowly'))) return
    this.#isCut = true
    this.#answer?.drop()
    this.out.close(constants.NGHTTP2_CANCEL)
  }
}

/** What remains are the headers that HTTP/1.1 has as well. The object belongs to this request, and Node no longer uses it. */
function withoutPseudoHeaders(headers: StreamHead['headers']): IncomingHttpHeaders {
  const plain: Record<string, unknown> & IncomingHttpHeaders = headers
  if (headers[':authority'] !== undefined) plain.host = headers[':authority']
  for (const name of [':method', ':path', ':scheme', ':authority']) delete plain[name]
  return plain
}
