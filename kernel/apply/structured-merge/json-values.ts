export { setOwn } from '../../schema/own-property.js'

/** Plain JSON, as objects are stored and sent. */
export type JsonObject = Record<string, unknown>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object's own value of a key. A client may name a key `constructor` or `__proto__`; inherited values do not count. */
export function own(object: JsonObject, key: string): unknown {
  const value = object[key]
  return value === undefined || Object.hasOwn(object, key) ? value : undefined
}

/** Equality of JSON values: the order of keys does not matter, that of list items does. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false
    for (let i = 0; i < left.length; i++) if (!sameJson(left[i], right[i])) return false
    return true
  }
  if (Array.isArray(right)) return false
  const keys = Object.keys(left)
  if (keys.length !== Object.keys(right).length) return false
  for (const key of keys) {
    const other = own(right as JsonObject, key)
    if (other === undefined || !sameJson((left as JsonObject)[key], other)) return false
  }
  return true
}
