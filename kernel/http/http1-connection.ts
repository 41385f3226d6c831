import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from 'orch/sdk'
import type { Connection, CutReason, Interruption, Watched } from './connection.js'
import type { ConnectionLimits } from './connection-limits.js'
import { answerOf } from './http1-answer.js'
import { isOverdue, Transfer } from './transfer.js'

/** Pipelined requests that may wait for the response to an earlier one. */
const maxWaiting = 64

interface Exchanged {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  serve(): void
}

const none: readonly Watched[] = []

/** An HTTP/1.1 connection: its requests, one after another, and how fast its bytes move. */
export class Http1Connection implements Connection {
  readonly #accepted: Socket
  /** The socket that carries HTTP; undefined until the handshake is done. */
  #socket: Socket | undefined
  readonly #openedAt: number
  #request: IncomingMessage | undefined
  #response: ServerResponse | undefined
  /** Requests that arrived before the response to an earlier one was sent. */
  #waiting: Exchanged[] = []
  readonly #transfer = new Transfer()
  /** When it became idle, and how many bytes had been received by then. */
  #idleSince: number | undefined
  #bytesWhenIdle = 0
  /** Bytes received when the last request began. */
  #bytesAtBegin = 0
  /** Bytes received when the connection became idle: later ones belong to the next head. */
  #bytesAtRest = 0
  headBytes = 0
  #endsBy: Interruption | undefined
  /** Node's code of the error that ended it. */
  errorCode: string | undefined
  readonly streams = none
  isUsed = false

  constructor(accepted: Socket, now: number) {
    this.#accepted = accepted
    this.#openedAt = now
  }

  /** Requests arrive on this socket from now on. */
  start(socket: Socket): void {
    this.#socket = socket
  }

  /**
   * Serves requests one at a time: otherwise a few bytes could request more concurrent responses than fit in memory. False when too
   * many wait.
   */
  begin(exchanged: Exchanged): boolean {
    this.isUsed = true
    if (this.#response === undefined || (isFinished(this.#response) && this.#waiting.length === 0))
      this.#serve(exchanged)
    else if (this.#waiting.push(exchanged) === 1) this.#response.once('close', this.#serveNext)
    return this.#waiting.length <= maxWaiting
  }

  closeAfterAnswer(): void {
    if (this.#response && !this.#response.headersSent) this.#response.shouldKeepAlive = false
  }

  readonly #serveNext = (): void => {
    const next = this.#waiting.shift()
    // After a response with `Connection: close`, or on a broken connection, nothing more is served.
    if (!next || !this.#socket?.writable) return
    this.#serve(next)
    if (this.#waiting.length > 0) next.response.once('close', this.#serveNext)
  }

  #serve({ request, response, serve }: Exchanged): void {
    this.#request = request
    this.#response = response
    this.#transfer.begin()
    this.#idleSince = undefined
    this.#bytesAtBegin = this.#socket?.bytesRead ?? 0
    serve()
  }

  get isIdle(): boolean {
    if (this.#response === undefined) return true
    return isFinished(this.#response) && this.#waiting.length === 0 && (this.#request?.complete ?? true)
  }
  get heldBytes(): number {
    return this.#transfer.heldBytes
  }
  get isBehind(): boolean {
    return this.#transfer.isBehind
  }
  stalledForMs(now: number): number {
    return this.#transfer.stalledForMs(now)
  }

  check(now: number, limits: ConnectionLimits): CutReason | undefined {
    if (this.#socket === undefined) {
      return isOverdue(now - this.#openedAt, limits.handshakeMs) ? 'slow-handshake' : undefined
    }
    if (this.isIdle) {
      this.#rest()
      this.headBytes = this.#socket.bytesRead - this.#bytesAtRest
      return this.#isIdleTooLong(this.#socket, now, limits) ? 'idle' : undefined
    }
    this.headBytes = 0
    return this.#isSlowToSend(this.#socket, now, limits) ? 'slow-body' : this.#checkReader(this.#socket, now, limits)
  }

  /**
   * Whether a connection has been idle for too long. Node would set a timer after every response, which costs as much
   * as a get. Unused connections and slow heads are closed by Node itself.
   */
  #isIdleTooLong(socket: Socket, now: number, limits: ConnectionLimits): boolean {
    if (!this.isUsed) return false
    if (this.#idleSince === undefined || this.#bytesWhenIdle !== socket.bytesRead) {
      this.#idleSince = now
      this.#bytesWhenIdle = socket.bytesRead
    }
    return isOverdue(now - this.#idleSince, limits.idleMs)
  }

  /** Finished requests are dropped: one may hold megabytes. */
  #rest(): void {
    if (this.#request) this.#bytesAtRest = hasBody(this.#request) ? (this.#socket?.bytesRead ?? 0) : this.#bytesAtBegin
    this.#request = undefined
    this.#response = undefined
    this.#transfer.rest()
  }

  #isSlowToSend(socket: Socket, now: number, limits: ConnectionLimits): boolean {
    const request = this.#request
    if (request === undefined || request.complete || request.readableFlowing !== true) {
      this.#transfer.stopArriving()
      return false
    }
    return this.#transfer.isSlowToSend(now, socket.bytesRead, limits)
  }

  #checkReader(socket: Socket, now: number, limits: ConnectionLimits): CutReason | undefined {
    const stream = this.#response && answerOf(this.#response)
    const heldBytes = socket.writableLength
    const unread = {
      heldBytes,
      keptBytes: stream?.keptBytes ?? 0,
      takenBytes: socket.bytesWritten - heldBytes,
      isEndless: stream?.isEndless ?? false,
    }
    return this.#transfer.checkReader(now, unread, limits)
  }

  endsBy(cause: Interruption, code?: string): void {
    if (this.#endsBy === undefined) this.errorCode = code
    this.#endsBy ??= cause
  }
  /** Whether the response to a request has begun but not ended. */
  get isAnswering(): boolean {
    return isUnfinished(this.#response) && this.#response.headersSent
  }
  /**
   * What ended it during a request. Undefined if there was none, or if the client closed a watch, which is how watches
   * end.
   */
  get interruptedBy(): Interruption | undefined {
    if (!isUnfinished(this.#response)) return undefined
    const cause = this.#endsBy ?? (this.#socket?.readableEnded ? 'client' : 'server')
    return cause === 'client' && answerOf(this.#response)?.isEndless ? undefined : cause
  }

  cut(reason: CutReason): void {
    const request = this.#request
    // The reader of the body answers with this error.
    if (reason === 'slow-body' && !this.#response?.headersSent && request?.listenerCount('error')) {
      this.#transfer.stopArriving()
      request.emit('error', new ApiError(408, 'Timeout', 'the request body arrived too slowly'))
      return
    }
    this.endsBy('limit')
    this.headBytes = 0
    if (this.#response) answerOf(this.#response)?.drop()
    this.#accepted.destroy()
  }

  closed(): void {
    this.#waiting = []
    this.#rest()
  }
}

/** True when its socket is free for the next response, or closed. */
const isFinished = (response: ServerResponse): boolean =>
  response.destroyed || (response.writableEnded && response.socket === null)

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

/** Node detaches the socket from a response that was sent completely, and keeps it when the connection ended before. */
const isUnfinished = (response: ServerResponse | undefined): response is ServerResponse =>
  response !== undefined && response.socket !== null
