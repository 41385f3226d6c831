import { type FieldError, isRecord, ownValue } from 'orch/sdk'
import { itemSchema, LazyNodes, type SchemaNode, valueSchema } from '../../../libs/json-schema/index.js'
import { costs, type Work } from './work.js'

/** Visits a value of one schema. Work is charged before it is done, if it is limited. */
export type Visit = (value: unknown, path: string, errors: FieldError[], before: unknown, work?: Work) => void

/**
 * Walks a value along its schema and visits the positions for which `visitorOf` returns a visitor. Undefined if there
 * are none, as for most schemas. `before` is the value at the same position of the stored object, if it can be
 * identified.
 */
export function compileVisitor(
  schema: SchemaNode,
  visitorOf: (schema: SchemaNode, isRoot: boolean) => Visit | undefined,
  isRoot = true,
  /** The sources of the schemas at and above such positions, if known: all others are skipped. */
  marked?: ReadonlySet<unknown>,
): Visit | undefined {
  const isMarked = (source: unknown) => !marked || marked.has(source)
  if (!isMarked(schema.source)) return undefined
  const own = visitorOf(schema, isRoot)
  const items = itemSchema(schema)
  const inItems = items && compileVisitor(items, visitorOf, false, marked)
  const values = valueSchema(schema)
  const inValues = values && compileVisitor(values, visitorOf, false, marked)
  const inFields = new Map<string, Visit>()
  for (const name of schema.properties.keys()) {
    const source = schema.properties instanceof LazyNodes ? schema.properties.sourceOf(name) : undefined
    if (source !== undefined && !isMarked(source)) continue
    const visit = compileVisitor(schema.properties.get(name)!, visitorOf, false, marked)
    if (visit) inFields.set(name, visit)
  }
  if (!own && !inItems && !inValues && inFields.size === 0) return undefined
  const beforeOf = itemsBefore(schema)
  return (value, path, errors, before, work) => {
    work?.charge(costs.visit, path)
    own?.(value, path, errors, before, work)
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      if (!inItems) return
      const find = beforeOf(before)
      for (const [index, item] of value.entries()) inItems(item, `${path}[${index}]`, errors, find(item), work)
      return
    }
    const object = value as Record<string, unknown>
    const old = isRecord(before) ? before : undefined
    const visitField = (name: string, visit: Visit) =>
      visit(object[name], path === '' ? name : `${path}.${name}`, errors, ownValue(old, name), work)
    const names = Object.keys(object)
    work?.charge(names.length, path)
    // Iterate over the shorter one: a schema may have very many fields, and a list very many objects.
    if (inFields.size > names.length) {
      for (const name of names) {
        const visit = inFields.get(name)
        if (visit) visitField(name, visit)
      }
    } else for (const [name, visit] of inFields) if (Object.hasOwn(object, name)) visitField(name, visit)
    if (!inValues) return
    for (const name of names)
      if (!schema.properties.has(name)) inValues(object[name], `${path}[${name}]`, errors, ownValue(old, name), work)
  }
}

/** Finds the old version of an item. Only items of a list of type map can be identified. */
function itemsBefore({ listType, listMapKeys }: SchemaNode): (before: unknown) => (item: unknown) => unknown {
  if (listType !== 'map') return () => () => undefined
  return before => {
    if (!Array.isArray(before)) return () => undefined
    const known = new Map(before.map(item => [itemKey(item, listMapKeys), item]))
    return item => known.get(itemKey(item, listMapKeys))
  }
}

/** The identity of an item of a list of type map. */
export const itemKey = (item: unknown, keys: readonly string[]): string =>
  JSON.stringify(isRecord(item) ? keys.map(key => ownValue(item, key) ?? null) : item)
