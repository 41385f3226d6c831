import { Duplex } from 'node:stream'
import {
  type ControlFrame,
  controlFrame,
  controlTypes,
  dataHead,
  type FrameHandler,
  flagFin,
  numberAt,
  readFrames,
  resetCodes,
} from './frames.js'
import { HeaderBlocks, type SpdyHeaders } from './header-blocks.js'
import { SpdyError } from './spdy-error.js'

/** Longer writes become several frames, so that streams take turns. */
const maxDataBytes = 32 * 1024
const idMask = 0x7fffffff

export interface SessionLimits {
  /** Streams that may be open at the same time; those beyond are refused. */
  readonly streams: number
}

/** A stream within a connection. Destroying it resets it; ending it closes this side of it. */
export class SpdyStream extends Duplex {
  readonly id: number
  readonly headers: SpdyHeaders
  readonly #session: SpdySession
  /** Callbacks that wait until delivered data is read. */
  #taken: (() => void) | undefined
  #isReset = false
  /** The other side has closed its half. */
  #isOver: boolean

  /** @internal */
  constructor(session: SpdySession, id: number, headers: SpdyHeaders, isRemoteOver: boolean) {
    super({ allowHalfOpen: true })
    this.#session = session
    this.id = id
    this.headers = headers
    this.#isOver = isRemoteOver
    if (isRemoteOver) this.push(null)
    // Reported to readers and writers; an unused stream must not end the process.
    this.on('error', () => {})
  }

