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

/**
 * JSON as Go writes it, with these characters escaped. Needed where the text itself is compared: in path elements, and
 * in the annotation of the command-line client.
 */
export function escapedJson(value: unknown): string {
  if (typeof value === 'string' && /^[\w.\-/:]*$/.test(value)) return `"${value}"`
  const text = JSON.stringify(value)
  if (!/[<>&\u2028\u2029]/.test(text)) return text
  return text.replace(/[<>&\u2028\u2029]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
