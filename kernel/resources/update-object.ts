import { ApiError, type ApiObject, conflict, invalid, invalidValue, notFound } from 'orch/sdk'
import type { StoredObject, Write, WriteResult } from 'orch/sdk/host'
import { keepTimesIfUnchanged, trackUpdate } from '../apply/field-manager.js'
import { attributesOf } from '../types/stored-form.js'
import { fromStoredBody, isUnchanged } from '../types/stored-json.js'
import { afterRemoval } from './after-removal.js'
import { createObject } from './create-object.js'
import { claimsOf, throwIfClaimed } from './exclusive-names.js'
import { managedType } from './managed-type.js'
import { type Decision, decideByNewest } from './newest-state.js'
import { isReadyForRemoval } from './object-meta.js'
import type { PendingWrite } from './pending-writes.js'
import { bodyToStore, type Written, withVersion } from './stored-body.js'
import { parseVersion } from './versions.js'
import { runPipeline, type WriteKind, warnOfRepeatedOwners } from './write-pipeline.js'
import type { WriteTarget } from './write-target.js'

/** How often an unconditional change is repeated when another process wins the race. */
const conflictAttempts = 20
/** Stands for the version of an object whose last change is not committed yet. No client can have it. */
const uncommitted = 'uncommitted'
/** Thrown when a change cannot build on a pending write. */
const needsCommitted = Symbol('needs what is committed')

export interface UpdateRequest {
  /** The steps that the change passes: those of an update unless an action makes it. */
  readonly kind?: WriteKind & ('update' | 'updateByAction')
  readonly name: string
  readonly manager: string
  /** The subresource that ownership is noted under, when it is not the path that is written. */
  readonly ownedThrough?: string
  /**
   * Makes the wanted object from the live one, which it must not change; both in the version of the request. Called again when another process
   * changed the object meanwhile. `live` is undefined when there is none and the object may be created.
   */
  produce(live: ApiObject | undefined): ApiObject | Promise<ApiObject>
  /** May this request create the object? Checks the permission to do so, or throws. */
  readonly mayCreate?: () => Promise<void>
  /** The produced object already carries its managedFields (server-side apply). */
  readonly isTracked?: boolean
  /** A patch was made for whatever object has the name: another uid in it is not outdated but invalid. */
  readonly isPatch?: boolean
  /** The version in the produced object is the live one's, not the client's: a lost race is repeated. */
  readonly isUnconditional?: boolean
}

/** What an attempt has come to when the next writer of the key may begin: done, or on its way to the disk. */
interface Attempt extends Decision {
  /** Undefined when another writer was faster and the change may be repeated. */
  readonly outcome: Promise<Written | undefined> | Written | undefined
}
/** Whether another writer was faster, and what the store then told of the object. */
interface Race {
  isLost: boolean
  current?: StoredObject | undefined
}

/** Changes an object (or creates it, where the request may). */
export async function updateObject(target: WriteTarget, request: UpdateRequest): Promise<Written> {
  const key = target.type.key(target.context.info.namespace, request.name)
  const { locks } = target.services
  const race: Race = { isLost: false }
  for (let attempt = 1; ; attempt++) {
    // Writers of one key take turns until their change is handed to the store; the waiting for the disk is shared.
    const { outcome } = await locks.run(key, release => {
      target.releaseLock = release
      return tryUpdate(target, request, key, race)
    })
    const written = await outcome
    if (written) return written
    race.isLost = true
    if (attempt >= conflictAttempts) throw modifiedMeanwhile(target, request.name)
  }
}

/** The state an update starts from. */
interface Base {
  readonly body: Buffer
  /** What must hold when the change is committed. */
  readonly precondition: Pick<Write, 'expect' | 'after'>
  readonly committedVersion: string
  readonly pending: PendingWrite | undefined
  /** Stored in a version that is not written any more: any write of the object replaces it. */
  readonly isOutdated: boolean
}

