import type { ApiObject, ObjectMeta } from 'orch/sdk'
import type { ManagedFieldsEntry } from 'orch/sdk/host'
import { type FieldSet, fromFieldsV1, isEmpty, unionOfAll } from './structured-merge/field-set.js'
import { isObject, sameJson } from './structured-merge/json-values.js'
import { compareText } from './structured-merge/path-element.js'

/** A validated entry of `metadata.managedFields`, in its wire form. */
export interface Ownership {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  /** RFC 3339; when the manager last changed something. */
  readonly time?: string
  readonly fieldsType: 'FieldsV1'
  readonly fieldsV1: FieldSet
  readonly subresource?: string
}

/** The identity of an entry. An applier keeps its entry when it switches to another version. */
export function isSameManager(left: OwnerIdentity, right: OwnerIdentity): boolean {
  return (
    left.manager === right.manager &&
    left.operation === right.operation &&
    (left.subresource ?? '') === (right.subresource ?? '') &&
    (left.operation === 'Apply' || left.apiVersion === right.apiVersion)
  )
}
export type OwnerIdentity = Pick<Ownership, 'manager' | 'operation' | 'apiVersion' | 'subresource'>

export const entriesOf = (object: ApiObject | undefined): readonly ManagedFieldsEntry[] =>
  object?.metadata?.managedFields ?? []

/** Entries that this server wrote itself, and that therefore need no checking. */
export const storedOwnerships = (object: ApiObject | undefined): readonly Ownership[] =>
  entriesOf(object) as readonly Ownership[]

/** Far more managers than any object has: merging entries takes quadratic time. */
const maxSentEntries = 500

/** Entries that a client sent; `undefined` if one of them is invalid, or there are too many. */
export function sentOwnerships(entries: readonly ManagedFieldsEntry[]): readonly Ownership[] | undefined {
  if (entries.length > maxSentEntries) return undefined
  const owners: Ownership[] = []
  for (const { manager = '', operation, apiVersion, time, fieldsType, fieldsV1, subresource } of entries) {
    if (operation !== 'Apply' && operation !== 'Update') return undefined
    if (!apiVersion || fieldsType !== 'FieldsV1') return undefined
    let set: FieldSet
    try {
      set = fromFieldsV1(fieldsV1 ?? {})
    } catch {
      return undefined
    }
    const owner = ownership({ manager, operation, apiVersion, subresource }, time, set)
    const known = owners.findIndex(each => isSameManager(each, owner))
    if (known >= 0) owners.splice(known, 1)
    owners.push(owner)
  }
  return owners
}

/** Restores the previous entries of the object if the current ones are invalid. Returns whether it did. */
export function repairManagedFields(object: ApiObject, before: readonly ManagedFieldsEntry[]): boolean {
  const entries = entriesOf(object)
  if (entries === before || sameJson(entries, before) || sentOwnerships(entries)) return false
  object.metadata.managedFields = [...before]
  return true
}

/** A single empty entry resets all ownership. An empty list does not. */
export const asksForReset = (entries: readonly ManagedFieldsEntry[]): boolean =>
  entries.length === 1 &&
  isObject(entries[0]) &&
  Object.values(entries[0]).every(value => value === undefined || value === null || value === '')

/** An entry with its keys in the order in which they are written. */
export function ownership(owner: OwnerIdentity, time: string | undefined, fieldsV1: FieldSet): Ownership {
  const { manager, operation, apiVersion, subresource } = owner
  const fieldsType = 'FieldsV1'
  const entry: Ownership = time
    ? { manager, operation, apiVersion, time, fieldsType, fieldsV1 }
    : { manager, operation, apiVersion, fieldsType, fieldsV1 }
  return subresource ? { ...entry, subresource } : entry
}

/** The object with these entries in their order; without the field when there are none. */
export function withOwnerships(object: ApiObject, owners: readonly Ownership[]): ApiObject {
  const owning = owners.some(ownsNothing) ? owners.filter(owner => !ownsNothing(owner)) : owners
  const metadata = withoutManagedFields(object.metadata)
  if (owning.length === 0) return metadata === object.metadata ? object : { ...object, metadata }
  const managedFields = [...owning] as (Ownership & ManagedFieldsEntry)[]
  if (managedFields.length > 1) managedFields.sort(byOperationAndTime)
  return { ...object, metadata: { ...metadata, managedFields } }
}

const ownsNothing = ({ fieldsV1 }: Ownership): boolean => isEmpty(fieldsV1)

function withoutManagedFields(metadata: ObjectMeta): ObjectMeta {
  if (metadata?.managedFields === undefined) return metadata
  const { managedFields, ...rest } = metadata
  return rest
}

function byOperationAndTime(left: Ownership, right: Ownership): number {
  return (
    compareText(left.operation, right.operation) ||
    secondsOf(left.time) - secondsOf(right.time) ||
    compareText(left.manager, right.manager) ||
    compareText(left.apiVersion, right.apiVersion) ||
    compareText(left.subresource ?? '', right.subresource ?? '')
  )
}

const secondsOf = (time: string | undefined): number => (time ? Math.floor(Date.parse(time) / 1000) : 0)

/** An object that many clients write would otherwise grow with each of them. */
const maxUpdateEntries = 10
const ancientChanges = 'ancient-changes'

/** Merges the oldest Update entries of a version into one, until there are at most ten. */
export function capUpdateEntries(owners: readonly Ownership[]): readonly Ownership[] {
  let excess = -maxUpdateEntries
  for (const owner of owners) if (owner.operation === 'Update') excess++
  if (excess <= 0) return owners
  let result = [...owners]
  const firstOfVersion = new Map<string, Ownership>()
  /** The sets of merged entries, which are united at the end. */
  const merged = new Map<Ownership, FieldSet[]>()
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
    // The later time is kept, since the entry now represents both.
    const entry = ownership(bucket, owner.time, {})
    const sets = merged.get(existing) ?? [existing.fieldsV1]
    sets.push(owner.fieldsV1)
    merged.set(entry, sets)
    result.push(entry)
    excess--
  }
  return result.map(entry => {
    const sets = merged.get(entry)
    return sets ? ownership(entry, entry.time, unionOfAll(sets)) : entry
  })
}

const byAge = (left: Ownership, right: Ownership) =>
  secondsOf(left.time) - secondsOf(right.time) || compareText(identityText(left), identityText(right))

const identityText = ({ manager, operation, apiVersion, subresource }: Ownership) =>
  JSON.stringify({ manager, operation, apiVersion, ...(subresource ? { subresource } : {}) })
