import type { ApiObject } from 'orch/sdk'
import type { FieldManagerType } from './field-manager-type.js'
import { unownedFields } from './never-owned.js'
import { compare } from './structured-merge/compare.js'
import { type FieldSet, union } from './structured-merge/field-set.js'

/** What a write did, as seen by one version of the type. */
export interface Change {
  /** Added or modified. */
  readonly changed: FieldSet
  readonly removed: FieldSet
}

/**
 * Compares two objects in whatever version is asked for, each version once. `undefined` for a version that is not
 * served any more. What this path resets counts as unchanged.
 */
export function changesByVersion(
  type: FieldManagerType,
  before: ApiObject,
  after: ApiObject,
): (groupVersion: string) => Change | undefined {
  const { ignored } = unownedFields(type)
  const known = new Map<string, Change | undefined>()
  const changeIn = (groupVersion: string): Change | undefined => {
    const isOwn = groupVersion === type.groupVersion
    const model = isOwn ? type.model : type.modelOf(groupVersion)
    if (model === undefined) return undefined
    const [left, right] = isOwn
      ? [before, after]
      : [before, after].map(object => type.convert(object, groupVersion, type.groupVersion))
    const { added, modified, removed } = compare(left, right, model, ignored)
    return { changed: union(modified, added), removed }
  }
  return groupVersion => {
    if (!known.has(groupVersion)) known.set(groupVersion, changeIn(groupVersion))
    return known.get(groupVersion)
  }
}
