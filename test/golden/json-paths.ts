export type JsonObject = Record<string, unknown>
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value at `a.b[0]["key.with.dots"]`; `|b64` at the end decodes it. */
export function valueAt(root: unknown, path: string): unknown {
  const [steps = '', filter] = path.split('|')
  let value = root
  for (const step of steps.match(/[^.[\]]+|\[[^\]]+\]/g) ?? []) {
    if (value === null || value === undefined) return undefined
    const key = step.startsWith('[') ? step.slice(1, -1).replace(/^"|"$/g, '') : step
    value = (value as JsonObject)[key]
  }
  return filter === 'b64' && typeof value === 'string' ? Buffer.from(value, 'base64').toString() : value
}

/** The values at some paths, by path; missing ones are omitted. */
export function pickPaths(root: unknown, paths: readonly string[]): JsonObject {
  return Object.fromEntries(paths.map(path => [path, valueAt(root, path)]).filter(([, value]) => value !== undefined))
}

export type Variables = Record<string, string>

/** Replaces `{{name}}` in every text of a value, keys included. Unknown names stay. */
export function substitute<T>(value: T, variables: Variables): T
export function substitute(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string')
    return value.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => variables[name] ?? whole)
  if (Array.isArray(value)) return value.map(item => substitute(item, variables))
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [substitute(key, variables), substitute(item, variables)]),
    )
  return value
}
