import type { Writable } from 'node:stream'
import type { ResponseStream, SharedChunk } from '../contracts/exchange.js'
import type { AnswerTurns } from './answer-turns.js'

/** The part of the server that a stream uses. */
export interface StreamHost {
  /** Bytes of large responses that were not passed to a socket yet. */
  queuedBytes: number
  readonly turns: AnswerTurns
}

/** What a response is written to. */
export interface Out extends Pick<Writable, 'destroyed' | 'writableLength' | 'writableNeedDrain'> {
  write(bytes: Buffer, written?: (failure: Error | null | undefined) => void): boolean
  end(): unknown
  once(event: 'drain' | 'close', listener: () => void): unknown
  destroy(): unknown
}

interface Queued {
  readonly bytes: Buffer
  readonly written: (() => void) | undefined
}

/** A response that is sent as fast as its client reads. */
export abstract class AnswerStream implements ResponseStream {
  readonly #out: Out
  readonly #pieceBytes: number
  readonly #host: StreamHost
  readonly #queue: Queued[] = []
  #queuedBytes = 0
  #heldBytes = 0
  #isEnding = false
  #isWaiting = false
  #wake: (() => void)[] = []
  #waitingSince: number | undefined
  /** Bytes passed to the transport so far. */
  protected passedBytes = 0
  /**
   * Set for responses that do not end by themselves, such as watches: the time-out for reading a response does not
   * apply.
   */
  readonly isEndless: boolean

  /**
   * The transport gets the response in pieces of this size: progress of the client can only be observed between them.
   */
  constructor(out: Out, pieceBytes: number, host: StreamHost, isEndless: boolean) {
    this.#out = out
    this.#pieceBytes = pieceBytes
    this.#host = host
    this.isEndless = isEndless
    out.once('close', () => this.drop())
  }

  /** Bytes buffered in memory, besides those of its socket. */
  get keptBytes(): number {
    return this.#queuedBytes + this.#heldBytes
  }
  /** Accounts for bytes that stay in memory until the response ends. */
  hold(bytes: number): void {
    this.#heldBytes += bytes
    this.#host.queuedBytes += bytes
  }
  get bufferedBytes(): number {
    return this.#queuedBytes + this.#out.writableLength
  }
  get isClosed(): boolean {
    return this.#out.destroyed || this.#isEnding
  }
  /** How long the writer has waited for the reader. */
  get stalledMs(): number {
    return this.#waitingSince === undefined ? 0 : performance.now() - this.#waitingSince
  }

  write(chunk: Buffer, written?: () => void): boolean {
    if (this.#queue.length === 0 && this.sendsAtOnce(chunk)) return this.#pass(chunk, written)
    if (this.#out.destroyed) return true
    this.#queue.push({ bytes: chunk, written })
    this.#add(chunk.length)
    if (!this.#isWaiting) this.#out.writableNeedDrain ? this.#awaitDrain() : this.#pump()
    return this.#queue.length === 0 && !this.#out.writableNeedDrain
  }
  /** Whether this may be sent at once, before the speed of the client is known. */
  protected sendsAtOnce(chunk: Buffer): boolean {
    return chunk.length <= this.#pieceBytes
  }
  /** The queue is empty, and more may be written. */
  protected get isFlowing(): boolean {
    return this.#queue.length === 0 && !this.#isEnding
  }

  abstract writeShared(chunk: SharedChunk): void

  drained(): Promise<void> {
    const { destroyed, writableNeedDrain } = this.#out
    if (destroyed || (this.#queue.length === 0 && !writableNeedDrain)) return Promise.resolve()
    this.#waitingSince ??= performance.now()
    if (this.#wake.length === 0 && !this.#isWaiting) this.#awaitDrain()
    return new Promise(resolve => this.#wake.push(resolve))
  }

  end(): void {
    this.#isEnding = true
    if (this.#queue.length === 0) this.#out.end()
  }

  destroy(): void {
    this.drop()
    this.#out.destroy()
  }

  /** Discards unsent bytes. */
  drop(): void {
    this.#queue.length = 0
    this.#add(-this.#queuedBytes)
    this.hold(-this.#heldBytes)
    this.#release()
  }

  onClose(listener: () => void): void {
    this.#out.once('close', listener)
  }

  #add(bytes: number): void {
    this.#queuedBytes += bytes
    this.#host.queuedBytes += bytes
  }

  readonly #pumpInTurn = (): void => this.#host.turns.await(this.#pump)

  readonly #pump = (): void => {
    this.#isWaiting = false
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      const { bytes, written } = next
      const isLast = bytes.length <= this.#pieceBytes
      const piece = isLast ? bytes : bytes.subarray(0, this.#pieceBytes)
      if (isLast) this.#queue.shift()
      else this.#queue[0] = { bytes: bytes.subarray(this.#pieceBytes), written }
      this.#add(-piece.length)
      if (!this.#pass(piece, isLast ? written : undefined)) return this.#awaitDrain()
    }
    if (this.#isEnding) this.#out.end()
    this.#release()
  }

  #pass(chunk: Buffer, written: (() => void) | undefined): boolean {
    this.passedBytes += chunk.length
    if (written === undefined) return this.#out.write(chunk)
    // After a failure the operating system may still be reading the bytes.
    return this.#out.write(chunk, failure => {
      if (!failure) written()
    })
  }

  #awaitDrain(): void {
    this.#isWaiting = true
    // Events of a watch are small and shared, so they need not take turns.
    this.#out.once('drain', this.isEndless ? this.#pump : this.#pumpInTurn)
  }

  /** Lets the writer continue. */
  #release(): void {
    this.#waitingSince = undefined
    if (this.#wake.length === 0) return
    const waiting = this.#wake
    this.#wake = []
    for (const wake of waiting) wake()
  }
}
