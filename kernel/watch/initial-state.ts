import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ListChunk, ListPage, Revision } from 'orch/sdk/host'
import type { EventEncoder } from './event-encoder.js'

/** The size of the cache for watchers that start at the same version; the same amount may be read ahead. */
const maxKeptBytes = 16 * 1024 * 1024
/** The limit for a state that only one watcher has requested so far. */
const smallBytes = 1024 * 1024
const turnBytes = 512 * 1024
/** Overhead of an entry. Without it, states of empty collections would be cached without limit. */
const entryBytes = 1024

/** A part of the ADDED events of a state. */
export interface StatePiece {
  readonly bytes: Buffer
  /** To be called when the bytes have been written: their memory is reused. Absent for cached pieces. */
  readonly written?: () => void
}
interface KeptState {
  readonly revision: Revision
  readonly pieces: readonly StatePiece[]
  readonly bytes: number
}

interface SentState {
  /** To how many watchers. A state that two watchers want at once is worth caching. */
  watchers: number
  /** The version at which it was too large to be cached: then watchers do not wait for each other. */
  tooLargeAt: Revision | undefined
}

/** The synthetic ADDED events of a collection, shared by watchers that start while nothing changes. */
export class InitialStates {
  readonly #kept = new Map<string, KeptState>()
  /** States that are being read ahead: a thousand watchers that start together wait for one of them. */
  readonly #begun = new Map<string, { readonly revision: Revision; readonly done: Promise<void> }>()
  /** States that are being sent. */
  readonly #sending = new Map<string, SentState>()
  readonly #buffers = new BufferPool()
  #keptBytes = 0
  /** Bytes that were read ahead and are not sent yet. */
  #aheadBytes = 0

  /** The state under this id, if it is still that of `revision`; waits for one that is being encoded. */
  async find(id: string, revision: Revision): Promise<readonly StatePiece[] | undefined> {
    const begun = this.#begun.get(id)
    if (begun?.revision === revision) await begun.done
    const kept = this.#kept.get(id)
    return kept?.revision === revision ? kept.pieces : undefined
  }

  /** Encodes a listing piece by piece, and caches it when it is small, or when several watchers want it. */
  async *encode(id: string, page: ListPage, encoder: EventEncoder): AsyncIterable<StatePiece> {
    // If the state they waited for was not cached, all waiting watchers wake up together: one reads it, the others wait again.
    do {
      const kept = await this.find(id, page.revision)
      if (kept) {
        yield* kept
        return
      }
    } while (this.#begun.get(id)?.revision === page.revision)
    const source = new StateSource(page, encoder, this.#buffers)
    const sent = this.#sending.get(id) ?? { watchers: 0, tooLargeAt: undefined }
    this.#sending.set(id, sent)
    const limit = sent.watchers++ === 0 ? smallBytes : maxKeptBytes
    try {
      const isTooLarge = sent.tooLargeAt === page.revision
      if (!isTooLarge && !this.#begun.has(id)) yield* this.#readAhead(id, page.revision, source, limit)
      source.reusesMemory = true
      // The rest is not cached: it is read as fast as this watcher receives it.
      yield* source
    } finally {
      if (--sent.watchers === 0) this.#sending.delete(id)
      await source.close()
    }
  }

  /** Reads as much as may be cached, so that waiting watchers do not depend on the speed of this one, and then yields it. */
  async *#readAhead(id: string, revision: Revision, source: StateSource, limit: number): AsyncIterable<StatePiece> {
    let finish = () => {}
    const done = new Promise<void>(resolve => {
      finish = resolve
    })
    this.#begun.set(id, { revision, done })
    const pieces: StatePiece[] = []
    let total = 0
    let unsent = 0
    try {
      try {
        while (total < limit && this.#aheadBytes < maxKeptBytes) {
          const piece = await source.next()
          if (piece === undefined) break
          pieces.push(piece)
          total += piece.bytes.length
          unsent += piece.bytes.length
          this.#aheadBytes += piece.bytes.length
        }
        const sent = this.#sending.get(id)
        if (source.isAtEnd) this.#keep(id, { revision, pieces, bytes: total + entryBytes })
        else if (sent && limit === maxKeptBytes) sent.tooLargeAt = revision
      } finally {
        this.#begun.delete(id)
        finish()
      }
      for (const piece of pieces) {
        yield piece
        unsent -= piece.bytes.length
        this.#aheadBytes -= piece.bytes.length
      }
    } finally {
      this.#aheadBytes -= unsent
    }
  }

  #keep(id: string, state: KeptState): void {
    this.#keptBytes -= this.#kept.get(id)?.bytes ?? 0
    this.#kept.delete(id)
    if (this.#keptBytes + state.bytes > maxKeptBytes) {
      this.#kept.clear()
      this.#keptBytes = 0
    }
    this.#kept.set(id, state)
    this.#keptBytes += state.bytes
  }
}

/** The bodies of a listing as frames: a piece for each chunk of the store. */
class StateSource {
  readonly #encoder: EventEncoder
  readonly #items: AsyncIterator<ListChunk> | Iterator<ListChunk>
  readonly #buffers: BufferPool
  /** Whether the memory of pieces may be reused once they are written. */
  reusesMemory = false
  isAtEnd = false
  #untilPause = turnBytes

