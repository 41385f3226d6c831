import {
  CelList,
  CelMap,
  Duration,
  durationText,
  Failure,
  Optional,
  Timestamp,
  TypeValue,
  timestampText,
  Uint,
  type Work,
} from '../cel/index.js'

/**
 * Converts the value of an expression to JSON. Integers become numbers of JavaScript. A value can contain the same part a billion
 * times, so every part is charged.
 */
export function jsonOf(work: Work, value: unknown): unknown {
  // The results of most rules and messages.
  if (typeof value === 'boolean' || typeof value === 'string') return value
  work.steps(4)
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof CelList) {
    const items: unknown[] = []
    for (const item of value) items.push(jsonOf(work, item))
    return items
  }
  if (value instanceof CelMap) {
    const object: Record<string, unknown> = {}
    for (const key of value.keys())
      Object.defineProperty(object, String(jsonOf(work, key)), {
        value: jsonOf(work, value.get(key)),
        enumerable: true,
        configurable: true,
        writable: true,
      })
    return object
  }
  if (value instanceof Uint) return Number(value.value)
  if (value instanceof Timestamp) return timestampText(value)
  if (value instanceof Duration) return durationText(value)
  if (value instanceof TypeValue) return value.name
  if (value instanceof Optional) return value.some ? jsonOf(work, value.some.value) : null
  if (value instanceof Uint8Array) {
    work.steps(value.length / 4)
    return Buffer.from(value).toString('base64')
  }
  throw new Failure('the value cannot be converted to JSON')
}
