import { type ApiObject, badRequest } from 'orch/sdk'
import { sameJson } from '../../libs/json/index.js'
import { atOnce, type InTurns } from '../contracts/in-turns.js'
import { timestamp } from '../schema/timestamps.js'
import { type Conflict, conflictError } from './apply-conflicts.js'
import { emptyObject, type FieldManagerType } from './field-manager-type.js'
import { allowedByLastApplied, refreshLastApplied } from './last-applied.js'
import {
  capUpdateEntries,
  isSameManager,
  type OwnerIdentity,
  type Ownership,
  ownership,
  storedOwnerships,
  withOwnerships,
} from './managed-fields.js'
import { metadataItself, sameServerFields, unownedFields } from './never-owned.js'
import { prune } from './prune.js'
import { checkTyped } from './structured-merge/check-typed.js'
import { compare } from './structured-merge/compare.js'
import {
  difference,
  emptySet,
  equalSets,
  type FieldSet,
  intersection,
  isEmpty,
  isSubset,
  recursiveDifference,
  union,
} from './structured-merge/field-set.js'
import { merge } from './structured-merge/merge.js'
import { reconcileWithSchema } from './structured-merge/reconcile.js'
import { statedFields } from './structured-merge/to-field-set.js'
import { TypedValueError } from './structured-merge/typed-error.js'
import { ChangesByVersion, ownersAfterUpdate } from './track-update.js'

/** The owner of the fields that an untracked object had before its first apply. */
const beforeFirstApply = 'before-first-apply'

/**
 * Server-side apply onto `live`, or onto nothing when creating. Changes neither of both; the result shares parts with them. Returns
 * the new object with its managedFields; nulls in the body are still in it, so it must be decoded like any other input. Throws a 409
 * with a cause for each field that others own, unless `force` is set, and a 400 for a body that does not fit the type.
 */
export function* applyObject(
  type: FieldManagerType,
  live: ApiObject | undefined,
  applied: ApiObject,
  manager: string,
  force: boolean,
  now: number,
): InTurns<ApiObject> {
  const config = checkedConfig(type, applied)
  yield
  const applier: OwnerIdentity = {
    manager,
    operation: 'Apply',
    apiVersion: type.groupVersion,
    subresource: type.subresource,
  }
  const { managedFields: _, ...metadata } = live?.metadata ?? {}
  const base: ApiObject = live === undefined ? { metadata } : { ...live, metadata }
  const owners = ownersToStartFrom(type, live, base, now)
  yield
  const attempt = yield* asBadRequest(
    () => tryApply(type, base, config, applier, owners),
    () => `failed to create typed live object (${describe(type, base)})`,
  )
  if (!force && attempt.conflicts.length > 0) {
    const conflicts = withoutClientSideApplies(type, base, manager, attempt.conflicts)
    if (conflicts.length > 0) throw conflictError(conflicts)
  }
  yield
  const result = attempt.settle(now)
  yield
  return withOwnerships(refreshLastApplied(type, result.object, applied, manager), capUpdateEntries(result.owners))
}

/** The body without apiVersion and kind; it must fit the type, or its fields could not be determined. */
function checkedConfig(type: FieldManagerType, applied: ApiObject): ApiObject {
  const { apiVersion, kind: _, ...config } = applied
  if (apiVersion !== undefined && apiVersion !== type.groupVersion) {
    throw badRequest(
      `Incorrect version specified in apply patch. Specified patch version: ${apiVersion}, expected: ${type.groupVersion}`,
    )
  }
  const { managedFields } = (config.metadata ?? {}) as ApiObject['metadata']
  if (managedFields !== undefined && managedFields !== null) throw badRequest('metadata.managedFields must be nil')
  try {
    checkTyped(config, type.model)
  } catch (error) {
    throw typedError(error, () => `failed to create typed patch object (${describe(type, config as ApiObject)})`)
  }
  return config as ApiObject
}

function* asBadRequest<T>(work: () => InTurns<T>, context: () => string): InTurns<T> {
  try {
    return yield* work()
  } catch (error) {
    throw typedError(error, context)
  }
}

const typedError = (error: unknown, context: () => string): unknown =>
  error instanceof TypedValueError ? badRequest(`${context()}: ${error.message}`) : error

function describe(type: FieldManagerType, object: ApiObject): string {
  const { namespace, name } = (object.metadata ?? {}) as ApiObject['metadata']
  return `${namespace ? `${namespace}/` : ''}${name ?? ''}; ${type.groupVersion}, Kind=${type.kind ?? ''}`
}

