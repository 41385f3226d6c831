/** Plain JSON, as objects are stored and sent. */
export type JsonObject = Record<string, unknown>

/** Is it an object with fields, and neither null nor a list? */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Longest value that a message quotes whole: what was sent may be as large as a body. */
const maxQuotedLength = 200

/** A value as messages quote it: whole or not at all, so that what is searched for in messages is found. */
export function quoted(value: unknown): string {
  const text = String(JSON.stringify(value))
  if (text.length <= maxQuotedLength) return text
  return Array.isArray(value) ? '[…]' : typeof value === 'string' ? '"…"' : '{…}'
}

/** Does it nest deeper than `maxDepth`? Looks level by level, so that the answer itself cannot exhaust the stack. */
export function exceedsDepth(value: unknown, maxDepth: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true
    const next: unknown[] = []
    for (const parent of level) {
      if (typeof parent !== 'object' || parent === null) continue
      for (const each of Object.values(parent)) if (typeof each === 'object' && each !== null) next.push(each)
    }
    level = next
  }
  return false
}
