/** Paths in the order in which the document contains them. */
export function inDocumentOrder(document: unknown, paths: readonly string[]): readonly string[] {
  if (paths.length < 2) return paths
  const missing = new Set(paths)
  const found: string[] = []
  const isAbove = (path: string) => {
    for (const each of missing) if (each.startsWith(path)) return true
    return false
  }
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, item] of Object.entries(value)) {
      const place = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
      if (missing.delete(place)) found.push(place)
      if (missing.size === 0) return
      if (isAbove(place)) visit(item, place)
    }
  }
  visit(document, '')
  return [...found, ...missing]
}