  /** Delivers received data. Resolves when more may be delivered. */
  deliver(piece: Buffer, isLast: boolean): void | Promise<void> {
    if (this.destroyed || this.#isOver) return
    this.#isOver = isLast
    const mayGoOn = piece.length === 0 || this.push(piece)
    if (isLast) this.push(null)
    else if (!mayGoOn) return new Promise(resolve => (this.#taken = resolve))
  }
  override _read(): void {
    this.#goOn()
  }
  #goOn(): void {
    const taken = this.#taken
    this.#taken = undefined
    taken?.()
  }
  override _write(chunk: Buffer, _: unknown, done: (error?: Error | null) => void): void {
    if (this.#isReset) done(new SpdyError('the stream was reset'))
    else this.#session.sendData(this.id, chunk, done)
  }
  override _final(done: (error?: Error | null) => void): void {
    if (this.#isReset) done()
    else this.#session.sendFin(this.id, done)
  }
  /** The other side has reset the stream, or the connection is closed: data received before can still be read. */
  abandon(): void {
    if (this.#isReset) return
    this.#isReset = true
    if (!this.#isOver && !this.destroyed) this.push(null)
    this.#isOver = true
    this.#session.forget(this.id, undefined)
    this.#goOn()
  }
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const isOver = this.#isReset || (this.readableEnded && this.writableFinished)
    this.#session.forget(this.id, isOver ? undefined : resetCodes.cancel)
    this.#goOn()
    done(error)
  }
}

/** The server's side of a SPDY/3.1 connection: the other side opens streams. */
export class SpdySession implements FrameHandler {
  /** Settled when the connection has ended: rejected if the other side violated the protocol. */
  readonly over: Promise<void>
  readonly #connection: Duplex
  readonly #accept: (stream: SpdyStream) => void
  readonly #limits: SessionLimits
  readonly #blocks = new HeaderBlocks()
  readonly #streams = new Map<number, SpdyStream>()
  #lastId = 0
  /** Sends frames in the order of the calls, although headers are compressed asynchronously. */
  #sending: Promise<unknown> = Promise.resolve()

  /** `accept` gets each new stream, and may throw a `SpdyError` to refuse it. */
  constructor(connection: Duplex, accept: (stream: SpdyStream) => void, limits: SessionLimits) {
    this.#connection = connection
    this.#accept = accept
    this.#limits = limits
    connection.on('error', () => connection.destroy())
    connection.once('close', () => this.#closed())
    this.over = readFrames(connection.iterator({ destroyOnReturn: false }), this).catch((error: unknown) => {
      const isBroken = error instanceof SpdyError
      // A broken connection counts as ended.
      if (!isBroken) return
      this.#write(controlFrame(controlTypes.goAway, 0, this.#lastId, resetCodes.protocolError))
      throw error
    })
    this.over.catch(() => {}).finally(() => this.#closed())
  }

  #closed(): void {
    for (const stream of [...this.#streams.values()]) stream.abandon()
    this.#blocks.close()
  }

  /** Announces that no more streams are accepted, and ends the connection when everything was sent. */
  async close(): Promise<void> {
    await this.#sending
    this.#write(controlFrame(controlTypes.goAway, 0, this.#lastId, 0))
    if (!this.#connection.destroyed) this.#connection.end()
  }

  control(frame: ControlFrame): void | Promise<void> {
    switch (frame.type) {
      case controlTypes.synStream:
        return this.#open(frame)
      case controlTypes.rstStream:
        this.#streams.get(numberAt(frame, 0) & idMask)?.abandon()
        return
      case controlTypes.ping:
        // Even ids would be replies to our own pings, and we send none.
        if (numberAt(frame, 0) % 2 === 1) return this.#answer(controlFrame(controlTypes.ping, 0, numberAt(frame, 0)))
        return
      case controlTypes.headers:
        // The headers are ignored, but must be decompressed because later blocks continue the same stream.
        numberAt(frame, 0)
        return this.#blocks.read(frame.body.subarray(4)).then(() => {})
      default:
        // Settings and windows: see the README. Frames of unknown types must be ignored.
        return
    }
  }

  data(streamId: number, piece: Buffer, isLast: boolean): void | Promise<void> {
    const stream = this.#streams.get(streamId)
    if (stream) return stream.deliver(piece, isLast)
    if (streamId === 0 || streamId > this.#lastId)
      throw new SpdyError(`data for stream ${streamId}, which was never opened`)
  }

  async #open(frame: ControlFrame): Promise<void> {
    const id = numberAt(frame, 0) & idMask
    numberAt(frame, 6)
    const headers = await this.#blocks.read(frame.body.subarray(10))
    if (id % 2 === 0 || id <= this.#lastId)
      throw new SpdyError(`a client cannot open stream ${id} after ${this.#lastId}`)
    this.#lastId = id
    if (this.#streams.size >= this.#limits.streams) return this.#reset(id, resetCodes.refusedStream)
    const stream = new SpdyStream(this, id, headers, (frame.flags & flagFin) !== 0)
    this.#streams.set(id, stream)
    try {
      this.#accept(stream)
    } catch (error) {
      if (!(error instanceof SpdyError)) throw error
      this.#streams.delete(id)
      return this.#reset(id, resetCodes.refusedStream)
    }
    const reply = this.#inOrder(async () => {
      const block = await this.#blocks.write({})
      this.#write(controlFrame(controlTypes.synReply, 0, id, block))
    })
    await reply.then(() => this.#drained()).catch(() => {})
  }

  async #reset(id: number, code: number): Promise<void> {
    await this.#inOrder(() => this.#answer(controlFrame(controlTypes.rstStream, 0, id, code)))
  }

  /** If a client sends pings without reading the responses, reading stops: responses must not pile up in memory. */
  #answer(bytes: Buffer): void | Promise<void> {
    this.#write(bytes)
    return this.#drained()
  }
  #drained(): void | Promise<void> {
    const connection = this.#connection
    if (!connection.writableNeedDrain || connection.destroyed) return
    return new Promise(resolve => {
      const settle = () => {
        connection.off('drain', settle)
        connection.off('close', settle)
        resolve()
      }
      connection.once('drain', settle)
      connection.once('close', settle)
    })
  }

  #inOrder<T>(send: () => T | Promise<T>): Promise<T> {
    const sent = this.#sending.then(send)
    this.#sending = sent.catch(() => {})
    return sent
  }

  #write(bytes: Buffer, done: (error?: Error | null) => void = () => {}): void {
    if (this.#connection.writable) this.#connection.write(bytes, done)
    else done(new SpdyError('the connection is closed'))
  }

  /** @internal */
  sendData(id: number, chunk: Buffer, done: (error?: Error | null) => void): void {
    this.#inOrder(() => {
      this.#connection.cork()
      for (let at = 0; at < chunk.length; at += maxDataBytes) {
        const piece = chunk.subarray(at, at + maxDataBytes)
        this.#write(dataHead(id, piece.length, 0))
        this.#write(piece, at + piece.length === chunk.length ? done : undefined)
      }
      this.#connection.uncork()
      if (chunk.length === 0) done()
    }).catch(done)
  }
  /** @internal */
  sendFin(id: number, done: (error?: Error | null) => void): void {
    this.#inOrder(() => this.#write(dataHead(id, 0, flagFin), done)).catch(done)
  }
  /** @internal */
  forget(id: number, resetWith: number | undefined): void {
    if (this.#streams.delete(id) && resetWith !== undefined && this.#connection.writable)
      void this.#reset(id, resetWith)
  }
}
