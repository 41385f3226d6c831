import type { ApiObject } from 'orch/sdk'
import type { InTurns } from '../contracts/in-turns.js'
import { timestamp } from '../schema/timestamps.js'
import { emptyObject, type FieldManagerType } from './field-manager-type.js'
import {
  asksForReset,
  capUpdateEntries,
  entriesOf,
  isSameManager,
  type OwnerIdentity,
  type Ownership,
  ownership,
  sentOwnerships,
  storedOwnerships,
  withOwnerships,
} from './managed-fields.js'
import { metadataItself, unownedFields } from './never-owned.js'
import { comparing } from './structured-merge/compare.js'
import { difference, type FieldSet, isEmpty, sortSet, union } from './structured-merge/field-set.js'
import { sameJson } from './structured-merge/json-values.js'
import { reconcileWithSchema } from './structured-merge/reconcile.js'
import { TypedValueError } from './structured-merge/typed-error.js'

/**
 * After a create, an update or a patch that is not an apply: returns the object with managedFields brought up to date.
 * Call it after defaults are filled in and before the strategy and admission change the object: their changes have no owner.
 */
export function* trackUpdate(
  type: FieldManagerType,
  live: ApiObject | undefined,
  updated: ApiObject,
  manager: string,
  now: number,
): InTurns<ApiObject> {
  const sent = type.subresource === '' ? entriesOf(updated) : []
  const isReset = asksForReset(sent)
  const owners = isReset ? [] : ownersBefore(live, sent)
  yield
  // An untracked object stays untracked until the first apply.
  if (live !== undefined && owners.length === 0 && !isReset) return withOwnerships(updated, [])
  const after = yield* ownersAfterUpdate(type, live ?? emptyObject(type.model), updated, owners, manager, now)
  yield
  return withOwnerships(updated, capUpdateEntries(after))
}

/** Clients may write the list themselves; an empty or invalid one is ignored, as if it had not been sent. */
function ownersBefore(live: ApiObject | undefined, sent: ReturnType<typeof entriesOf>): readonly Ownership[] {
  const stored = storedOwnerships(live)
  if (sent.length === 0 || sent === (stored as unknown) || sameJson(sent, stored)) return stored
  const read = sentOwnerships(sent)
  return read === undefined || read.length === 0 ? stored : read
}

/** The writer becomes the owner of changed fields; removed fields have no owner. */
export function* ownersAfterUpdate(
  type: FieldManagerType,
  before: ApiObject,
  after: ApiObject,
  owners: readonly Ownership[],
  manager: string,
  now: number,
): InTurns<readonly Ownership[]> {
  try {
    const writer: OwnerIdentity = {
      manager: manager || 'unknown',
      operation: 'Update',
      apiVersion: type.groupVersion,
      subresource: type.subresource,
    }
    const changes = new ChangesByVersion(type, before, after)
    const ownChange = (yield* changes.in(type.groupVersion))?.changed ?? {}
    yield
    const changed = difference(ownChange, metadataItself)
    yield
    const taken = sortSet(changed)
    yield
    const result: Ownership[] = []
    let isListed = false
    for (const owner of owners) {
      const change = yield* changes.in(owner.apiVersion)
      if (change === undefined) continue
      const model = owner.apiVersion === type.groupVersion ? type.model : type.modelOf(owner.apiVersion)
      const owned = model === undefined ? owner.fieldsV1 : reconcileWithSchema(owner.fieldsV1, model)
      const isWriter = isSameManager(owner, writer)
      yield
      const kept = difference(owned, change.removed)
      yield
      const fieldsV1 = isWriter ? union(kept, taken) : difference(kept, change.changed)
      isListed ||= isWriter
      yield
      const time = isWriter && !isEmpty(taken) ? timestamp(now) : owner.time
      if (isEmpty(fieldsV1)) continue
      result.push(fieldsV1 === owner.fieldsV1 && time === owner.time ? owner : ownership(owner, time, fieldsV1))
    }
    if (!isListed && !isEmpty(taken)) result.push(ownership(writer, timestamp(now), taken))
    return result
  } catch (error) {
    // Items without identity have no paths that anyone could own. Validation decides whether to accept them.
    if (error instanceof TypedValueError) return []
    throw error
  }
}

/** The changes of a write in one version of the type. */
interface Change {
  /** Added or modified. */
  readonly changed: FieldSet
  readonly removed: FieldSet
}

/** The changes of a write in each version of the type, computed at most once. Fields that this path resets count as unchanged. */
export class ChangesByVersion {
  readonly #type: FieldManagerType
  readonly #before: ApiObject
  readonly #after: ApiObject
  readonly #known = new Map<string, Change>()

  constructor(type: FieldManagerType, before: ApiObject, after: ApiObject) {
    this.#type = type
    this.#before = before
    this.#after = after
  }

  /** `undefined` for a version that is no longer served. */
  *in(groupVersion: string): InTurns<Change | undefined> {
    const cached = this.#known.get(groupVersion)
    if (cached) return cached
    const type = this.#type
    const isOwn = groupVersion === type.groupVersion
    const model = isOwn ? type.model : type.modelOf(groupVersion)
    if (model === undefined) return undefined
    const own = [this.#before, this.#after]
    const [left, right] = isOwn ? own : own.map(object => type.convert(object, groupVersion, type.groupVersion))
    const { added, modified, removed } = yield* comparing(left, right, model, {
      ignored: unownedFields(type).ignored,
      mayRepeat: type.tracksRepeatedItems ?? false,
    })
    const change = { changed: isEmpty(modified) ? added : union(modified, added), removed }
    this.#known.set(groupVersion, change)
    return change
  }
}
