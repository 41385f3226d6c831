export { own, setOwn } from '../../schema/own-property.js'
export { sameJson } from '../../schema/same-json.js'

/** Plain JSON, as objects are stored and sent. */
export type JsonObject = Record<string, unknown>

export { isRecord as isObject } from 'orch/sdk'

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

/** Longest value that a message quotes whole: what was sent may be as large as a body. */
const maxQuotedLength = 200

/** A value as messages quote it: whole or not at all, so that what is searched for in messages is found. */
export function quoted(value: unknown): string {
  const text = String(JSON.stringify(value))
  if (text.length <= maxQuotedLength) return text
  return Array.isArray(value) ? '[…]' : typeof value === 'string' ? '"…"' : '{…}'
}
