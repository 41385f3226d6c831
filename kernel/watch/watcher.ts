import type { Revision } from 'orch/sdk/host'
import type { ResponseStream, SharedChunk } from '../contracts/exchange.js'
import type { EventEncoder } from './event-encoder.js'
import type { StatePiece } from './initial-state.js'

/** Why a watch is over. A client that was too slow resumes by version and misses nothing. */
export type EndReason = 'closed' | 'timeout' | 'too-slow' | 'compacted'

/** The most that is written to a client at once during its initial state. */
const maxSharedBytes = 128 * 1024

/** How long before its timeout a watch gets its last bookmark. */
const bookmarkBeforeEndMs = 2000

/** One client's watch: a bounded buffer between the hub and a stream. */
export class Watcher {
  readonly #stream: ResponseStream
  readonly #encoder: EventEncoder
  readonly #bufferLimitBytes: number
  readonly #endListeners: (() => void)[] = []
  readonly #endsAt: number
  #bookmarkEveryMs = Number.POSITIVE_INFINITY
  #nextBookmarkAt = Number.POSITIVE_INFINITY
  #ended: EndReason | undefined
  /** Everything up to this revision was sent. */
  #sentRevision: Revision

  constructor(stream: ResponseStream, encoder: EventEncoder, bufferLimitBytes: number, from: Revision, endsAt: number) {
    this.#stream = stream
    this.#encoder = encoder
    this.#bufferLimitBytes = bufferLimitBytes
    this.#sentRevision = from
    this.#endsAt = endsAt
    stream.onClose(() => this.end('closed'))
  }

  get isEnded(): boolean {
    return this.#ended !== undefined
  }
  get endReason(): EndReason | undefined {
    return this.#ended
  }

  /** Sends bytes to the client; a client that leaves too much unread is disconnected. */
  deliver(chunk: SharedChunk, revision: Revision): void {
    if (this.#ended) return
    this.#stream.writeShared(chunk)
    this.#sentRevision = revision
    if (this.#stream.bufferedBytes > this.#bufferLimitBytes) this.end('too-slow')
  }

  /** Writes during replay, at the client's pace. */
  async deliverAtPace(bytes: Buffer, revision: Revision, written?: () => void): Promise<void> {
    // It may have timed out between two pieces: a stream that has ended accepts no more.
    if (this.#ended) return
    this.#sentRevision = revision
    if (!this.#stream.write(bytes, written)) await this.#stream.drained()
  }

  /** Writes a piece of the initial state, at the client's pace. */
  async deliverState({ chunk, isCached, written }: StatePiece, revision: Revision): Promise<void> {
    // A large object is sent in parts: the progress of a slow client is only visible between them.
    if (!isCached || chunk.bytes.length > maxSharedBytes) return this.deliverAtPace(chunk.bytes, revision, written)
    if (this.#ended) return
    this.#sentRevision = revision
    this.#stream.writeShared(chunk)
    await this.#stream.drained()
  }

  /** Sends bookmarks from now on. */
  bookmarkEvery(intervalMs: number, now: number): void {
    this.#bookmarkEveryMs = intervalMs
    this.#nextBookmarkAt = this.#bookmarkTime(now)
  }
  bookmarkIfDue(dispatched: Revision, now: number): void {
    if (this.#ended || now < this.#nextBookmarkAt) return
    this.#nextBookmarkAt = this.#bookmarkTime(now)
    this.#stream.write(this.#encoder.encodeBookmark(Math.max(dispatched, this.#sentRevision)))
  }

  onEnd(listener: () => void): void {
    this.#endListeners.push(listener)
  }

  end(reason: EndReason): void {
    if (this.#ended) return
    this.#ended = reason
    for (const listener of this.#endListeners) listener()
    if (this.#stream.isClosed) return
    // A client that does not read would not read the end either; drop its buffered bytes.
    if (reason === 'too-slow') this.#stream.destroy()
    else this.#stream.end()
  }

  #bookmarkTime(now: number): number {
    const beforeEnd = this.#endsAt - bookmarkBeforeEndMs
    const next = now + this.#bookmarkEveryMs
    return beforeEnd > now ? Math.min(next, beforeEnd) : next
  }
}