async function tryUpdate(target: WriteTarget, request: UpdateRequest, key: string, race: Race): Promise<Attempt> {
  const { store, pendingWrites } = target.services
  const pending = target.dryRun ? undefined : pendingWrites.find(store, key)
  const built = pending && (await buildOn(target, request, key, race, pending))
  if (built) return built
  await pendingWrites.settled(key)
  const { current } = race
  race.current = undefined
  if (current) return change(target, request, key, race, baseOf(current))
  const changeFound = async (found: StoredObject | undefined): Promise<Attempt> =>
    found
      ? change(target, request, key, race, baseOf(found))
      : { outcome: await createMissing(target, request, key), isGuarded: true }
  return decideByNewest(store, key, changeFound, !race.isLost)
}

/** The change of what a pending write makes of the object; undefined where only what is committed will do. */
async function buildOn(
  target: WriteTarget,
  request: UpdateRequest,
  key: string,
  race: Race,
  pending: PendingWrite,
): Promise<Attempt | undefined> {
  const { committedVersion, write } = pending
  if (!write.body) return undefined
  const base = { body: write.body, precondition: { after: write }, committedVersion, pending, isOutdated: false }
  try {
    return await change(target, request, key, race, base)
  } catch (error) {
    if (error === needsCommitted) return undefined
    const result = await pending.result.catch(() => undefined)
    if (result?.ok) throw error
    // The object never became what the change was refused for.
    return undefined
  }
}

async function change(
  target: WriteTarget,
  request: UpdateRequest,
  key: string,
  race: Race,
  base: Base,
): Promise<Attempt> {
  const { services, type } = target
  const working = type.toWorking(parseBase(base), target.version)
  const stored = working instanceof Promise ? await working : working
  const live = type.fromStorage(stored, target.version)
  target.context.hidden?.add(stored)
  target.context.noteBodySize(base.body)
  const sent = await request.produce(live)
  const turn = target.context.yieldIfLarge()
  if (turn) await turn
  if (base.pending && !isBuiltOn(sent, request)) throw needsCommitted
  checkUid(target, request, sent, stored)
  warnOfRepeatedOwners(target, sent)
  const owned = request.isTracked
    ? sent
    : trackUpdate(managedType(target, request.ownedThrough), live, sent, request.manager, target.now)
  if (base.pending) {
    stored.metadata.resourceVersion = base.committedVersion
    if (owned.metadata.resourceVersion) owned.metadata.resourceVersion = base.committedVersion
  }
  const changed = type.toStorage(owned, target.version)
  let isConditional = false
  await runPipeline({
    kind: request.kind ?? 'update',
    target,
    operation: 'update',
    name: request.name,
    object: changed,
    stored,
    checkBase: admitted => {
      isConditional = checkVersion(target, request, admitted, stored)
    },
  })
  const draft = keepTimesIfUnchanged(stored, changed)
  if (isReadyForRemoval(draft) && !target.blocksDeletion(draft))
    return { outcome: removeInstead(target, key, await type.fromWorking(draft, target.version), base), isGuarded: true }
  if (!base.isOutdated && isUnchanged(stored, draft)) return { outcome: asItIs(base), isGuarded: false }
  const converted = type.fromWorking(draft, target.version)
  const toStore = converted instanceof Promise ? await converted : converted
  const body = bodyToStore(target, toStore, request.isTracked ?? false)
  if (target.dryRun) return { outcome: { body: withVersion(toStore, stored), isCreated: false }, isGuarded: false }
  const claims = claimsOf(target, stored, toStore)
  const write = { key, body, attributes: attributesOf(type, toStore), ...base.precondition, ...claims }
  const result = services.pendingWrites.begin(services.store, write, base.committedVersion)
  const outcome = result.then(each => {
    if (!each.ok && !base.pending) race.current = each.current
    return outcomeOf(target, request, each, isConditional)
  })
  return { outcome, isGuarded: true }
}

function outcomeOf(
  target: WriteTarget,
  request: UpdateRequest,
  result: WriteResult,
  isConditional: boolean,
): Written | undefined {
  if (result.ok) return { body: result.body!, isCreated: false }
  throwIfClaimed(result)
  if (isConditional) throw modifiedMeanwhile(target, request.name)
  return undefined
}

function baseOf({ body, modRevision, isConverted: isOutdated = false }: StoredObject): Base {
  const committedVersion = String(modRevision)
  return { body, precondition: { expect: modRevision }, committedVersion, pending: undefined, isOutdated }
}

