import { badRequest, type JsonObject } from 'orch/sdk'
import { copyJson } from 'orch/sdk/validation'
import { itemSchema, objectFields, type SchemaNode } from '../../../libs/json-schema/index.js'

/** Callbacks for pruning. */
export interface PruneReport {
  /** Called with the path of every field that is dropped. */
  readonly leftOut?: ((path: string) => void) | undefined
  /** Called with the size of every list and map before it is copied. */
  readonly countItems?: ((items: number) => void) | undefined
}
/** Copies a value without unknown fields. `path` is used only for reporting dropped fields. */
export type Prune = (value: unknown, path: string, report: PruneReport) => unknown

/** Sets a field, including one that is named `__proto__`. */
export function setField(object: JsonObject, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
  else object[name] = value
}

/** The nesting limit of request bodies, which a patch could exceed. */
const maxDepth = 10_000
const tooDeep = () => badRequest(`a value that no schema describes nests deeper than ${maxDepth} levels`)

/** Copies a value as it is. */
export const copyValue = (value: unknown, countItems?: PruneReport['countItems']): unknown =>
  copyJson(value, { maxDepth, tooDeep, countItems })

/**
 * Compiles a schema into a function that copies values and drops unknown fields. A schema that preserves unknown fields
 * does so for its own level, which for a list includes that of its items; fields that it specifies are pruned by their
 * own schemas.
 */
export function compilePrune(schema: SchemaNode | undefined, isResource = false, isPreserved = false): Prune {
  if (!schema) return emptied
  const isObject = isResource || schema.embeddedResource
  const keepsUnknown = isPreserved || schema.preserveUnknownFields === true
  const { additionalProperties, properties } = schema
  const fields = new Map<string, Prune>()
  const fieldOf = (name: string): Prune | undefined => {
    const known = fields.get(name)
    if (known || !properties.has(name)) return known
    const field = lazily(() => compilePrune(properties.get(name)))
    fields.set(name, field)
    return field
  }
  const values =
    additionalProperties === undefined
      ? undefined
      : typeof additionalProperties === 'object'
        ? lazily(() => compilePrune(additionalProperties))
        : emptied
  const item = lazily(() => {
    const items = itemSchema(schema)
    return items ? compilePrune(items, false, keepsUnknown) : emptied
  })
  const other: Prune | undefined = values ?? (keepsUnknown ? kept : undefined)
  return (value, path, report) => {
    if (typeof value !== 'object' || value === null) return value
    const { leftOut, countItems } = report
    if (Array.isArray(value)) {
      if (keepsUnknown && !itemSchema(schema)) return kept(value, path, report)
      countItems?.(value.length)
      // Scalars are never pruned, and a list can have hundreds of thousands: none of them needs its path.
      return value.map((each, index) =>
        typeof each === 'object' && each !== null ? item(each, leftOut ? `${path}[${index}]` : path, report) : each,
      )
    }
    const names = Object.keys(value)
    if (other) countItems?.(names.length)
    const copy: JsonObject = {}
    for (const name of names) {
      // Fields that every object has are never pruned: their own rules apply to them.
      const prune = isObject && objectFields.has(name) ? kept : (fieldOf(name) ?? other)
      const at = !leftOut ? path : path === '' ? name : `${path}.${name}`
      if (prune) setField(copy, name, prune((value as JsonObject)[name], at, report))
      else leftOut?.(at)
    }
    return copy
  }
}

const kept: Prune = (value, _, { countItems }) => copyValue(value, countItems)

/**
 * Of a value without a schema only scalars, lists and empty objects remain. Not recursive, because lists may nest
 * deeper than the stack.
 */
const emptied: Prune = (value, path, { leftOut, countItems }) => {
  const root: unknown[] = []
  const open: PendingList[] = [{ items: [value], path, isRoot: true, into: root, depth: 0 }]
  for (const { items, path: above, isRoot, into, depth } of open) {
    if (depth > maxDepth) throw tooDeep()
    if (!isRoot) countItems?.(items.length)
    items.forEach((item, index) => {
      const at = isRoot || !leftOut ? above : `${above}[${index}]`
      if (Array.isArray(item)) {
        const list: unknown[] = []
        into.push(list)
        open.push({ items: item, path: at, isRoot: false, into: list, depth: depth + 1 })
      } else if (typeof item === 'object' && item !== null) {
        if (leftOut) for (const name of Object.keys(item)) leftOut(at === '' ? name : `${at}.${name}`)
        into.push({})
      } else into.push(item)
    })
  }
  return root[0]
}
/** A list that is being copied. */
interface PendingList {
  readonly items: readonly unknown[]
  readonly path: string
  readonly isRoot: boolean
  readonly into: unknown[]
  readonly depth: number
}

/** Compiles on first use: most of a large schema is never needed. */
function lazily(compile: () => Prune): Prune {
  let prune: Prune | undefined
  return (value, path, report) => {
    if (typeof value !== 'object' || value === null) return value
    prune ??= compile()
    return prune(value, path, report)
  }
}
