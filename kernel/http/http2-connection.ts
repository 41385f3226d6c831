import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { ShortLivedEntries } from 'orch/sdk/host'
import type { Connection, CutReason, Interruption, Watched } from './connection.js'
import type { ConnectionLimits } from './connection-limits.js'
import type { Http2Exchange, Peer } from './http2-exchange.js'
import { isOverdue } from './transfer.js'

/** What a connection reports to `Connections`. */
interface ConnectionEvents {
  /** Its first request arrived. */
  used(): void
  /** Its client cancels more requests than allowed. */
  tooManyResets(): void
  /** It ended during a request. */
  interrupted(cause: Interruption): void
}

/** How long a client has to close after GOAWAY. */
const lingerMs = 1000
/**
 * Streams that arrive meanwhile are still served: a first GOAWAY tells clients to open no more before any is refused.
 */
const anyStream = 2 ** 31 - 1

/** An HTTP/2 connection: concurrent requests, each checked by itself. */
export class Http2Connection implements Connection, Peer {
  readonly #session: ServerHttp2Session
  readonly socket: TLSSocket
  readonly remoteAddress: string
  readonly #openedAt: number
  readonly #limits: ConnectionLimits
  readonly #events: ConnectionEvents
  readonly #exchanges = new ShortLivedEntries<Http2Exchange>()
  /** Requests that the client cancelled while they are still being processed, and since when. */
  readonly #cancelled = new Map<Http2Exchange, number>()
  readonly #allowance: Allowance
  #endsBy: Interruption | undefined
  #isInterrupted = false
  #idleSince: number | undefined
  #now: number
  isUsed = false
  readonly heldBytes = 0
  /** Node itself limits the heads of a session. */
  readonly headBytes = 0
  readonly isBehind = false

  constructor(
    session: ServerHttp2Session,
    socket: TLSSocket,
    now: number,
    limits: ConnectionLimits,
    events: ConnectionEvents,
  ) {
    this.#session = session
    this.socket = socket
    this.remoteAddress = socket.remoteAddress ?? ''
    this.#openedAt = now
    this.#now = now
    this.#limits = limits
    this.#events = events
    this.#allowance = new Allowance(limits.resetsPerMinute)
    // These frames cause work without a request.
    session.on('ping', () => this.#countReset())
    session.on('remoteSettings', () => this.#countReset())
    session.on('error', error => this.endsBy(isSocketError(error) ? 'client' : 'invalid-request'))
    // After the end of a session the socket is ours to close.
    socket.on('error', () => {})
  }

  /**
   * Whether there is room for another stream. There is none while too many requests are processed, including cancelled
   * ones.
   */
  admits(stream: ServerHttp2Stream): boolean {
    if (!this.isUsed) this.#events.used()
    this.isUsed = true
    if (stream.destroyed || stream.closed) {
      this.#countReset()
      return false
    }
    if (this.#exchanges.size + this.#cancelled.size < this.#limits.streams) return true
    stream.close(constants.NGHTTP2_REFUSED_STREAM)
    return false
  }
  begin(exchange: Http2Exchange): void {
    const number = this.#exchanges.add(exchange)
    exchange.onClose(() => this.#end(exchange, number))
  }
  #end(exchange: Http2Exchange, number: number): void {
    this.#exchanges.delete(number)
    this.#idleSince = undefined
    if (!exchange.isCancelled) return
    if (this.#session.destroyed) return this.#interrupt()
    this.#countReset()
    if (exchange.isAnswered) return
    this.#cancelled.set(exchange, this.#now)
    exchange.onAnswer = () => this.#cancelled.delete(exchange)
  }
  #countReset(): void {
    if (!this.#allowance.take()) this.#events.tooManyResets()
  }

  endsBy(cause: Interruption): void {
    this.#endsBy ??= cause
  }
  #interrupt(): void {
    if (!this.#isInterrupted) this.#events.interrupted(this.#endsBy ?? 'client')
    this.#isInterrupted = true
  }

  get isIdle(): boolean {
    return this.#exchanges.size === 0
  }
  get streams(): Iterable<Watched> {
    return this.#exchanges.values()
  }
  stalledForMs(): number {
    return 0
  }

  check(now: number, limits: ConnectionLimits): CutReason | undefined {
    this.#now = now
    for (const [exchange, since] of this.#cancelled)
      if (isOverdue(now - since, limits.requestMs)) this.#cancelled.delete(exchange)
    if (!this.isIdle) return undefined
    if (!this.isUsed) return isOverdue(now - this.#openedAt, limits.headersMs) ? 'idle' : undefined
    this.#idleSince ??= now
    return isOverdue(now - this.#idleSince, limits.idleMs) ? 'idle' : undefined
  }

  cut(reason: CutReason): void {
    this.endsBy('limit')
    if (reason === 'too-many-resets') this.#session.destroy(new Error(reason), constants.NGHTTP2_ENHANCE_YOUR_CALM)
    else this.#session.close()
    this.#closeSoon()
  }

  closeAfterAnswer(): void {
    if (!this.#session.destroyed) this.#session.goaway(constants.NGHTTP2_NO_ERROR, anyStream)
  }
  /** Serves no new requests, and closes after the responses in flight. May be called repeatedly. */
  finish(): void {
    this.#session.close()
    if (this.isIdle) this.#closeSoon()
  }

  #isClosing = false
  #closeSoon(): void {
    if (this.#isClosing) return
    this.#isClosing = true
    setTimeout(() => this.socket.destroy(), lingerMs).unref()
  }

  closed(): void {
    this.#cancelled.clear()
  }
}

/** Whether the connection failed, rather than the protocol. */
const isSocketError = ({ code }: NodeJS.ErrnoException): boolean => code === 'ECONNRESET' || code === 'EPIPE'

/** A budget per minute, which may be used at once or spread out; 0 is unlimited. */
class Allowance {
  readonly #perMinute: number
  #left: number
  #at = performance.now()

  constructor(perMinute: number) {
    this.#perMinute = perMinute
    this.#left = perMinute
  }

  /** Returns false when it is used up. */
  take(): boolean {
    const now = performance.now()
    this.#left = Math.min(this.#perMinute, this.#left + ((now - this.#at) / 60_000) * this.#perMinute) - 1
    this.#at = now
    return this.#perMinute === 0 || this.#left >= 0
  }
}