function ownersToStartFrom(
  type: FieldManagerType,
  live: ApiObject | undefined,
  base: ApiObject,
  now: number,
): readonly Ownership[] {
  const stored = storedOwnerships(live)
  if (live === undefined) return []
  if (stored.length === 0) {
    return atOnce(ownersAfterUpdate(type, emptyObject(type.model), base, [], beforeFirstApply, now))
  }
  return stored.map(owner => {
    const model = owner.apiVersion === type.groupVersion ? type.model : type.modelOf(owner.apiVersion)
    const fieldsV1 = model === undefined ? owner.fieldsV1 : reconcileWithSchema(owner.fieldsV1, model)
    return fieldsV1 === owner.fieldsV1 ? owner : ownership(owner, owner.time, fieldsV1)
  })
}

/** If an applier still states all fields of its last apply, there is nothing to prune. */
const statesAllAgain = (type: FieldManagerType, last: Ownership, fields: FieldSet) =>
  last.apiVersion === type.groupVersion && isSubset(last.fieldsV1, fields)

/** The object always keeps its name: metadata is not removed with the last owned field in it. */
const identity: FieldSet = { 'f:metadata': { 'f:name': emptySet } }

interface Attempt {
  readonly conflicts: readonly Conflict[]
  /** The outcome when the conflicts are overridden (or there are none). */
  settle(now: number): { readonly object: ApiObject; readonly owners: readonly Ownership[] }
}

function* tryApply(
  type: FieldManagerType,
  base: ApiObject,
  config: ApiObject,
  applier: OwnerIdentity,
  owners: readonly Ownership[],
): InTurns<Attempt> {
  const merged = merge(base, config, type.model, type.keepsAppliedOrder) as ApiObject
  yield
  const { reset, ignored } = unownedFields(type)
  const named = yield* statedFields(config, type.model)
  yield
  const stated = recursiveDifference(named, reset)
  yield
  const owning = difference(recursiveDifference(stated, ignored), metadataItself)
  const last = owners.find(owner => isSameManager(owner, applier))
  const others = owners.filter(owner => owner !== last)
  yield
  // Most applies state the same fields again; then their set stays the stored one, which nothing has to compare any more.
  const isRepeated = last !== undefined && last.apiVersion === type.groupVersion && equalSets(last.fieldsV1, owning)
  const fields = isRepeated ? last.fieldsV1 : owning
  const isSuperset = isRepeated || (last !== undefined && statesAllAgain(type, last, fields))
  yield
  const object = isSuperset
    ? merged
    : yield* prune(type, merged, [...others, ownership(applier, undefined, union(stated, identity))], last)
  yield
  const changes = new ChangesByVersion(type, base, object)
  const ownChange = yield* changes.in(type.groupVersion)
  yield
  const conflicts: Conflict[] = []
  const rest: Ownership[] = []
  for (const owner of others) {
    const change = yield* changes.in(owner.apiVersion)
    if (change === undefined) continue
    const contested = intersection(owner.fieldsV1, change.changed)
    if (!isEmpty(contested)) conflicts.push({ owner, fields: contested })
    const fieldsV1 = difference(difference(owner.fieldsV1, contested), change.removed)
    if (fieldsV1 === owner.fieldsV1) rest.push(owner)
    else if (!isEmpty(fieldsV1)) rest.push(ownership(owner, owner.time, fieldsV1))
    yield
  }
  const ownsNothingNew = ownChange !== undefined && isEmpty(ownChange.changed) && isEmpty(ownChange.removed)
  // Fields that are never owned may still have changed, such as a generation in the body.
  const changesNothing = ownsNothingNew && sameServerFields(base, object)
  const outcome =
    changesNothing && !type.takesResetChanges && changesOnlyReset(type, base, object, reset) ? base : object
  return {
    conflicts,
    settle(now) {
      if (isEmpty(fields)) return { object: outcome, owners: rest }
      const isSame = isRepeated && changesNothing
      // What reaches the strategy counts as a change, even of fields that this path resets: Kubernetes compares before it resets them.
      const keepsTime = isSame || (changesNothing && !type.timesSharedFields && sameJson(base, outcome))
      return { object: outcome, owners: [...rest, ownership(applier, keepsTime ? last?.time : timestamp(now), fields)] }
    },
  }
}

/** Whether the new object differs from the live one only in fields that this path resets, which is not a change. */
function changesOnlyReset(type: FieldManagerType, base: ApiObject, object: ApiObject, reset: FieldSet): boolean {
  if (isEmpty(reset)) return false
  const { added, modified, removed } = compare(base, object, type.model, { ignored: reset })
  return isEmpty(added) && isEmpty(modified) && isEmpty(removed)
}

/** The conflicts of the command-line client without those with its own client-side applies. */
function withoutClientSideApplies(
  type: FieldManagerType,
  live: ApiObject,
  manager: string,
  conflicts: readonly Conflict[],
): readonly Conflict[] {
  const allowed: FieldSet | undefined = allowedByLastApplied(type, live, manager)
  if (allowed === undefined) return conflicts
  return conflicts
    .map(({ owner, fields }) => ({ owner, fields: difference(fields, allowed) }))
    .filter(({ fields }) => !isEmpty(fields))
}
