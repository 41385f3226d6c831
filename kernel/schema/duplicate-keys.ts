import { pathTo, scanJson } from './scan-json.js'

/**
 * The paths of keys that occur twice in one object of a JSON text: `data.k`, `spec.ports[0].name`. JSON.parse keeps the last
 * one silently, so strict field validation reads the text once more. The text must be valid JSON (parse it first). At most
 * `limit` are looked for: paths are as long as the text nests deep, and a text can have very many of them.
 */
export function duplicateKeys(text: string, limit: number): string[] {
  const duplicates = new Set<string>()
  scanJson<Set<string>>(text, {
    begin: () => new Set(),
    key(open) {
      const { key, note: seen } = open.at(-1)!
      if (seen!.has(key)) duplicates.add(pathTo(open))
      seen!.add(key)
      return duplicates.size >= limit
    },
  })
  return [...duplicates]
}
