import { isObject, type JsonObject, valueAt } from './json-paths.js'

/** Order by code units, as JavaScript compares strings. */
export const byText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

const fullName = (object: unknown) => `${valueAt(object, 'metadata.namespace')}/${valueAt(object, 'metadata.name')}`
export const byName = (left: unknown, right: unknown): number => byText(fullName(left), fullName(right))

const managerKey = (entry: JsonObject) =>
  [
    entry['operation'],
    entry['manager'],
    entry['apiVersion'],
    entry['subresource'] || '',
    JSON.stringify(entry['fieldsV1']),
  ].join('|')
const causeKey = (cause: JsonObject) => [cause['field'] || '', cause['reason'] || ''].join('|')
/** Lists in discovery documents whose order is irrelevant. */
const sets = ['verbs', 'shortNames', 'categories']

/** Sorts lists whose order is irrelevant, so that all can be compared in order. */
export function inCanonicalOrder(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map(item => inCanonicalOrder(item))
    if (key === 'managedFields') return sortedBy(items, managerKey)
    if (key === 'causes') return sortedBy(items, causeKey)
    return sets.includes(key) ? items.sort() : items
  }
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inCanonicalOrder(item, name)]))
}

const sortedBy = (items: unknown[], keyOf: (item: JsonObject) => string) =>
  items.sort((left, right) => byText(keyOf(left as JsonObject), keyOf(right as JsonObject)))
