import { recursedLevels, setOwn, sortedKeys } from '../../libs/json/index.js'
import { unsetTest, zeroValue } from './presence.js'
import type { FieldNode, StructNode, TypeNode } from './type-model.js'

/**
 * Converts an object to its stored form, in place: empty values are dropped, and fields that are always written are added. Decoding
 * did this to the request; strategies, defaults and admission may have left empty lists or half-filled structs since, and an
 * empty list that is always written is distinguished from an unset one only up to here. Keys of maps are sorted, as the reference
 * writes them: stored bytes are sent unchanged, so they are sorted only once. (Keys that are integers come first, in numeric
 * order: JavaScript objects always enumerate them so.)
 */
export type Normalize = (object: object) => void

export function compileNormalize(node: StructNode): Normalize {
  const normalize = new NormalizeCompiler().struct(node)
  return object => void normalize(object)
}

/** Returns the value or its replacement. */
type Step = (value: unknown) => unknown

class NormalizeCompiler {
  readonly #structs = new Map<StructNode, Step>()

  struct(node: StructNode): Step {
    const known = this.#structs.get(node)
    if (known) return known
    const fields: NormalizedField[] = []
    const byName = new Map<string, NormalizedField>()
    const normalizeStruct = node.fields.size > manyFields ? normalizePresent(byName) : normalizeFields(fields)
    const normalize: Step = value => normalizeStruct(value as Record<string, unknown>)
    // Registered before its fields are compiled: a struct may contain itself.
    this.#structs.set(node, normalize)
    for (const field of node.fields.values()) {
      fields.push(this.#field(field))
      byName.set(field.name, fields.at(-1)!)
    }
    return normalize
  }

  #field(field: FieldNode): NormalizedField {
    return {
      name: field.name,
      isUnset: unsetTest(field),
      inner: this.#inside(field.node),
      zero: field.presence === 'always' ? this.#zero(field) : undefined,
    }
  }

  /** The step for the inside of a value; undefined for values without fields. */
  #inside(node: TypeNode): Step | undefined {
    if (node.is === 'struct') return this.struct(node)
    if (node.is === 'unstructured') return sortedInside
    if (node.is === 'map') {
      const item = this.#inside(node.value)
      return value => {
        const map = sorted(value as Record<string, unknown>)
        if (item) normalizeItems(map, item)
        return map
      }
    }
    const item = node.is === 'list' ? this.#inside(node.item) : undefined
    return item && (value => normalizeItems(value as Record<string, unknown>, item))
  }

  #zero({ node, nullable }: FieldNode): () => unknown {
    if (nullable) return () => null
    if (node.is !== 'struct') return () => zeroValue(node, false)
    const normalize = this.struct(node)
    return () => {
      const empty = {}
      normalize(empty)
      return empty
    }
  }
}

interface NormalizedField {
  readonly name: string
  readonly isUnset: (value: unknown) => boolean
  readonly inner: Step | undefined
  readonly zero: (() => unknown) | undefined
}

/** Most fields of a struct with more fields than these are unset: iterating over those that are set is faster. */
const manyFields = 16

const normalizeFields = (fields: readonly NormalizedField[]) => (object: Record<string, unknown>) => {
  for (let index = 0; index < fields.length; index++) normalizeField(fields[index]!, object)
  return object
}

function normalizePresent(fields: ReadonlyMap<string, NormalizedField>) {
  let always: NormalizedField[] | undefined
  return (object: Record<string, unknown>) => {
    always ??= [...fields.values()].filter(({ zero }) => zero !== undefined)
    for (const name of Object.keys(object)) {
      const field = fields.get(name)
      if (field) normalizeField(field, object)
    }
    for (const field of always) if (object[field.name] === undefined) normalizeField(field, object)
    return object
  }
}

function normalizeField({ name, isUnset, inner, zero }: NormalizedField, object: Record<string, unknown>): void {
  const value = object[name]
  if (value !== undefined && !isUnset(value)) {
    const next = inner?.(value)
    if (next !== undefined && next !== value) object[name] = next
  } else if (zero !== undefined) object[name] = zero()
  else if (value !== undefined) delete object[name]
}

function normalizeItems(items: Record<string, unknown>, item: Step): unknown {
  for (const key of Object.keys(items)) {
    const value = items[key]
    if (value === null || value === undefined) continue
    const next = item(value)
    if (next !== value) setOwn(items, key, next)
  }
  return items
}

/** Larger maps stay as decoding left them. */
const maxCompared = 10_000

/** The map, or a copy whose keys are in order. */
function sorted(map: Record<string, unknown>): Record<string, unknown> {
  // Decoding sorted it. Maps changed since then are small, and comparing very many keys takes long.
  const { keys, wereSorted } = sortedKeys(map, maxCompared)
  if (wereSorted) return map
  const copy: Record<string, unknown> = {}
  for (const key of keys) setOwn(copy, key, map[key])
  return copy
}

/** A value that is too deep for recursion and is sorted later. */
type Unsorted = Record<string, unknown>

/** Sorts the keys of a value without a schema, at any depth. */
function sortedInside(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const deeper: Unsorted[] = []
  const result = sortedLevels(value as Unsorted, 0, deeper)
  for (const below of deeper) sortItems(below, 0, deeper)
  return result
}

function sortedLevels(value: Unsorted, level: number, deeper: Unsorted[]): Unsorted {
  const result = Array.isArray(value) ? value : sorted(value)
  if (level < recursedLevels) sortItems(result, level, deeper)
  else deeper.push(result)
  return result
}

function sortItems(items: Unsorted, level: number, deeper: Unsorted[]): void {
  for (const key of Object.keys(items)) {
    const value = items[key]
    if (typeof value !== 'object' || value === null) continue
    const next = sortedLevels(value as Unsorted, level + 1, deeper)
    if (next !== value) setOwn(items, key, next)
  }
}
