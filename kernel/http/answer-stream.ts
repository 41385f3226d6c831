import type { Writable } from 'node:stream'
import type { ResponseStream, SharedChunk } from '../contracts/exchange.js'
import type { AnswerTurns } from './answer-turns.js'

/** What a stream tells its server. */
export interface StreamHost {
  /** Bytes of large answers that no socket has been given yet. */
  queuedBytes: number
  readonly turns: AnswerTurns
}

/** What an answer is written to. */
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

/** An answer on its way to a client, at the pace of whoever reads it. */
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
  #waitsSince: number | undefined
  /** Bytes that what it goes out over was given. */
  protected givenBytes = 0
  /** It has no end of its own, as a watch: nobody needs to read it to the end in time. */
  readonly isEndless: boolean

  /** What it goes out over is given an answer in pieces of this size: only between them is it seen whether the client reads. */
  constructor(out: Out, pieceBytes: number, host: StreamHost, isEndless: boolean) {
    this.#out = out
    this.#pieceBytes = pieceBytes
    this.#host = host
    this.isEndless = isEndless
    out.once('close', () => this.drop())
  }

  /** Bytes kept for it in memory, beside what its socket has. */
  get keptBytes(): number {
    return this.#queuedBytes + this.#heldBytes
  }
  /** So many bytes are kept for it until it is over. */
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
    return this.#waitsSince === undefined ? 0 : performance.now() - this.#waitsSince
  }

  write(chunk: Buffer, written?: () => void): boolean {
    if (this.#queue.length === 0 && this.takesAtOnce(chunk)) return this.#give(chunk, written)
    if (this.#out.destroyed) return true
    this.#queue.push({ bytes: chunk, written })
    this.#add(chunk.length)
    if (!this.#isWaiting) this.#out.writableNeedDrain ? this.#awaitDrain() : this.#pump()
    return this.#queue.length === 0 && !this.#out.writableNeedDrain
  }
  /** May this go out before anybody knows how fast the client reads? */
  protected takesAtOnce(chunk: Buffer): boolean {
    return chunk.length <= this.#pieceBytes
  }
  /** Nothing waits to be written, and more may be. */
  protected get isFlowing(): boolean {
    return this.#queue.length === 0 && !this.#isEnding
  }

  abstract writeShared(chunk: SharedChunk): void

  drained(): Promise<void> {
    const { destroyed, writableNeedDrain } = this.#out
    if (destroyed || (this.#queue.length === 0 && !writableNeedDrain)) return Promise.resolve()
    this.#waitsSince ??= performance.now()
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

  /** Forgets what is not sent: nobody will read it. */
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
      if (!this.#give(piece, isLast ? written : undefined)) return this.#awaitDrain()
    }
    if (this.#isEnding) this.#out.end()
    this.#release()
  }

  #give(chunk: Buffer, written: (() => void) | undefined): boolean {
    this.givenBytes += chunk.length
    if (written === undefined) return this.#out.write(chunk)
    // After a failure the system may still look at the bytes.
    return this.#out.write(chunk, failure => {
      if (!failure) written()
    })
  }

  #awaitDrain(): void {
    this.#isWaiting = true
    // Events of a watch are small and shared, so they need not take turns.
    this.#out.once('drain', this.isEndless ? this.#pump : this.#pumpInTurn)
  }

  /** The writer goes on. */
  #release(): void {
    this.#waitsSince = undefined
    if (this.#wake.length === 0) return
    const waiting = this.#wake
    this.#wake = []
    for (const wake of waiting) wake()
  }
}
