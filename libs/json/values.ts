import { writeJson } from './write-json.js'

/** Plain JSON, as objects are stored and sent. */
export type JsonObject = Record<string, unknown>

/** Is it an object with fields, and neither null nor a list? */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Longest value that a message quotes whole: what was sent may be as large as a body. */
const maxQuotedLength = 200

/** A value as messages quote it: whole or not at all, so that what is searched for in messages is found. */
export function quoted(value: unknown): string {
  const text = String(writeJson(value))
  if (text.length <= maxQuotedLength) return text
  return Array.isArray(value) ? '[…]' : typeof value === 'string' ? '"…"' : '{…}'
}
