import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../../libs/json/index.js'
import type { Steps } from '../contracts/turns.js'

const refPrefix = '#/definitions/'

/**
 * Merges the OpenAPI v2 documents of extension servers into ours, which stays unchanged. A definition whose name is already used for
 * another schema is renamed, as in the reference (`…_v2`).
 */
export function* mergeDocuments(own: JsonObject, others: readonly object[]): Steps<JsonObject> {
  if (others.length === 0) return own
  const paths: JsonObject = { ...(own['paths'] as JsonObject) }
  const definitions: JsonObject = { ...(own['definitions'] as JsonObject) }
  const parameters: JsonObject = { ...(own['parameters'] as JsonObject) }
  for (const other of others as readonly JsonObject[]) {
    const renamed = new Map<string, string>()
    const added = (other['definitions'] ?? {}) as JsonObject
    for (const [name, definition] of Object.entries(added)) {
      if (name in definitions && !isDeepStrictEqual(definitions[name], definition))
        renamed.set(name, freeName(name, definitions, added))
      yield
    }
    for (const [name, definition] of Object.entries(added)) {
      definitions[renamed.get(name) ?? name] ??= renameRefs(definition, renamed)
      yield
    }
    // Their names contain a hash, so parameters with the same name are equal.
    for (const [name, parameter] of Object.entries((other['parameters'] ?? {}) as JsonObject))
      parameters[name] ??= renameRefs(parameter, renamed)
    for (const [path, item] of Object.entries((other['paths'] ?? {}) as JsonObject)) {
      paths[path] ??= renameRefs(item, renamed)
      yield
    }
  }
  return { ...own, paths, definitions, ...(Object.keys(parameters).length > 0 ? { parameters } : {}) }
}

function freeName(name: string, ...taken: readonly JsonObject[]): string {
  let count = 2
  while (taken.some(definitions => `${name}_v${count}` in definitions)) count++
  return `${name}_v${count}`
}

function renameRefs(value: unknown, renamed: ReadonlyMap<string, string>): unknown {
  if (renamed.size === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(item => renameRefs(item, renamed))
  const rename = (key: string, item: unknown) => {
    if (key !== '$ref' || typeof item !== 'string' || !item.startsWith(refPrefix)) return renameRefs(item, renamed)
    const name = item.slice(refPrefix.length)
    return refPrefix + (renamed.get(name) ?? name)
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rename(key, item)]))
}
