import { createRequire } from 'node:module'

/**
 * Evicts modules whose files have changed, and all that import them, so that they are loaded again; all others stay
 * loaded. Returns how many were evicted. See `loadReloadably`.
 */
export function forgetModules(files: readonly string[]): number {
  const { cache } = createRequire(import.meta.url)
  const importers = new Map<string, string[]>()
  for (const [file, module] of Object.entries(cache))
    for (const { filename } of module?.children ?? [])
      importers.set(filename, [...(importers.get(filename) ?? []), file])
  const forgotten = new Set<string>()
  const waiting = files.filter(file => file in cache)
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (forgotten.has(file)) continue
    forgotten.add(file)
    for (const importer of importers.get(file) ?? []) waiting.push(importer)
  }
  for (const file of forgotten) delete cache[file]
  return forgotten.size
}
