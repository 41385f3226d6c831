import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EncodedFields } from './codec.js'
import { delimited, tag } from './encode-scalar.js'
import { envelopeAround, type TypeMeta } from './envelope.js'
import { WireWriter } from './wire-writer.js'

export interface ProtobufListOptions {
  /** Type of the list, such as `v1` `ConfigMapList`. */
  readonly type: TypeMeta
  /** The encoded ListMeta; asked for when all items have been read once. */
  metadata(): Uint8Array
  /**
   * Starts reading the items in batches such as the store gives them, each item as the field `itemsField`. Called a second time, and
   * must give the same items, if they do not fit the buffer: read from one revision.
   */
  items(): Iterable<EncodedFields> | AsyncIterable<EncodedFields>
  /** How much of the encoded list is kept in memory. */
  readonly bufferBytes?: number
  /** Is there memory for so many bytes more? Otherwise items are encoded again when they are sent. */
  mayKeep?(bytes: number): boolean
}

/** The field of a list that holds its items. */
export const itemsField = 2
const metadataField = 1

/** Holds ten thousand objects of about a kibibyte; ten such lists at once stay below 150 MB. */
const defaultBufferBytes = 12 * 2 ** 20
const turnBytes = 512 * 1024

/**
 * A list as an enveloped message, in pieces. The envelope states the length of everything inside it up front, so all items are
 * measured before the first byte goes out. What fits the buffer is encoded once and kept; beyond it items are only measured
 * and encoded again while sending. Memory is bounded by the buffer, and lists that fit it (most) cost one pass.
 */
export async function* encodeList(options: ProtobufListOptions): AsyncGenerator<Uint8Array> {
  const { bufferBytes = defaultBufferBytes, mayKeep = () => true } = options
  const kept: Buffer[] = []
  let keptBytes = 0
  let keptItems = 0
  let isKeeping = true
  let total = 0
  let nextPause = turnBytes
  for await (const { bytes, ends } of options.items()) {
    isKeeping &&= keptBytes + bytes.length <= bufferBytes && mayKeep(bytes.length)
    if (isKeeping) {
      kept.push(bytes)
      keptBytes += bytes.length
      keptItems += ends.length
    }
    total += bytes.length
    if (total < nextPause) continue
    nextPause = total + turnBytes
    // Measuring sends nothing that could pause us: let other requests have their turn.
    await nextTurn()
  }
  const metadata = new WireWriter().unsigned(tag(metadataField, delimited)).bytes(options.metadata()).toBytes()
  const { head, tail } = envelopeAround(options.type, metadata.length + total)
  yield head
  yield metadata
  yield* kept
  if (keptBytes < total) yield* remaining(options, keptItems, total - keptBytes)
  yield tail
}

async function* remaining(options: ProtobufListOptions, skip: number, due: number): AsyncGenerator<Uint8Array> {
  let passed = 0
  let sent = 0
  for await (const { bytes, ends } of options.items()) {
    // Batches may be cut elsewhere the second time.
    const sentBefore = Math.min(ends.length, skip - passed)
    passed += Math.max(0, sentBefore)
    const rest = sentBefore > 0 ? bytes.subarray(ends[sentBefore - 1]!) : bytes
    sent += rest.length
    if (rest.length > 0) yield rest
  }
  if (sent !== due) throw new Error('the items of a list changed between measuring and sending')
}
