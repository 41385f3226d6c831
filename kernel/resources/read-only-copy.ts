import type { ApiObject, ObjectMeta } from 'orch/sdk'

/**
 * A frozen copy of an object: changing it throws. Freezing costs more than copying, and
 * managedFields are most of a small object, so they are copied when they are first read, which is rare.
 */
export function readOnlyCopy(object: ApiObject): ApiObject {
  const copy = { ...object } as Record<string, unknown>
  for (const key in copy) copy[key] = key === 'metadata' ? readOnlyMeta(copy[key] as ObjectMeta) : frozenCopy(copy[key])
  return Object.freeze(copy) as ApiObject
}

function readOnlyMeta({ managedFields, ...rest }: ObjectMeta): unknown {
  const copy = rest as Record<string, unknown>
  for (const key in copy) copy[key] = frozenCopy(copy[key])
  if (managedFields) {
    let shown: unknown
    Object.defineProperty(copy, 'managedFields', { enumerable: true, get: () => (shown ??= frozenCopy(managedFields)) })
  }
  return Object.freeze(copy)
}

/** A shallow copy first, which keeps the shape of the object and keys of any name; then the values. */
function frozenCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy))
  const copy = { ...value } as Record<string, unknown>
  for (const key in copy) {
    const inner = copy[key]
    if (typeof inner === 'object' && inner !== null) copy[key] = frozenCopy(inner)
  }
  return Object.freeze(copy)
}
