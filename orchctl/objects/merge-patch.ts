import { isRecord, ownValue } from 'orch/sdk'

type Fields = Readonly<Record<string, unknown>>
const same = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right)

/** The JSON merge patch from `before` to `after`; undefined if nothing changed. */
export function mergePatch(before: unknown, after: unknown): Record<string, unknown> | undefined {
  return threeWayPatch(before, after, before)
}

/**
 * The JSON merge patch that changes `live` to match `desired`, and removes fields that were in `last` but are not in `desired`.
 * Other fields are preserved. Undefined if nothing has to change.
 */
export function threeWayPatch(last: unknown, desired: unknown, live: unknown): Record<string, unknown> | undefined {
  const [before, after, now] = [last, desired, live].map(value => (isRecord(value) ? value : {})) as [
    Fields,
    Fields,
    Fields,
  ]
  const patch: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(after)) {
    const current = ownValue(now, key)
    if (isRecord(value) && isRecord(current)) {
      const inner = threeWayPatch(ownValue(before, key), value, current)
      if (inner) patch[key] = inner
    } else if (!same(value, current)) patch[key] = value
  }
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key) && Object.hasOwn(now, key)) patch[key] = null
  return Object.keys(patch).length > 0 ? patch : undefined
}

/** Whether a patch replaces a list, which would overwrite concurrent changes to it. */
export const replacesList = (patch: unknown): boolean =>
  Array.isArray(patch) || (isRecord(patch) && Object.values(patch).some(replacesList))
