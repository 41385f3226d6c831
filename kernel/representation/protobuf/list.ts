import { setImmediate as nextTurn } from 'node:timers/promises'
import { envelopeAround, type TypeMeta } from './envelope.js'
import { putVarint, varintSize } from './wire-writer.js'

export interface ProtobufListOptions {
  /** Type of the list, such as `v1` `ConfigMapList`. */
  readonly type: TypeMeta
  /** The encoded ListMeta; asked for when all items have been read once. */
  metadata(): Uint8Array
  /**
   * Starts reading the items, each encoded, in batches such as the store gives them (a single item is not worth a turn of
   * the microtask queue). Called a second time, and must give the same items, if they do not fit the buffer: read from one
   * revision.
   */
  items(): Iterable<Iterable<Uint8Array>> | AsyncIterable<Iterable<Uint8Array>>
  /** How much of the encoded list is kept in memory. */
  readonly bufferBytes?: number
  /** Is there memory for so many bytes more? Otherwise items are encoded again when they are sent. */
  mayKeep?(bytes: number): boolean
}

/** Holds ten thousand objects of about a kibibyte; ten such lists at once stay below 150 MB. */
const defaultBufferBytes = 12 * 2 ** 20
const chunkBytes = 64 * 1024
const turnBytes = 512 * 1024

/**
 * A list as an enveloped message, in chunks. The envelope states the length of everything inside it up front, so all items are
 * measured before the first byte goes out. What fits the buffer is encoded once and kept; beyond it items are only measured
 * and encoded again while sending. Memory is bounded by the buffer, and lists that fit it (most) cost one pass.
 */
export async function* encodeList(options: ProtobufListOptions): AsyncGenerator<Uint8Array> {
  const kept = new ChunkBuffer(options.bufferBytes ?? defaultBufferBytes, options.mayKeep)
  let total = 0
  let count = 0
  let keptItems = 0
  let nextPause = turnBytes
  for await (const batch of options.items()) {
    for (const item of batch) {
      if (keptItems === count && kept.add(2, item)) keptItems++
      count++
      total += fieldSize(item.length)
    }
    if (total < nextPause) continue
    nextPause = total + turnBytes
    // Measuring sends nothing that could pause us: let other requests have their turn.
    await nextTurn()
  }
  const metadata = new ChunkBuffer(Number.POSITIVE_INFINITY)
  metadata.add(1, options.metadata())
  const { head, tail } = envelopeAround(options.type, metadata.bytes + total)
  yield head
  yield* metadata.chunks
  yield* kept.chunks
  if (keptItems < count) yield* remaining(options, keptItems, total - kept.bytes)
  yield tail
}

async function* remaining(options: ProtobufListOptions, skip: number, due: number): AsyncGenerator<Uint8Array> {
  let index = 0
  let sent = 0
  for await (const batch of options.items()) {
    const chunk = new ChunkBuffer(Number.POSITIVE_INFINITY)
    for (const item of batch) if (index++ >= skip) chunk.add(2, item)
    sent += chunk.bytes
    yield* chunk.chunks
  }
  if (sent !== due) throw new Error('the items of a list changed between measuring and sending')
}

const fieldSize = (length: number): number => 1 + varintSize(length) + length

/** Collects fields in large buffers, up to a limit. */
class ChunkBuffer {
  readonly #limit: number
  readonly #mayKeep: (bytes: number) => boolean
  readonly #full: Uint8Array[] = []
  #open = Buffer.alloc(0)
  #used = 0
  bytes = 0

  constructor(limit: number, mayKeep: (bytes: number) => boolean = () => true) {
    this.#limit = limit
    this.#mayKeep = mayKeep
  }

  /** Adds a length-delimited field. False, and nothing is taken, if it would exceed the limit. */
  add(number: number, body: Uint8Array): boolean {
    const size = fieldSize(body.length)
    if (this.bytes + size > this.#limit) return false
    if (this.#used + size > this.#open.length) {
      this.#close()
      const length = Math.max(chunkBytes, size)
      if (!this.#mayKeep(length)) return false
      this.#open = Buffer.allocUnsafe(length)
    }
    this.#open[this.#used] = (number << 3) | 2
    const start = putVarint(this.#open, this.#used + 1, body.length)
    this.#open.set(body, start)
    this.#used += size
    this.bytes += size
    return true
  }

  get chunks(): readonly Uint8Array[] {
    this.#close()
    return this.#full
  }

  #close(): void {
    if (this.#used > 0) this.#full.push(this.#open.subarray(0, this.#used))
    this.#open = Buffer.alloc(0)
    this.#used = 0
  }
}