function parseBase({ body, pending }: Base): ApiObject {
  const object = fromStoredBody(body)
  if (pending) object.metadata.resourceVersion = uncommitted
  return object
}

/** A client that names a version means a committed one; then the pending writes must be waited for. */
function isBuiltOn(sent: ApiObject, request: UpdateRequest): boolean {
  const version = sent.metadata.resourceVersion
  return !version || version === uncommitted || request.isUnconditional === true
}

/** Nothing changes: the answer is the object as it is, or as the pending write makes it. */
function asItIs({ body, pending }: Base): Written | Promise<Written | undefined> {
  if (!pending) return { body, isCreated: false }
  return pending.result.then(result => (result.ok ? { body: result.body!, isCreated: false } : undefined))
}

/** The last finalizer went away: the object goes too. The answer shows it as it was sent, under its last version. */
async function removeInstead(
  target: WriteTarget,
  key: string,
  draft: ApiObject,
  base: Base,
): Promise<Written | undefined> {
  const answer = { body: withVersion(draft, draft), isCreated: false }
  if (target.dryRun) return answer
  const { store, pendingWrites } = target.services
  const write = { key, body: undefined, ...base.precondition, ...claimsOf(target, draft, undefined) }
  const result = await pendingWrites.begin(store, write, base.committedVersion)
  if (!result.ok) return undefined
  await afterRemoval(target, draft)
  return answer
}

/** Undefined when another was faster to create it: then there is something to change, and the change may be repeated. */
async function createMissing(target: WriteTarget, request: UpdateRequest, key: string): Promise<Written | undefined> {
  if (!request.mayCreate) throw notFound(target.subject(request.name))
  await request.mayCreate()
  const sent = await request.produce(undefined)
  if (sent.metadata.uid) throw otherUid(target, request, sent, '')
  const { resourceVersion } = sent.metadata
  // Whoever applies to a version means an object that is there.
  if (resourceVersion && parseVersion(resourceVersion) > 0 && request.isTracked)
    throw modifiedMeanwhile(target, request.name)
  try {
    return await createObject(target, sent, request.manager, request.isTracked)
  } catch (error) {
    const isLost = error instanceof ApiError && error.reason === 'AlreadyExists'
    if (isLost && (await target.services.store.get(key))) return undefined
    throw error
  }
}

function checkUid(target: WriteTarget, request: UpdateRequest, sent: ApiObject, stored: ApiObject): void {
  const { uid = '' } = stored.metadata
  if (sent.metadata.uid && sent.metadata.uid !== uid && !request.isPatch) throw otherUid(target, request, sent, uid)
}

/** Is the object based on the stored one? Returns whether it says so. */
function checkVersion(target: WriteTarget, request: UpdateRequest, sent: ApiObject, stored: ApiObject): boolean {
  const meta = sent.metadata
  const { resourceVersion } = stored.metadata
  const isAnother = meta.resourceVersion !== resourceVersion && meta.resourceVersion !== uncommitted
  // Version 0 is any version, as in reading.
  if (meta.resourceVersion && isAnother && parseVersion(meta.resourceVersion) === 0) delete meta.resourceVersion
  if (!meta.resourceVersion || request.isUnconditional) {
    if (!meta.resourceVersion && target.strategy.unconditionalUpdate === false && !request.isUnconditional) {
      const rule = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update')
      throw invalid({ group: target.type.group, kind: target.type.resource }, request.name, [rule])
    }
    return false
  }
  if (meta.resourceVersion !== resourceVersion) throw modifiedMeanwhile(target, request.name)
  // A patch carries the version of the object it was applied to unless it names one, and can be applied again.
  return !request.isPatch
}

const otherUid = (target: WriteTarget, request: UpdateRequest, sent: ApiObject, storedUid: string) =>
  conflict(
    target.subject(request.name),
    `Precondition failed: UID in precondition: ${sent.metadata.uid}, UID in object meta: ${storedUid}`,
  )

const modifiedMeanwhile = (target: WriteTarget, name: string) =>
  conflict(
    target.subject(name),
    'the object has been modified; please apply your changes to the latest version and try again',
  )
