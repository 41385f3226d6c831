import { canonicalQuantity } from 'orch/sdk/host'
import { copyJson } from '../../libs/json/index.js'
import { type DecodeContext, maxJsonDepth } from './decode-problem.js'
import { canonicalTime, formatMicroTime, parseInstant } from './timestamps.js'
import type { ScalarKind } from './type-model.js'

/** Checks and normalises one value. `field` is only for messages. Never called with null or undefined. */
export type ValueDecoder = (value: unknown, field: string, context: DecodeContext) => unknown

const int32Limit = 2 ** 31

export const scalarDecoders: Readonly<Record<ScalarKind, ValueDecoder>> = {
  string(value, field, context) {
    if (typeof value !== 'string') throw context.mismatch(field, value, 'string')
    return value
  },
  boolean(value, field, context) {
    if (typeof value !== 'boolean') throw context.mismatch(field, value, 'bool')
    return value
  },
  int32(value, field, context) {
    if (!Number.isInteger(value) || (value as number) >= int32Limit || (value as number) < -int32Limit) {
      throw context.mismatch(field, value, 'int32')
    }
    return value
  },
  int64(value, field, context) {
    // A JSON number beyond 2^53 has already lost digits; rejecting it is better than storing another number.
    if (!Number.isSafeInteger(value)) throw context.mismatch(field, value, 'int64')
    return value
  },
  double(value, field, context) {
    if (typeof value !== 'number') throw context.mismatch(field, value, 'float64')
    return value
  },
  bytes: decodeBytes,
  time(value, field, context) {
    if (typeof value !== 'string') throw context.mismatch(field, value, 'v1.Time')
    const canonical = canonicalTime(value)
    if (canonical === undefined) {
      throw context.unreadable(field, `parsing time ${JSON.stringify(value)} as RFC 3339: cannot parse`)
    }
    return canonical
  },
  microTime(value, field, context) {
    if (typeof value !== 'string') throw context.mismatch(field, value, 'v1.MicroTime')
    const instant = /\.\d{6}(Z|[+-]\d\d:\d\d)$/.test(value) ? parseInstant(value) : undefined
    if (!instant) {
      throw context.unreadable(
        field,
        `parsing time ${JSON.stringify(value)} as RFC 3339 with microseconds: cannot parse`,
      )
    }
    return formatMicroTime(instant) ?? null
  },
  quantity(value, field, context) {
    if (typeof value !== 'string' && typeof value !== 'number')
      throw context.mismatch(field, value, 'resource.Quantity')
    try {
      return canonicalQuantity(value)
    } catch (error) {
      throw context.unreadable(field, (error as Error).message)
    }
  },
  intOrString(value, field, context) {
    return typeof value === 'string' ? value : scalarDecoders.int32(value, field, context)
  },
  raw: rawDecoder(maxJsonDepth),
}

/** A value without a schema is copied unchanged, unless it nests deeper than a body may: a patch can have built it. */
function rawDecoder(maxDepth: number): ValueDecoder {
  return (value, field, context) => {
    if (typeof value !== 'object') return value
    return copyJson(value, { maxDepth, tooDeep: () => context.unreadable(field, 'exceeded max depth') })
  }
}

/** A raw value of several forms has a type that may contain itself, and its readers are recursive. */
export const decodeForms = rawDecoder(400)

export const decodeUnstructured: ValueDecoder = (value, field, context) => {
  if (typeof value !== 'object' || Array.isArray(value)) throw context.mismatch(field, value, 'map[string]interface {}')
  return scalarDecoders.raw(value, field, context)
}

function decodeBytes(value: unknown, field: string, context: DecodeContext): string {
  if (typeof value !== 'string') throw context.mismatch(field, value, '[]uint8')
  const text = value.includes('\n') || value.includes('\r') ? value.replace(/[\r\n]/g, '') : value
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
    throw context.unreadable(field, 'illegal base64 data')
  }
  // Unused bits before the padding may be set; equal bytes must always have the same text.
  return text.endsWith('=') ? text.slice(0, -4) + Buffer.from(text.slice(-4), 'base64').toString('base64') : text
}
