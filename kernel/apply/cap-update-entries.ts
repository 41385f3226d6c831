import { isSameManager, type Ownership, ownership, secondsOf } from './managed-fields.js'
import { union } from './structured-merge/field-set.js'
import { compareText } from './structured-merge/path-element.js'

/** An object written by ever new clients would otherwise grow with each of them. */
const maxUpdateEntries = 10
const ancientChanges = 'ancient-changes'

/** Merges the oldest Update entries of a version into one, until there are at most ten. */
export function capUpdateEntries(owners: readonly Ownership[]): readonly Ownership[] {
  let excess = -maxUpdateEntries
  for (const owner of owners) if (owner.operation === 'Update') excess++
  if (excess <= 0) return owners
  let result = [...owners]
  const firstOfVersion = new Map<string, Ownership>()
  for (const owner of result.filter(each => each.operation === 'Update').sort(byAge)) {
    if (excess <= 0) break
    const first = firstOfVersion.get(owner.apiVersion)
    if (first === undefined) {
      firstOfVersion.set(owner.apiVersion, owner)
      continue
    }
    const bucket = ownership({ manager: ancientChanges, operation: 'Update', apiVersion: owner.apiVersion }, '', {})
    const existing = result.find(each => each !== owner && isSameManager(each, bucket)) ?? first
    result = result.filter(each => each !== existing && each !== owner)
    // The younger time counts, since the entry now speaks for both.
    result.push(ownership(bucket, owner.time, union(owner.fieldsV1, existing.fieldsV1)))
    excess--
  }
  return result
}

const byAge = (left: Ownership, right: Ownership) =>
  secondsOf(left.time) - secondsOf(right.time) || compareText(identityText(left), identityText(right))

const identityText = ({ manager, operation, apiVersion, subresource }: Ownership) =>
  JSON.stringify({ manager, operation, apiVersion, ...(subresource ? { subresource } : {}) })
