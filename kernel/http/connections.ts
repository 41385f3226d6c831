import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Logger } from 'orch/sdk'
import { AnswerTurns } from './answer-turns.js'
import type { Compression } from './compressed-stream.js'
import { type Connection, type CutReason, causesOfErrors, type Interruption, type Watched } from './connection.js'
import { affordableConnections, type ConnectionLimits } from './connection-limits.js'
import { GatheredWarnings } from './gathered-warnings.js'
import { Http1Connection } from './http1-connection.js'
import { Http2Connection } from './http2-connection.js'

const checkEveryMs = 1000
/** The interval while incomplete heads use much memory. */
const earlyCheckMs = 100
/** When there are too many connections, this many idle ones are closed at once: searching for them takes time. */
const closeBatchSize = 16
/** When memory is short, clients that have read nothing for this long are disconnected first. */
const stalledMs = 2 * checkEveryMs

/**
 * The connections of a server and their use of its resources. One check per second of all of them finds those that are too slow:
 * it costs nothing per request, and covers every kind of response.
 */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #warnings: GatheredWarnings
  readonly #open = new Map<string, Connection>()
  readonly #ofSocket = new WeakMap<Socket, Http1Connection>()
  readonly #countOfAddress = new Map<string, number>()
  /**
   * Connections without a request so far, oldest first. Clients open some in advance; Node does not count them as idle.
   */
  readonly #unused = new Set<Connection>()
  readonly #cuts = new Map<CutReason, number>()
  readonly #interruptions = new Map<Interruption, number>()
  readonly #timer: NodeJS.Timeout
  /** Set while unfinished heads use much memory: the next check comes early then. */
  #earlyCheck: NodeJS.Timeout | undefined
  #limit: number
  /** The time, not counting stalls of the event loop: a client that could not be read meanwhile is not late. */
  #now = 0
  #checkedAt = performance.now()
  /** Bytes buffered by sockets as of the last check. */
  #heldBytes = 0
  #isClosing = false
  /** Bytes of large responses that were not passed to a socket yet. */
  queuedBytes = 0
  readonly turns = new AnswerTurns()

  readonly compression: Compression

  constructor(limits: ConnectionLimits, logger?: Logger) {
    this.#limits = limits
    this.compression = { fromBytes: limits.compressedFromBytes, atOnce: limits.maxCompressed, count: 0 }
    this.#warnings = new GatheredWarnings(logger)
    this.#limit = limits.connections || Number.POSITIVE_INFINITY
    this.#timer = setInterval(() => this.#checkAll(), checkEveryMs)
    this.#timer.unref()
  }

  get limits(): ConnectionLimits {
    return this.#limits
  }
  get count(): number {
    return this.#open.size
  }
  /** How many were refused or closed, by reason. */
  get cuts(): ReadonlyMap<string, number> {
    return this.#cuts
  }
  /** How many ended during a request, by cause. */
  get interruptions(): ReadonlyMap<string, number> {
    return this.#interruptions
  }
  /** Bytes of responses that clients have not read. */
  get unsentBytes(): number {
    return this.#heldBytes + this.queuedBytes
  }

  /** Called before the first connection: descriptors that are free now may be used for connections. */
  open(): void {
    this.#limit = Math.min(this.#limit, affordableConnections())
  }
  close(): void {
    clearInterval(this.#timer)
    clearTimeout(this.#earlyCheck)
    this.#warnings.flush(performance.now())
  }

  /** Registers a new connection. False when there is no room for it; it is closed then. */
  accepted(socket: Socket): boolean {
    const { remoteAddress: address } = socket
    const rejected = address === undefined ? undefined : this.#rejectReason(address)
    if (address === undefined || rejected) {
      if (rejected) this.#count(rejected)
      socket.destroy()
      return false
    }
    const connection = new Http1Connection(socket, this.#now)
    const key = keyOf(socket)
    this.#open.set(key, connection)
    this.#unused.add(connection)
    this.#countOfAddress.set(address, this.#of(address) + 1)
    socket.once('close', () => {
      if (connection.interruptedBy) this.#interrupted(connection.interruptedBy, connection.errorCode)
      this.#forget(key)
      if (this.#of(address) > 1) this.#countOfAddress.set(address, this.#of(address) - 1)
      else this.#countOfAddress.delete(address)
    })
    return true
  }
  #forget(key: string): void {
    const connection = this.#open.get(key)
    if (!connection) return
    this.#open.delete(key)
    this.#unused.delete(connection)
    connection.closed()
  }

  /** The handshake, if any, is done: requests arrive on this socket. */
  startHttp1(socket: Socket): void {
    const connection = this.#open.get(keyOf(socket))
    if (!(connection instanceof Http1Connection)) return void socket.destroy()
    connection.start(socket)
    this.#ofSocket.set(socket, connection)
  }
  /** The same for a client that negotiated HTTP/2. Undefined when the connection is already closed. */
  startHttp2(socket: TLSSocket, session: ServerHttp2Session): Http2Connection | undefined {
    const key = keyOf(socket)
    if (!this.#open.has(key)) return void session.destroy()
    this.#forget(key)
    const connection = new Http2Connection(session, socket, this.#now, this.#limits, {
      used: () => this.#unused.delete(connection),
      tooManyResets: () => this.#cut(connection, 'too-many-resets'),
      interrupted: cause => this.#interrupted(cause),
    })
    this.#open.set(key, connection)
    this.#unused.add(connection)
    if (this.#isClosing) connection.closeAfterAnswer()
    return connection
  }

  /** A request arrived: `serve` is called when earlier requests of its connection are answered. */
  begin(request: IncomingMessage, response: ServerResponse, serve: () => void): void {
    const connection = this.#ofSocket.get(request.socket)
    if (!connection) return
    if (!connection.isUsed) this.#unused.delete(connection)
    if (this.#isClosing) response.shouldKeepAlive = false
    if (!connection.begin({ request, response, serve })) this.#cut(connection, 'too-many-waiting')
  }

  /**
   * Node gives up a connection with this error code. Returns false if a response is being sent, so that no error can be
   * sent.
   */
  fail(socket: Socket, code: string | undefined): boolean {
    const connection = this.#ofSocket.get(socket)
    if (!connection) return true
    const known = causesOfErrors[code ?? '']
    if (known) connection.endsBy(known)
    else connection.endsBy('invalid-request', code)
    return !connection.isAnswering
  }
  /** The server terminates now: requests in flight are interrupted. */
  endAll(): void {
    for (const connection of this.#open.values()) connection.endsBy('shutdown')
  }

  /** The server is stopping: from now on every response is the last of its connection, and says so. */
  closeAfterAnswers(): void {
    this.#isClosing = true
    for (const connection of this.#open.values()) connection.closeAfterAnswer()
  }
  /** Closes connections that never had a request. */
  closeUnused(): void {
    for (const connection of this.#unused) connection.cut('room-for-others')
  }

  /** The system refused a connection, most likely because no descriptors are left. */
  acceptFailed(error: NodeJS.ErrnoException): void {
    this.#makeRoom()
    this.#warnings.add(`a connection could not be accepted: ${error.code ?? error.message}`)
  }

  /** Whether there is memory for a response of this size. Clients that have stopped reading are disconnected first. */
  hasRoomFor(bytes: number): boolean {
    const { unsentBytes: limit } = this.#limits
    if (limit === 0 || this.unsentBytes + bytes <= limit) return true
    this.#cutReaders(limit - bytes, stalledMs)
    return this.unsentBytes + bytes <= limit
  }

  #rejectReason(address: string): CutReason | undefined {
    const { connectionsPerAddress: perAddress } = this.#limits
    if (perAddress > 0 && this.#of(address) >= perAddress) return 'too-many-of-address'
    return this.#open.size >= this.#limit && !this.#makeRoom() ? 'too-many' : undefined
  }
  #of(address: string): number {
    return this.#countOfAddress.get(address) ?? 0
  }

  /** Closes idle connections, those that were never used first. */
  #makeRoom(): boolean {
    let closed = 0
    const close = (connection: Connection) => {
      this.#cut(connection, 'room-for-others')
      this.#unused.delete(connection)
      return ++closed >= closeBatchSize
    }
    for (const connection of this.#unused) if (close(connection)) return true
    if (closed > 0) return true
    for (const connection of this.#open.values()) if (connection.isIdle && close(connection)) return true
    return closed > 0
  }

  #checkAll(): void {
    const at = performance.now()
    this.#now += Math.min(at - this.#checkedAt, 2 * checkEveryMs)
    this.#checkedAt = at
    this.#heldBytes = 0
    let headBytes = 0
    for (const connection of this.#open.values()) {
      this.#check(connection)
      headBytes += connection.headBytes
      for (const stream of connection.streams) this.#check(stream)
    }
    if (this.#limits.unsentBytes > 0) this.#cutReaders(this.#limits.unsentBytes, 0)
    if (this.#limits.unfinishedHeadBytes > 0) this.#boundHeads(headBytes, this.#limits.unfinishedHeadBytes)
    this.#warnings.flushWhenDue(at)
  }

  #checkEarly(): void {
    if (this.#earlyCheck) return
    this.#earlyCheck = setTimeout(() => {
      this.#earlyCheck = undefined
      this.#checkAll()
    }, earlyCheckMs).unref()
  }

  /** Closes the connections with the largest incomplete heads, until all heads together are within the limit. */
  #boundHeads(headBytes: number, limitBytes: number): void {
    if (headBytes > limitBytes / 2) this.#checkEarly()
    if (headBytes <= limitBytes) return
    let left = headBytes
    const largestFirst = [...this.#open.values()].sort((one, other) => other.headBytes - one.headBytes)
    for (const connection of largestFirst) {
      if (left <= limitBytes / 2) return
      left -= connection.headBytes
      this.#cut(connection, 'unfinished-heads')
    }
  }

  #check(watched: Watched): void {
    const reason = watched.check(this.#now, this.#limits)
    // The normal end of a connection is not worth a warning.
    if (reason === 'idle') watched.cut(reason)
    else if (reason) this.#cut(watched, reason)
    else this.#heldBytes += watched.heldBytes
  }

  /** Disconnects clients until no more than `limitBytes` are unsent, those that have read nothing for longest first. */
  #cutReaders(limitBytes: number, minStalledMs: number): void {
    if (this.unsentBytes <= limitBytes) return
    const readers = [...this.#open.values()]
      .flatMap((connection): Watched[] => [connection, ...connection.streams])
      .filter(each => each.isBehind && each.stalledForMs(this.#now) >= minStalledMs)
      .sort((one, other) => other.stalledForMs(this.#now) - one.stalledForMs(this.#now))
    for (const reader of readers) {
      if (this.unsentBytes <= limitBytes) return
      this.#heldBytes -= reader.heldBytes
      this.#cut(reader, 'unsent-bytes')
    }
  }

  #cut(watched: Watched, reason: CutReason): void {
    this.#count(reason)
    watched.cut(reason)
  }

  #count(reason: CutReason): void {
    this.#cuts.set(reason, (this.#cuts.get(reason) ?? 0) + 1)
    this.#warnings.add(`connections were closed: ${reason}`)
  }

  #interrupted(cause: Interruption, code?: string): void {
    this.#interruptions.set(cause, (this.#interruptions.get(cause) ?? 0) + 1)
    // Exceeded limits are logged where they are counted. A client that gives up is not a fault of the server.
    if (cause === 'limit') return
    const why = code === undefined ? cause : `${cause} (${code})`
    this.#warnings.add(`connections ended during a request: ${why}`, cause === 'client' ? 'info' : 'warn')
  }
}

const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remotePort} ${remoteAddress}`
