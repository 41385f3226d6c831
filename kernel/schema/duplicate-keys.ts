/**
 * The paths of keys that occur twice in one object of a JSON text: `data.k`, `spec.ports[0].name`. JSON.parse keeps the last
 * one silently, so strict field validation reads the text once more. The text must be valid JSON (parse it first). At most
 * `limit` are looked for: paths are as long as the text nests deep, and a text can have very many of them.
 */
export function duplicateKeys(text: string, limit: number): string[] {
  const duplicates = new Set<string>()
  const open: Container[] = []
  let position = 0
  while (position < text.length && duplicates.size < limit) {
    const top = open.at(-1)
    switch (text[position]) {
      case '{':
        open.push({ keys: new Set(), key: '', index: -1 })
        break
      case '[':
        open.push({ keys: undefined, key: '', index: 0 })
        break
      case '}':
      case ']':
        open.pop()
        break
      case ',':
        if (top && top.index >= 0) top.index++
        break
      case '"': {
        const end = endOfString(text, position)
        if (top?.keys && isKey(text, end)) {
          top.key = JSON.parse(text.slice(position, end)) as string
          if (top.keys.has(top.key)) duplicates.add(pathTo(open))
          top.keys.add(top.key)
        }
        position = end - 1
      }
    }
    position++
  }
  return [...duplicates]
}

interface Container {
  /** Keys seen so far; undefined for a list. */
  readonly keys: Set<string> | undefined
  key: string
  /** Of a list: where we are; -1 for an object. */
  index: number
}

function endOfString(text: string, start: number): number {
  let position = start + 1
  while (position < text.length && text[position] !== '"') position += text[position] === '\\' ? 2 : 1
  return position + 1
}

function isKey(text: string, end: number): boolean {
  while (text[end] === ' ' || text[end] === '\n' || text[end] === '\t' || text[end] === '\r') end++
  return text[end] === ':'
}

function pathTo(open: readonly Container[]): string {
  let path = ''
  for (const { keys, key, index } of open) {
    if (keys) path += path === '' ? key : `.${key}`
    else path += `[${index}]`
  }
  return path
}
