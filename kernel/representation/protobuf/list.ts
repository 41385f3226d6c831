import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EncodedFields } from './codec.js'
import { delimited, tag } from './encode-scalar.js'
import { envelopeAround, type TypeMeta } from './envelope.js'
import { WireWriter } from './wire-writer.js'

export interface ProtobufListOptions {
  /** Type of the list, such as `v1` `ConfigMapList`. */
  readonly type: TypeMeta
  /** The encoded ListMeta; called when all items have been read once. */
  metadata(): Uint8Array
  /**
   * Starts reading the items in batches of the store, each item as the field `itemsField`. Called a second time if they do not fit
   * the buffer, with the end of the last batch that does: it must return the same items after that, from the same revision, and may
   * return more.
   */
  items(after: string | undefined): Iterable<ItemBatch> | AsyncIterable<ItemBatch>
  /** The maximum size of the part of the encoded list that is buffered. */
  readonly bufferBytes?: number
  /** Is there memory for this many more bytes? Otherwise items are encoded again when they are sent. */
  mayKeep?(bytes: number): boolean
}

/** Consecutive items. */
export interface ItemBatch extends EncodedFields {
  /** The key of the last one, from which reading can continue. */
  readonly lastKey?: string | undefined
}

/** The field of a list that contains its items. */
export const itemsField = 2
const metadataField = 1

/** Holds ten thousand objects of about a kibibyte; ten such lists at once stay below 150 MB. */
const defaultBufferBytes = 12 * 2 ** 20
const turnBytes = 512 * 1024

/**
 * A list as an enveloped message, in chunks. The envelope starts with the length of its contents, so all items are measured before
 * the first byte is sent. Items that fit the buffer are encoded once and kept; the others are only measured, and encoded again
 * while sending. Memory is bounded by the buffer, and lists that fit it (most) cost one pass.
 */
export async function* encodeList(options: ProtobufListOptions): AsyncGenerator<Uint8Array> {
  const { bufferBytes = defaultBufferBytes, mayKeep = () => true } = options
  const kept: Buffer[] = []
  let keptBytes = 0
  let keptUntil: string | undefined
  let isKeeping = true
  let total = 0
  let nextPause = turnBytes
  for await (const { bytes, lastKey } of options.items(undefined)) {
    isKeeping &&= keptBytes + bytes.length <= bufferBytes && mayKeep(bytes.length)
    if (isKeeping) {
      kept.push(bytes)
      keptBytes += bytes.length
      keptUntil = lastKey
    }
    total += bytes.length
    if (total < nextPause) continue
    nextPause = total + turnBytes
    // Measuring sends nothing, so there is no backpressure: yield to other requests.
    await nextTurn()
  }
  const metadata = new WireWriter().unsigned(tag(metadataField, delimited)).bytes(options.metadata()).toBytes()
  const { head, tail } = envelopeAround(options.type, metadata.length + total)
  yield head
  yield metadata
  yield* kept
  if (keptBytes < total) yield* remaining(options.items(keptUntil), total - keptBytes)
  yield tail
}

/** The measured items: this many bytes of the batches, which may be split differently the second time. */
async function* remaining(batches: ReturnType<ProtobufListOptions['items']>, due: number): AsyncGenerator<Uint8Array> {
  let missing = due
  for await (const { bytes, ends } of batches) {
    const isWhole = bytes.length <= missing
    if (!isWhole && !ends.includes(missing)) break
    yield isWhole ? bytes : bytes.subarray(0, missing)
    missing -= Math.min(bytes.length, missing)
    if (missing === 0) return
  }
  throw new Error('the items of a list changed between measuring and sending')
}
