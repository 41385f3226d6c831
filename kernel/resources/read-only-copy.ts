import type { ApiObject, ObjectMeta } from 'orch/sdk'
import { recursedLevels } from '../../libs/json/index.js'

/**
 * A frozen copy of an object: changing it throws. Freezing costs more than copying, and
 * managedFields are most of a small object, so they are copied when they are first read, which is rare.
 */
export function readOnlyCopy(object: ApiObject): ApiObject {
  const copy = { ...object } as Record<string, unknown>
  for (const key in copy) copy[key] = key === 'metadata' ? readOnlyMeta(copy[key] as ObjectMeta) : frozenCopy(copy[key])
  return Object.freeze(copy) as ApiObject
}

function readOnlyMeta(meta: ObjectMeta): unknown {
  const { managedFields, ...copy } = meta as Record<string, unknown>
  for (const key in copy) copy[key] = frozenCopy(copy[key])
  if (managedFields) {
    Object.defineProperty(copy, original, { value: { managedFields, shown: undefined } satisfies Original })
    Object.defineProperty(copy, 'managedFields', copiedWhenRead)
  }
  return Object.freeze(copy)
}

/** Where a copy keeps managedFields that have not been read yet. */
interface Original {
  readonly managedFields: unknown
  shown: unknown
}
const original = Symbol('original')
/**
 * One getter for all copies: a closure for each would give each its own shape, which makes freezing several times
 * slower.
 */
const copiedWhenRead = {
  enumerable: true,
  get(this: { readonly [original]: Original }): unknown {
    const from = this[original]
    return (from.shown ??= frozenCopy(from.managedFields))
  },
}

/** A shallow copy of a list or object, whose values are still those of the original. */
type Shallow = Record<string, unknown> | unknown[]

function frozenCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const deeper: Shallow[] = []
  const copy = frozen(value as Shallow, 0, deeper)
  for (const below of deeper) freezeInside(below, 0, deeper)
  return copy
}

/** A shallow copy first, which keeps the shape of the object and keys of any name; then the values. */
function frozen(value: Shallow, level: number, deeper: Shallow[]): Shallow {
  const copy = Array.isArray(value) ? value.slice() : { ...value }
  if (level < recursedLevels) freezeInside(copy, level, deeper)
  else deeper.push(copy)
  return copy
}

function freezeInside(copy: Shallow, level: number, deeper: Shallow[]): void {
  const values = copy as Record<string, unknown>
  if (Array.isArray(copy)) {
    for (let index = 0; index < copy.length; index++) {
      const item: unknown = copy[index]
      if (typeof item === 'object' && item !== null) copy[index] = frozen(item as Shallow, level + 1, deeper)
    }
  } else
    for (const key in values) {
      const inner = values[key]
      if (typeof inner === 'object' && inner !== null) values[key] = frozen(inner as Shallow, level + 1, deeper)
    }
  Object.freeze(copy)
}
