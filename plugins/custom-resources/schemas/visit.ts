import type { FieldError } from 'orch/sdk'
import { itemSchema, type SchemaNode, valueSchema } from './schema-node.js'

/** Visits a value of one schema. */
export type Visit = (value: unknown, path: string, errors: FieldError[], before: unknown) => void

/**
 * Walks a value along its schema and visits the positions for which `visitorOf` returns a visitor. Undefined if there are none, as
 * for most schemas. `before` is the value at the same position of the stored object, if it can be identified.
 */
export function compileVisitor(
  schema: SchemaNode,
  visitorOf: (schema: SchemaNode, isRoot: boolean) => Visit | undefined,
  isRoot = true,
): Visit | undefined {
  const own = visitorOf(schema, isRoot)
  const items = itemSchema(schema)
  const inItems = items && compileVisitor(items, visitorOf, false)
  const values = valueSchema(schema)
  const inValues = values && compileVisitor(values, visitorOf, false)
  const inFields = [...schema.properties].flatMap(([name, field]) => {
    const visit = compileVisitor(field, visitorOf, false)
    return visit ? [{ name, visit }] : []
  })
  if (!own && !inItems && !inValues && inFields.length === 0) return undefined
  const beforeOf = itemsBefore(schema)
  return (value, path, errors, before) => {
    own?.(value, path, errors, before)
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      if (!inItems) return
      const find = beforeOf(before)
      for (const [index, item] of value.entries()) inItems(item, `${path}[${index}]`, errors, find(item))
      return
    }
    const object = value as Record<string, unknown>
    const old = isObject(before) ? before : undefined
    for (const { name, visit } of inFields)
      if (Object.hasOwn(object, name))
        visit(object[name], path === '' ? name : `${path}.${name}`, errors, fieldOf(old, name))
    if (!inValues) return
    for (const name of Object.keys(object))
      if (!schema.properties.has(name)) inValues(object[name], `${path}[${name}]`, errors, fieldOf(old, name))
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const fieldOf = (object: Record<string, unknown> | undefined, name: string) =>
  object && Object.hasOwn(object, name) ? object[name] : undefined

/** Finds the old version of an item. Only items of a list of type map can be identified. */
function itemsBefore({ listType, listMapKeys }: SchemaNode): (before: unknown) => (item: unknown) => unknown {
  if (listType !== 'map') return () => () => undefined
  return before => {
    if (!Array.isArray(before)) return () => undefined
    const known = new Map(before.map(item => [itemKey(item, listMapKeys), item]))
    return item => known.get(itemKey(item, listMapKeys))
  }
}

/** What identifies an item of a list of type map. */
export const itemKey = (item: unknown, keys: readonly string[]): string =>
  JSON.stringify(isObject(item) ? keys.map(key => fieldOf(item, key) ?? null) : item)
