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

const lookEveryMs = 1000
/** While heads are taking up memory. */
const lookSoonMs = 100
/** When there are too many connections, so many idle ones are closed at once: looking for them takes time. */
const closedAtOnce = 16
/** A reader that has taken nothing for this long is cut off first when memory is short. */
const stalledMs = 2 * lookEveryMs

/**
 * The connections of a server and what they hold of it. One look a second at all of them finds those that are too slow: that
 * costs nothing per request, and sees every kind of answer.
 */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #warnings: GatheredWarnings
  readonly #open = new Map<string, Connection>()
  readonly #ofSocket = new WeakMap<Socket, Http1Connection>()
  readonly #countOfAddress = new Map<string, number>()
  /** On which nothing was asked yet, the oldest first. Clients keep some ready; Node does not count them as idle. */
  readonly #unused = new Set<Connection>()
  readonly #cuts = new Map<CutReason, number>()
  readonly #interruptions = new Map<Interruption, number>()
  readonly #timer: NodeJS.Timeout
  /** Set while unfinished heads take up memory: the next look comes early then. */
  #earlyLook: NodeJS.Timeout | undefined
  #limit: number
  /** The time, except that none passes while the event loop is held: who could not be heard is not late. */
  #now = 0
  #lookedAt = performance.now()
  /** What sockets held at the last look. */
  #heldBytes = 0
  #isClosing = false
  /** Bytes of large answers that no socket has been given yet. */
  queuedBytes = 0
  readonly turns = new AnswerTurns()

  readonly compression: Compression

  constructor(limits: ConnectionLimits, logger?: Logger) {
    this.#limits = limits
    this.compression = { fromBytes: limits.compressedFromBytes, atOnce: limits.compressedAtOnce, count: 0 }
    this.#warnings = new GatheredWarnings(logger)
    this.#limit = limits.connections || Number.POSITIVE_INFINITY
    this.#timer = setInterval(() => this.#look(), lookEveryMs)
    this.#timer.unref()
  }

  get limits(): ConnectionLimits {
    return this.#limits
  }
  get count(): number {
    return this.#open.size
  }
  /** How many were refused or cut off, and why. */
  get cuts(): ReadonlyMap<string, number> {
    return this.#cuts
  }
  /** How many ended while a request was under way, and why. */
  get interruptions(): ReadonlyMap<string, number> {
    return this.#interruptions
  }
  /** Bytes of answers that wait to be read. */
  get unsentBytes(): number {
    return this.#heldBytes + this.queuedBytes
  }

  /** Called before the first connection: from now on descriptors are for connections. */
  open(): void {
    this.#limit = Math.min(this.#limit, affordableConnections())
  }
  close(): void {
    clearInterval(this.#timer)
    clearTimeout(this.#earlyLook)
    this.#warnings.flush(performance.now())
  }

  /** A connection was made. False when there is no room for it; it is closed then. */
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

  /** Its handshake, if any, is done: requests come over this socket. */
  speaks(socket: Socket): void {
    const connection = this.#open.get(keyOf(socket))
    if (!(connection instanceof Http1Connection)) return void socket.destroy()
    connection.speak(socket)
    this.#ofSocket.set(socket, connection)
  }
  /** The same for one whose client chose HTTP/2. Undefined when it is gone already. */
  speaksHttp2(socket: TLSSocket, session: ServerHttp2Session): Http2Connection | undefined {
    const key = keyOf(socket)
    if (!this.#open.has(key)) return void session.destroy()
    this.#forget(key)
    const connection = new Http2Connection(session, socket, this.#now, this.#limits, {
      used: () => this.#unused.delete(connection),
      resetsTooMuch: () => this.#cut(connection, 'too-many-resets'),
      interrupted: cause => this.#interrupted(cause),
    })
    this.#open.set(key, connection)
    this.#unused.add(connection)
    if (this.#isClosing) connection.closeAfterAnswer()
    return connection
  }

  /** A request came: `serve` is called when those before it on its connection are answered. */
  begins(request: IncomingMessage, response: ServerResponse, serve: () => void): void {
    const connection = this.#ofSocket.get(request.socket)
    if (!connection) return
    if (!connection.isUsed) this.#unused.delete(connection)
    if (this.#isClosing) response.shouldKeepAlive = false
    if (!connection.begin({ request, response, serve })) this.#cut(connection, 'too-many-waiting')
  }

  /** Node gives a connection up, for a reason with this code. False when an answer is being sent: nothing can be said any more. */
  breaks(socket: Socket, code: string | undefined): boolean {
    const connection = this.#ofSocket.get(socket)
    if (!connection) return true
    const known = causesOfErrors[code ?? '']
    if (known) connection.endsBy(known)
    else connection.endsBy('invalid-request', code)
    return !connection.isAnswering
  }
  /** The server ends now, whoever still waits. */
  endAll(): void {
    for (const connection of this.#open.values()) connection.endsBy('shutdown')
  }

  /** The server stops: every answer from now on is the last of its connection, and says so. */
  closeAfterAnswers(): void {
    this.#isClosing = true
    for (const connection of this.#open.values()) connection.closeAfterAnswer()
  }
  /** Closes connections on which nothing was asked. */
  closeUnused(): void {
    for (const connection of this.#unused) connection.cut('room-for-others')
  }

  /** The system refused a connection, for want of descriptors most likely. */
  acceptFailed(error: NodeJS.ErrnoException): void {
    this.#makeRoom()
    this.#warnings.add(`a connection could not be accepted: ${error.code ?? error.message}`)
  }

  /** Is there memory left for an answer of so many bytes? Readers that have stalled lose theirs first. */
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

  /** Closes connections that serve nobody at the moment. Those that were never used go first. */
  #makeRoom(): boolean {
    let closed = 0
    const close = (connection: Connection) => {
      this.#cut(connection, 'room-for-others')
      this.#unused.delete(connection)
      return ++closed >= closedAtOnce
    }
    for (const connection of this.#unused) if (close(connection)) return true
    if (closed > 0) return true
    for (const connection of this.#open.values()) if (connection.isIdle && close(connection)) return true
    return closed > 0
  }

  #look(): void {
    const at = performance.now()
    this.#now += Math.min(at - this.#lookedAt, 2 * lookEveryMs)
    this.#lookedAt = at
    this.#heldBytes = 0
    let headBytes = 0
    for (const connection of this.#open.values()) {
      this.#lookAt(connection)
      headBytes += connection.headBytes
      for (const stream of connection.streams) this.#lookAt(stream)
    }
    if (this.#limits.unsentBytes > 0) this.#cutReaders(this.#limits.unsentBytes, 0)
    if (this.#limits.unfinishedHeadBytes > 0) this.#boundHeads(headBytes, this.#limits.unfinishedHeadBytes)
    this.#warnings.flushWhenDue(at)
  }

  #lookSoon(): void {
    if (this.#earlyLook) return
    this.#earlyLook = setTimeout(() => {
      this.#earlyLook = undefined
      this.#look()
    }, lookSoonMs).unref()
  }

  /** Cuts off those who sent most of a head that they have not finished, until all heads together are within the limit. */
  #boundHeads(headBytes: number, limitBytes: number): void {
    if (headBytes > limitBytes / 2) this.#lookSoon()
    if (headBytes <= limitBytes) return
    let left = headBytes
    const largestFirst = [...this.#open.values()].sort((one, other) => other.headBytes - one.headBytes)
    for (const connection of largestFirst) {
      if (left <= limitBytes / 2) return
      left -= connection.headBytes
      this.#cut(connection, 'unfinished-heads')
    }
  }

  #lookAt(watched: Watched): void {
    const reason = watched.look(this.#now, this.#limits)
    // The usual end of a connection is nothing to tell.
    if (reason === 'idle') watched.cut(reason)
    else if (reason) this.#cut(watched, reason)
    else this.#heldBytes += watched.heldBytes
  }

  /** Cuts off readers until no more than `limitBytes` wait, those that took nothing for longest first. */
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
    // The limit itself is told where it is counted. That a client gives up is not a fault of the server.
    if (cause === 'limit') return
    const why = code === undefined ? cause : `${cause} (${code})`
    this.#warnings.add(`connections ended while a request was under way: ${why}`, cause === 'client' ? 'info' : 'warn')
  }
}

const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remotePort} ${remoteAddress}`
