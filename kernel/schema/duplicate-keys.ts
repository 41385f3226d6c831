import { atOnce, type InTurns } from '../contracts/in-turns.js'
import { pathTo, scanInTurns } from './scan-json.js'

/**
 * The paths of keys that occur twice in one object of a JSON text: `data.k`, `spec.ports[0].name`. JSON.parse keeps the last
 * one silently, so strict field validation reads the text once more. The text must be valid JSON (parse it first). At most
 * `limit` are looked for: paths are as long as the text nests deep, and a text can have very many of them.
 */
export const duplicateKeys = (text: string, limit: number): string[] => atOnce(duplicateKeysInTurns(text, limit))

/** The same for a request, which may yield. */
export function* duplicateKeysInTurns(text: string, limit: number): InTurns<string[]> {
  const duplicates = new Set<string>()
  yield* scanInTurns<Set<string>>(text, {
    begin: () => undefined,
    key(open) {
      const container = open.at(-1)!
      const { key } = container
      // Only for objects with keys: a text can have hundreds of thousands without.
      container.note ??= new Set()
      const seen = container.note
      if (seen.has(key)) duplicates.add(pathTo(open))
      else seen.add(key)
      return duplicates.size >= limit
    },
  })
  return [...duplicates]
}
