import type { ApiObject } from 'orch/sdk'
import type { InTurns } from '../contracts/in-turns.js'
import type { StructNode, TypeNode } from '../schema/type-model.js'
import type { FieldManagerType } from './field-manager-type.js'
import type { Ownership } from './managed-fields.js'
import {
  difference,
  emptySet,
  type FieldSet,
  type FieldSetDraft,
  intersection,
  isEmpty,
  isMember,
  union,
  unionOfAll,
} from './structured-merge/field-set.js'
import { nodeBelow } from './structured-merge/reconcile.js'
import { removeItems } from './structured-merge/remove-items.js'
import { statedFields } from './structured-merge/to-field-set.js'

/**
 * The set with the parents of its members added. An owner of `spec.size` does not own `spec`; but when sets are compared
 * to find fields that can be pruned, `spec` is removed with the last of its parts.
 */
function withNamedFields(set: FieldSet, node: TypeNode | undefined): FieldSet {
  const result: FieldSetDraft = {}
  for (const element in set) {
    const before = set[element] as FieldSet
    const below = withNamedFields(before, node === undefined ? undefined : nodeBelow(node, element))
    const isNamed = node?.is === 'struct' && element.charAt(0) === 'f' && node.fields.has(element.slice(2))
    result[element] = (isNamed && !isMember(before) ? { '.': emptySet, ...below } : below) as FieldSetDraft
  }
  return result
}

/**
 * Removes from the merged object the fields that the applier applied last time, did not apply this time, and no other manager
 * owns. `owners` already contains the new set of the applier; `last` is the previous one.
 */
export function* prune(
  type: FieldManagerType,
  merged: ApiObject,
  owners: readonly Ownership[],
  last: Ownership | undefined,
): InTurns<ApiObject> {
  if (last === undefined || isEmpty(last.fieldsV1)) return merged
  const version = last.apiVersion
  const model = modelOf(type, version)
  if (model === undefined) return merged
  const before = convert(type, merged, version, type.groupVersion)
  const lastSet = withNamedFields(last.fieldsV1, model)
  yield
  const bare = asObject(removeItems(before, lastSet, model))
  yield
  const owned = yield* addBackOwned(type, before, bare, version, owners)
  yield
  // Only fields that the applier itself had applied are removed; others that were removed with them are restored.
  const gone = difference(yield* fieldsOf(before, model), yield* fieldsOf(owned, model))
  yield
  const pruned = asObject(removeItems(before, intersection(gone, lastSet), model))
  return convert(type, pruned, type.groupVersion, version)
}

/** Restores fields that others, or the applier itself, still own. */
function* addBackOwned(
  type: FieldManagerType,
  merged: ApiObject,
  pruned: ApiObject,
  version: string,
  owners: readonly Ownership[],
): InTurns<ApiObject> {
  const ownedIn = new Map<string, FieldSet[]>()
  for (const { apiVersion, fieldsV1 } of owners) {
    const known = ownedIn.get(apiVersion)
    if (known) known.push(fieldsV1)
    else ownedIn.set(apiVersion, [fieldsV1])
  }
  let result = pruned
  // The applier's own version first: conversion to other versions may fail without the fields that it restores.
  const versions = [...ownedIn.keys()].sort((left, right) => Number(right === version) - Number(left === version))
  for (const other of versions) {
    const model = modelOf(type, other)
    if (model === undefined) continue
    const whole = convert(type, merged, other, version)
    const kept = yield* fieldsOf(convert(type, result, other, version), model)
    const owned = withNamedFields(unionOfAll(ownedIn.get(other) ?? []), model)
    yield
    const removable = difference(yield* fieldsOf(whole, model), union(kept, owned))
    yield
    result = convert(type, asObject(removeItems(whole, removable, model)), version, other)
  }
  return result
}

const modelOf = (type: FieldManagerType, version: string): StructNode | undefined =>
  version === type.groupVersion ? type.model : type.modelOf(version)

const convert = (type: FieldManagerType, object: ApiObject, to: string, from: string): ApiObject =>
  to === from ? object : type.convert(object, to, from)

function* fieldsOf(object: ApiObject, model: StructNode): InTurns<FieldSet> {
  const set = yield* statedFields(object, model)
  yield
  const named = withNamedFields(set, model)
  yield
  return named
}

const asObject = (value: unknown): ApiObject => (value ?? { metadata: {} }) as ApiObject
