import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from 'orch/sdk'
import { answerStreamOf } from './answer-stream.js'
import type { ConnectionLimits } from './connection-limits.js'

/** What connections are refused or cut off for. */
export type CutReason =
  | 'too-many'
  | 'too-many-of-address'
  | 'too-many-waiting'
  | 'room-for-others'
  | 'slow-handshake'
  | 'slow-body'
  | 'slow-reader'
  | 'late-reader'
  | 'unsent-bytes'
  | 'idle'

/** Requests that a client may send before the answer to an earlier one: they wait for it. */
const maxWaiting = 64

interface Exchanged {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  serve(): void
}

/** One connection: what it is used for, and how fast its bytes move. */
export class Connection {
  readonly #accepted: Socket
  /** What HTTP is spoken over; undefined until the handshake is done. */
  #socket: Socket | undefined
  readonly #openedAt: number
  #request: IncomingMessage | undefined
  #response: ServerResponse | undefined
  /** Requests that came before the answer to an earlier one was sent. */
  #waiting: Exchanged[] = []
  readonly #arriving = new Pace()
  readonly #leaving = new Pace()
  #leavingSince: number | undefined
  /** Since when nothing was asked, and how many bytes had come by then. */
  #idleSince: number | undefined
  #bytesWhenIdle = 0
  /** Bytes of answers that its socket holds because the client has not taken them, as of the last look. */
  heldBytes = 0
  isUsed = false

  constructor(accepted: Socket, now: number) {
    this.#accepted = accepted
    this.#openedAt = now
  }

  /** Requests come over this socket from now on. */
  speak(socket: Socket): void {
    this.#socket = socket
  }

  /**
   * Serves a request, one at a time: otherwise a few bytes could ask for more answers at once than memory holds. False when too
   * many wait.
   */
  begin(exchanged: Exchanged): boolean {
    this.isUsed = true
    if (this.#response === undefined || (isOver(this.#response) && this.#waiting.length === 0)) this.#serve(exchanged)
    else if (this.#waiting.push(exchanged) === 1) this.#response.once('close', this.#serveNext)
    return this.#waiting.length <= maxWaiting
  }

  /** Nothing more is served after the answer that is due, unless it has begun and promised otherwise. */
  closeAfterAnswer(): void {
    if (this.#response && !this.#response.headersSent) this.#response.shouldKeepAlive = false
  }

  readonly #serveNext = (): void => {
    const next = this.#waiting.shift()
    // After an answer that says so, or a broken connection, nothing more is done.
    if (!next || !this.#socket?.writable) return
    this.#serve(next)
    if (this.#waiting.length > 0) next.response.once('close', this.#serveNext)
  }

  #serve({ request, response, serve }: Exchanged): void {
    this.#request = request
    this.#response = response
    this.#arriving.stop()
    this.#leavingSince = undefined
    this.#idleSince = undefined
    serve()
  }

  /** Is nothing being asked or answered? */
  get isIdle(): boolean {
    if (this.#response === undefined) return true
    return isOver(this.#response) && this.#waiting.length === 0 && (this.#request?.complete ?? true)
  }
  /** How long the client has taken nothing of what waits for it. */
  stalledMs(now: number): number {
    return this.#leavingSince === undefined ? 0 : now - this.#leaving.movedAt
  }
  /** Does anything wait for the client? */
  get isBehind(): boolean {
    return this.#leavingSince !== undefined
  }

  /** Notes how bytes moved since the last look, and tells what there is to object to. */
  look(now: number, limits: ConnectionLimits): CutReason | undefined {
    if (this.#socket === undefined) {
      return isOverdue(now - this.#openedAt, limits.handshakeMs) ? 'slow-handshake' : undefined
    }
    if (this.isIdle) {
      this.#rest()
      return this.#isLeft(this.#socket, now, limits) ? 'idle' : undefined
    }
    return this.#isSlowToSend(this.#socket, now, limits) ? 'slow-body' : this.#lookAtReader(this.#socket, now, limits)
  }

  /**
   * Has a connection been without a request for too long? Node would set a timer after every answer, which costs as much as
   * reading an object. What was never used, and heads that come slowly, Node gives up by itself.
   */
  #isLeft(socket: Socket, now: number, limits: ConnectionLimits): boolean {
    if (!this.isUsed) return false
    if (this.#idleSince === undefined || this.#bytesWhenIdle !== socket.bytesRead) {
      this.#idleSince = now
      this.#bytesWhenIdle = socket.bytesRead
    }
    return isOverdue(now - this.#idleSince, limits.idleMs)
  }

  /** What is over need not be kept: a request may hold megabytes. */
  #rest(): void {
    this.#request = undefined
    this.#response = undefined
    this.heldBytes = 0
    this.#leaving.stop()
    this.#leavingSince = undefined
  }

  #isSlowToSend(socket: Socket, now: number, limits: ConnectionLimits): boolean {
    const request = this.#request
    // Nobody is slow while we do not read.
    if (request === undefined || request.complete || request.readableFlowing !== true) {
      this.#arriving.stop()
      return false
    }
    return this.#arriving.isTooSlow(now, socket.bytesRead, limits)
  }

  #lookAtReader(socket: Socket, now: number, limits: ConnectionLimits): CutReason | undefined {
    const stream = this.#response && answerStreamOf(this.#response)
    const inSocket = socket.writableLength
    this.heldBytes = inSocket
    if (this.heldBytes === 0 && (stream?.keptBytes ?? 0) === 0) {
      this.#leaving.stop()
      this.#leavingSince = undefined
      return undefined
    }
    this.#leavingSince ??= now
    if (this.#leaving.isTooSlow(now, socket.bytesWritten - inSocket, limits)) return 'slow-reader'
    const isEndless = stream?.isEndless ?? false
    return !isEndless && isOverdue(now - this.#leavingSince, limits.responseMs) ? 'late-reader' : undefined
  }

  cut(reason: CutReason): void {
    const request = this.#request
    // Whoever reads the body answers, with what is said here.
    if (reason === 'slow-body' && !this.#response?.headersSent && request?.listenerCount('error')) {
      this.#arriving.stop()
      request.emit('error', new ApiError(408, 'Timeout', 'the request body came too slowly'))
      return
    }
    if (this.#response) answerStreamOf(this.#response)?.drop()
    this.#accepted.destroy()
  }

  closed(): void {
    this.#waiting = []
    this.#rest()
  }
}

/** Nothing more comes of it: its socket is free for the next answer, or gone. */
const isOver = (response: ServerResponse): boolean =>
  response.destroyed || (response.writableEnded && response.socket === null)
const isOverdue = (ms: number, limitMs: number): boolean => limitMs > 0 && ms >= limitMs

/** How fast bytes move one way. */
class Pace {
  #since: number | undefined
  #countThen = 0
  #count = 0
  /** When a byte last moved. */
  movedAt = 0

  stop(): void {
    this.#since = undefined
  }

  /** Did too few bytes move during the whole time that a transfer may be slow? `count` is what has moved in all. */
  isTooSlow(now: number, count: number, { slowMs, minBytesPerSecond }: ConnectionLimits): boolean {
    if (this.#since === undefined) {
      this.#restart(now, count)
      this.movedAt = now
    }
    if (count !== this.#count) this.movedAt = now
    this.#count = count
    const tookMs = now - (this.#since ?? now)
    if (!isOverdue(tookMs, slowMs)) return false
    if ((count - this.#countThen) * 1000 < minBytesPerSecond * tookMs) return true
    this.#restart(now, count)
    return false
  }

  #restart(now: number, count: number): void {
    this.#since = now
    this.#countThen = count
    this.#count = count
  }
}