  constructor(page: ListPage, encoder: EventEncoder, buffers: BufferPool) {
    this.#encoder = encoder
    this.#buffers = buffers
    this.#items =
      Symbol.asyncIterator in page.items ? page.items[Symbol.asyncIterator]() : page.items[Symbol.iterator]()
  }

  /** Undefined at the end. */
  async next(): Promise<StatePiece | undefined> {
    if (this.isAtEnd) return undefined
    // Reading ahead never waits by itself: yield to other requests.
    if (this.#untilPause <= 0) await nextTurn()
    if (this.#untilPause <= 0) this.#untilPause = turnBytes
    for (;;) {
      const { value: chunk, done } = await this.#items.next()
      if (done) {
        this.isAtEnd = true
        return undefined
      }
      if (chunk.count === 0) continue
      const piece = await this.#encode(chunk)
      // Frames are copies.
      chunk.release?.()
      this.#untilPause -= piece.bytes.length
      return piece
    }
  }
  async *[Symbol.asyncIterator](): AsyncIterator<StatePiece> {
    for (let piece = await this.next(); piece; piece = await this.next()) yield piece
  }
  async close(): Promise<void> {
    if (!this.isAtEnd) await this.#items.return?.()
  }

  async #encode(chunk: ListChunk): Promise<StatePiece> {
    const encoder = this.#encoder
    if (encoder.outside) return { bytes: await encoder.outside.encodeInitial(chunk) }
    if (!this.reusesMemory) return { bytes: encoder.encodeInitial(chunk, Buffer.allocUnsafe) }
    let taken: Buffer | undefined
    const bytes = encoder.encodeInitial(chunk, length => {
      taken = this.#buffers.take(length)
      return taken.subarray(0, length)
    })
    return taken ? { bytes, written: () => this.#buffers.release(taken!) } : { bytes }
  }
}

/** Reuses the buffers of written pieces: a new one for each would keep the garbage collector busy. */
class BufferPool {
  readonly #free: Buffer[] = []

  take(length: number): Buffer {
    const fitting = this.#free.findIndex(buffer => buffer.length >= length)
    if (fitting >= 0) return this.#free.splice(fitting, 1)[0]!
    return Buffer.allocUnsafeSlow(Math.max(length, usualBytes))
  }
  release(buffer: Buffer): void {
    if (buffer.length === usualBytes && this.#free.length < maxPooled) this.#free.push(buffer)
  }
}
/** Enough for the frames of a chunk of small objects. */
const usualBytes = 512 * 1024
const maxPooled = 8
