import { duplicate } from 'orch/sdk'
import type { SchemaNode } from './schema-node.js'
import { canonical } from './validate-value.js'
import { itemKey, type Visit } from './visit.js'

/** Reports duplicate items of sets and map lists. */
export function uniqueItems({ listType, listMapKeys }: SchemaNode): Visit | undefined {
  if (listType !== 'set' && listType !== 'map') return undefined
  const keyOf = listType === 'set' ? canonical : (item: unknown) => itemKey(item, listMapKeys)
  return (value, path, errors) => {
    if (!Array.isArray(value)) return
    const seen = new Set<string>()
    const reported = new Set<string>()
    value.forEach((item, index) => {
      const key = keyOf(item)
      if (seen.has(key) && !reported.has(key)) {
        reported.add(key)
        errors.push(duplicate(`${path}[${index}]`, listType === 'set' ? item : shownKey(item, listMapKeys)))
      }
      seen.add(key)
    })
  }
}

const shownKey = (item: unknown, keys: readonly string[]) =>
  Object.fromEntries(keys.map(key => [key, (item as Record<string, unknown> | null)?.[key] ?? null]))
