import type { ServerResponse } from 'node:http'
import type { ResponseStream, SharedChunk } from '../contracts/exchange.js'

/** What a stream tells its server. */
export interface StreamHost {
  /** Bytes of large answers that no socket has been given yet. */
  queuedBytes: number
}

/**
 * A socket is given an answer in pieces of this size. What it holds it copies when it encrypts, and only between pieces is it
 * seen whether the client reads.
 */
const pieceBytes = 128 * 1024

/** Beside the response, which is Node's: it has no room for fields of ours. */
const streams = new WeakMap<ServerResponse, AnswerStream>()

/** The stream over which an answer goes out, unless it went out in one piece. */
export const answerStreamOf = (response: ServerResponse): AnswerStream | undefined => streams.get(response)

/** An answer on its way to a socket, at the pace of whoever reads it. */
export class AnswerStream implements ResponseStream {
  readonly #response: ServerResponse
  readonly #host: StreamHost
  readonly #queue: Buffer[] = []
  #queuedBytes = 0
  #heldBytes = 0
  #isEnding = false
  #isWaiting = false
  #wake: (() => void)[] = []
  #waitsSince: number | undefined
  /** It has no end of its own, as a watch: nobody needs to read it to the end in time. */
  readonly isEndless: boolean

  constructor(response: ServerResponse, host: StreamHost, isEndless: boolean) {
    this.#response = response
    this.#host = host
    this.isEndless = isEndless
    streams.set(response, this)
    response.once('close', () => this.drop())
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
    return this.#queuedBytes + this.#response.writableLength
  }
  get isClosed(): boolean {
    return this.#response.destroyed || this.#isEnding
  }
  /** How long the writer has waited for the reader. */
  get stalledMs(): number {
    return this.#waitsSince === undefined ? 0 : performance.now() - this.#waitsSince
  }

  write(chunk: Buffer): boolean {
    if (this.#queue.length === 0 && chunk.length <= pieceBytes) return this.#response.write(chunk)
    if (this.#response.destroyed) return true
    this.#queue.push(chunk)
    this.#add(chunk.length)
    if (!this.#isWaiting) this.#pump()
    return this.#queue.length === 0 && !this.#response.writableNeedDrain
  }

  writeShared(chunk: SharedChunk): void {
    const { socket, chunkedEncoding } = this.#response
    // One buffer past the response is one TLS record; through it, the same chunk would be three of them.
    if (socket && chunkedEncoding && !this.#isEnding && this.#queue.length === 0) socket.write(chunk.chunked)
    else this.write(chunk.bytes)
  }

  drained(): Promise<void> {
    const { destroyed, writableNeedDrain } = this.#response
    if (destroyed || (this.#queue.length === 0 && !writableNeedDrain)) return Promise.resolve()
    this.#waitsSince ??= performance.now()
    if (this.#wake.length === 0 && !this.#isWaiting) this.#awaitDrain()
    return new Promise(resolve => this.#wake.push(resolve))
  }

  end(): void {
    this.#isEnding = true
    if (this.#queue.length === 0) this.#response.end()
  }

  destroy(): void {
    this.drop()
    this.#response.destroy()
  }

  /** Forgets what is not sent: nobody will read it. */
  drop(): void {
    this.#queue.length = 0
    this.#add(-this.#queuedBytes)
    this.hold(-this.#heldBytes)
    this.#release()
  }

  onClose(listener: () => void): void {
    this.#response.once('close', listener)
  }

  #add(bytes: number): void {
    this.#queuedBytes += bytes
    this.#host.queuedBytes += bytes
  }

  readonly #pump = (): void => {
    this.#isWaiting = false
    for (let chunk = this.#queue[0]; chunk !== undefined; chunk = this.#queue[0]) {
      const piece = chunk.length > pieceBytes ? chunk.subarray(0, pieceBytes) : chunk
      if (piece === chunk) this.#queue.shift()
      else this.#queue[0] = chunk.subarray(pieceBytes)
      this.#add(-piece.length)
      if (!this.#response.write(piece)) return this.#awaitDrain()
    }
    if (this.#isEnding) this.#response.end()
    this.#release()
  }

  #awaitDrain(): void {
    this.#isWaiting = true
    this.#response.once('drain', this.#pump)
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
