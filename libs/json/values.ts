import { writeJson } from './write-json.js'

/** Plain JSON, as objects are stored and sent. */
export type JsonObject = Record<string, unknown>

/** Whether a value is an object, neither null nor a list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The longest value that a message quotes: values may be as large as a request body. */
const maxQuotedLength = 200

/** A value for a message: in full or only its type, never truncated, so that searching messages for a value finds it. */
export function quoted(value: unknown): string {
  const text = String(writeJson(value))
  if (text.length <= maxQuotedLength) return text
  return Array.isArray(value) ? '[…]' : typeof value === 'string' ? '"…"' : '{…}'
}
