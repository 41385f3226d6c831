import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { ShortLivedEntries } from 'orch/sdk/host'
import type { Connection, CutReason, Interruption, Watched } from './connection.js'
import type { ConnectionLimits } from './connection-limits.js'
import type { Http2Exchange, Peer } from './http2-exchange.js'
import { isOverdue } from './transfer.js'

/** What a connection reports to `Connections`. */
interface Keeper {
  /** Its first request arrived. */
  used(): void
  /** Its client cancels more requests than it may. */
  resetsTooMuch(): void
  /** It ended during a request. */
  interrupted(cause: Interruption): void
}

/** How long a client has to close after GOAWAY. */
const lingerMs = 1000
/** Streams that arrive meanwhile are still served: a first GOAWAY tells clients to open no more before any is refused. */
const anyStream = 2 ** 31 - 1

/** An HTTP/2 connection: concurrent requests, each checked by itself. */
export class Http2Connection implements Connection, Peer {
  readonly #session: ServerHttp2Session
  readonly socket: TLSSocket
  readonly remoteAddress: string
  readonly #openedAt: number
  readonly #limits: ConnectionLimits
  readonly #keeper: Keeper
  readonly #exchanges = new ShortLivedEntries<Http2Exchange>()
  /** Requests that the client cancelled while they are still being processed, and since when. */
  readonly #takenBack = new Map<Http2Exchange, number>()
  readonly #patience: Allowance
  #endsBy: Interruption | undefined
  #isInterrupted = false
  #idleSince: number | undefined
  #now: number
  isUsed = false
  readonly heldBytes = 0
  /** Node bounds the heads of a session by itself. */
  readonly headBytes = 0
  readonly isBehind = false

  constructor(session: ServerHttp2Session, socket: TLSSocket, now: number, limits: ConnectionLimits, keeper: Keeper) {
    this.#session = session
    this.socket = socket
    this.remoteAddress = socket.remoteAddress ?? ''
    this.#openedAt = now
    this.#now = now
    this.#limits = limits
    this.#keeper = keeper
    this.#patience = new Allowance(limits.resetsPerMinute)
    // They cost work without a request.
    session.on('ping', () => this.#tryPatience())
    session.on('remoteSettings', () => this.#tryPatience())
    session.on('error', error => this.endsBy(isOfSocket(error) ? 'client' : 'invalid-request'))
    // After the end of a session the socket is ours to close.
    socket.on('error', () => {})
  }

  /** Is there room for another stream? Not while too many requests are processed, even cancelled ones. */
  admits(stream: ServerHttp2Stream): boolean {
    if (!this.isUsed) this.#keeper.used()
    this.isUsed = true
    if (stream.destroyed || stream.closed) {
      this.#tryPatience()
      return false
    }
    if (this.#exchanges.size + this.#takenBack.size < this.#limits.streams) return true
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
    if (!exchange.isTakenBack) return
    if (this.#session.destroyed) return this.#interrupt()
    this.#tryPatience()
    if (exchange.isAnswered) return
    this.#takenBack.set(exchange, this.#now)
    exchange.onAnswer = () => this.#takenBack.delete(exchange)
  }
  #tryPatience(): void {
    if (!this.#patience.take()) this.#keeper.resetsTooMuch()
  }

  endsBy(cause: Interruption): void {
    this.#endsBy ??= cause
  }
  #interrupt(): void {
    if (!this.#isInterrupted) this.#keeper.interrupted(this.#endsBy ?? 'client')
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

  look(now: number, limits: ConnectionLimits): CutReason | undefined {
    this.#now = now
    for (const [exchange, since] of this.#takenBack)
      if (isOverdue(now - since, limits.requestMs)) this.#takenBack.delete(exchange)
    if (!this.isIdle) return undefined
    if (!this.isUsed) return isOverdue(now - this.#openedAt, limits.headersMs) ? 'idle' : undefined
    this.#idleSince ??= now
    return isOverdue(now - this.#idleSince, limits.idleMs) ? 'idle' : undefined
  }

  cut(reason: CutReason): void {
    this.endsBy('limit')
    if (reason === 'too-many-resets') this.#session.destroy(new Error(reason), constants.NGHTTP2_ENHANCE_YOUR_CALM)
    else this.#session.close()
    this.#leaveSoon()
  }

  closeAfterAnswer(): void {
    if (!this.#session.destroyed) this.#session.goaway(constants.NGHTTP2_NO_ERROR, anyStream)
  }
  /** Serves no new requests, and closes after the responses in flight. May be called repeatedly. */
  finish(): void {
    this.#session.close()
    if (this.isIdle) this.#leaveSoon()
  }

  #isLeaving = false
  #leaveSoon(): void {
    if (this.#isLeaving) return
    this.#isLeaving = true
    setTimeout(() => this.socket.destroy(), lingerMs).unref()
  }

  closed(): void {
    this.#takenBack.clear()
  }
}

/** Did the connection fail, rather than the protocol? */
const isOfSocket = ({ code }: NodeJS.ErrnoException): boolean => code === 'ECONNRESET' || code === 'EPIPE'

/** A budget per minute, all at once or spread; 0 is unlimited. */
class Allowance {
  readonly #perMinute: number
  #left: number
  #at = performance.now()

  constructor(perMinute: number) {
    this.#perMinute = perMinute
    this.#left = perMinute
  }

  /** False when it is used up. */
  take(): boolean {
    const now = performance.now()
    this.#left = Math.min(this.#perMinute, this.#left + ((now - this.#at) / 60_000) * this.#perMinute) - 1
    this.#at = now
    return this.#perMinute === 0 || this.#left >= 0
  }
}
