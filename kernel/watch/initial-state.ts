import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ListChunk, ListPage, Revision } from 'orch/sdk/host'
import { SharedChunk } from '../contracts/exchange.js'
import type { EventEncoder } from './event-encoder.js'

/** The size of the cache for watchers that start at the same version; the same amount may be read ahead. */
const maxKeptBytes = 16 * 1024 * 1024
/** The limit for a state that only one watcher has requested so far. */
const smallBytes = 1024 * 1024
const turnBytes = 512 * 1024
/**
 * The size of a piece, unless one object is larger. Watchers that start together each hold one, and once more encrypted: whole
 * chunks of the store took three times the memory (benchmark: watch-init-1000x1000).
 */
const pieceBytes = 64 * 1024
/** Overhead of an entry. Without it, states of empty collections would be cached without limit. */
const entryBytes = 1024

/** A part of the ADDED events of a state. */
export interface StatePiece {
  readonly chunk: SharedChunk
  /**
   * Several watchers may get it, so it is framed once for all of them: a frame for each would cost more than encrypting it
   * (benchmark: watch-init-1000x1000).
   */
  readonly isCached: boolean
  /** To be called when the bytes have been written: their memory is reused. */
  readonly written?: () => void
}
const sizeOf = ({ chunk }: StatePiece): number => chunk.bytes.length
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
          total += sizeOf(piece)
          unsent += sizeOf(piece)
          this.#aheadBytes += sizeOf(piece)
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
        unsent -= sizeOf(piece)
        this.#aheadBytes -= sizeOf(piece)
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

/** The bodies of a listing as frames. */
class StateSource {
  readonly #encoder: EventEncoder
  readonly #items: AsyncIterator<ListChunk> | Iterator<ListChunk>
  readonly #buffers: BufferPool
  /** Whether the memory of pieces may be reused once they are written. */
  reusesMemory = false
  isAtEnd = false
  /** What is left of the current chunk. */
  #parts: Iterator<ListChunk> | undefined
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
    const part = await this.#nextPart()
    if (part === undefined) return undefined
    const piece = await this.#encode(part)
    // Frames are copies.
    part.release?.()
    this.#untilPause -= sizeOf(piece)
    return piece
  }
  /** The next part of a chunk; undefined, and the end is noted, when there is none. */
  async #nextPart(): Promise<ListChunk | undefined> {
    for (;;) {
      const part = this.#parts?.next()
      if (part && !part.done) return part.value
      const { value: chunk, done } = await this.#items.next()
      if (done) {
        this.isAtEnd = true
        return undefined
      }
      this.#parts = partsOf(chunk)[Symbol.iterator]()
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
    const isCached = !this.reusesMemory
    const piece = (bytes: Buffer) => ({ chunk: new SharedChunk(bytes), isCached })
    if (encoder.outside) return piece(await encoder.outside.encodeInitial(chunk))
    if (isCached) return piece(encoder.encodeInitial(chunk, Buffer.allocUnsafe))
    let taken: Buffer | undefined
    const bytes = encoder.encodeInitial(chunk, length => {
      taken = this.#buffers.take(length)
      return taken.subarray(0, length)
    })
    return taken ? { ...piece(bytes), written: () => this.#buffers.release(taken!) } : piece(bytes)
  }
}

/** Splits a chunk into parts of the size of a piece. Its memory is returned with the last one. */
function* partsOf({ joined, offsets, count, lastKey, more, release }: ListChunk): Iterable<ListChunk> {
  for (let first = 0; first < count; ) {
    const start = offsets[first]!
    let next = first + 1
    while (next < count && (offsets[next + 1] ?? joined.length) - start <= pieceBytes) next++
    const isLast = next === count
    yield {
      joined: joined.subarray(start, isLast ? joined.length : offsets[next]! - 1),
      offsets: offsets.slice(first, next).map(offset => offset - start),
      count: next - first,
      lastKey,
      more,
      ...(isLast && release ? { release } : {}),
    }
    first = next
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
/** Enough for the frames of a piece of small objects. */
const usualBytes = 2 * pieceBytes
const maxPooled = 32
