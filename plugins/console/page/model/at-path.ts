import type { Anything } from './api.js'
import type { Path } from './field-sets.js'

/** Reads and changes fields of objects by their paths. Changes return a copy. */

export const valueAt = (object: Anything, path: Path): Anything =>
  path.reduce<Anything>((value, step) => value?.[step], object)

export function withValue(object: Anything, path: Path, value: unknown): Anything {
  const [head, ...rest] = path
  if (head === undefined) return value
  if (typeof head === 'number') {
    const list: unknown[] = Array.isArray(object) ? [...object] : []
    list[head] = withValue(list[head], rest, value)
    return list
  }
  return { ...object, [head]: withValue(object?.[head], rest, value) }
}

export function withoutValue(object: Anything, path: Path): Anything {
  const [head, ...rest] = path
  if (head === undefined || object === undefined || object === null) return object
  if (rest.length > 0) return withValue(object, [head], withoutValue(object[head], rest))
  if (Array.isArray(object)) return object.filter((_, at) => at !== head)
  const { [head]: _, ...others } = object
  return others
}
