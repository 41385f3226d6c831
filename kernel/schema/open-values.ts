import { Kind } from 'orch/sdk'
import type { ValueRules } from 'orch/sdk/host'
import { compileDecoder, type Decoder } from './decode.js'
import { DecodeContext } from './decode-problem.js'
import { once } from './derive.js'
import { compileNormalize, type Normalize } from './normalize.js'
import { compileView, type View } from './normalized-view.js'
import { buildTypeModel, type StructNode } from './type-model.js'

/** Objects whose fields a plugin decodes by its own rules share only their metadata with all others. */
const metadataOnly = once(() => buildTypeModel(Kind('', {})) as StructNode)
const decodeMetadata = once(() => compileDecoder(metadataOnly()))

/** Decodes objects by the rules of a plugin, and their metadata like that of every object. */
export function openDecoder(values: ValueRules): Decoder {
  return (json, report) => {
    const { metadata, ...fields } = (json ?? {}) as Record<string, unknown>
    const decoded = decodeMetadata()({ metadata: metadata ?? {} }, report) as Record<string, unknown>
    const context = new DecodeContext('object', report)
    const unknownField = report?.unknownField?.bind(report)
    return { ...decoded, ...values.prune(fields, unknownField, items => context.countItems(items, '')) }
  }
}

/** Calls a plugin right after decoding, for the values that have no schema. */
export function readingRest(decode: Decoder, read: ((object: never) => void) | undefined): Decoder {
  if (!read) return decode
  return (json, report) => {
    const object = decode(json, report)
    read(object as never)
    return object
  }
}

/** The stored form of such an object: unchanged except for its metadata. */
export const normalizeMetadata = once((): Normalize => compileNormalize(metadataOnly()))
export const viewMetadata = once((): View => compileView(metadataOnly()))
