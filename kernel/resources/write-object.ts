import { ApiError, type ApiObject, alreadyExists, andThen, defineDifference, isPromise, notFound } from 'orch/sdk'
import type { Decision, KeyState, StoredObject } from 'orch/sdk/host'
import { unchangedObject } from '../apply/field-manager.js'
import { runInTurns } from '../contracts/in-turns.js'
import { fromStoredBodyOf } from '../types/stored-json.js'
import { afterRemoval, afterWrite, commit, removing, storing, withVersion } from './commit.js'
import { generateName, isReadyForRemoval, matchName } from './object-meta.js'
import { parseVersion } from './versions.js'
import { modifiedMeanwhile, otherUid } from './write-checks.js'
import { type UpdateRules, uncommitted, type WriteInProgress } from './write-in-progress.js'
import { runPipeline } from './write-pipeline.js'
import type { WriteTarget } from './write-target.js'

export const missingObjectsComeFirst = defineDifference({
  name: 'updates-of-missing-objects-with-a-uid-are-404',
  since: '1.34',
  description:
    'An update of a missing object that names a uid gets a 404 instead of a 409, unless updates may create the type.',
  knownFrom: 'source',
})

/** How often a generated name may collide before the request fails. */
const generateNameAttempts = 8

/** The outcome of a write: the body as stored, of the storage version. */
export interface Written {
  readonly body: Buffer
  readonly isCreated: boolean
}

export interface UpdateRequest extends UpdateRules {
  /** The steps that the change passes: those of an update unless an action makes it. */
  readonly kind?: 'update' | 'updateByAction'
  readonly name: string
  readonly manager: string
  /**
   * Produces the new object from the live one, which it must not change; both in the version of the request. Called again when
   * somebody else changed the object meanwhile. `live` is undefined when there is none and the object may be created.
   */
  produce(live: ApiObject | undefined, target: WriteTarget): ApiObject | Promise<ApiObject>
  /** Whether this request may create the object. Checks the permission to do so, or throws. */
  readonly mayCreate?: (() => Promise<void>) | undefined
}

/** Creates an object, given in the version of the request. */
export async function createObject(target: WriteTarget, sent: ApiObject, manager: string): Promise<Written> {
  const { type, dryRun, context } = target
  const yielding = context.yieldIfLarge()
  if (yielding) await yielding
  const { object, generatesName } = await prepareCreate(target, sent, manager)
  let draft = object
  for (let attempt = 1; ; attempt++) {
    const { namespace = '', name = '', generateName: prefix = '' } = draft.metadata
    const change = await storing(target, undefined, draft)
    // A dry run has to check whether the name is free; for a write the store does.
    const write = dryRun ? {} : { write: change }
    const result = await commit(target, type.key(namespace, name), () => write, dryRun ? undefined : newKey)
    if (result.ok && dryRun && result.body === undefined) return { body: change.body!, isCreated: true }
    if (result.ok && !dryRun) {
      context.recordCreated(name)
      if (type.definition.afterWrite) await afterWrite(target, draft, undefined)
      return { body: result.body!, isCreated: true }
    }
    // Values derived from the name would not follow the new one.
    const mayRename = generatesName && !target.strategy.finishCreate
    if (!mayRename || attempt >= generateNameAttempts) throw nameTaken(target, name, prefix)
    draft = { ...draft, metadata: { ...draft.metadata, name: generateName(prefix) } }
  }
}
const newKey = { expect: 0 }

/** With a generated name the client may retry. */
function nameTaken(target: WriteTarget, name: string, prefix: string): ApiError {
  if (prefix === '') return alreadyExists(target.subject(name))
  const { code, reason, message, details } = alreadyExists({ ...target.subject(name), group: target.failureGroup })
  const why = `${message}, the server was not able to generate a unique name for the object`
  return new ApiError(code, reason, why, { ...details, retryAfterSeconds: 1 })
}

/** Runs the steps for a new object; returns it in the storage version. */
async function prepareCreate(target: WriteTarget, sent: ApiObject, manager: string, update?: UpdateRules) {
  const name = sent.metadata.name ?? ''
  const write: WriteInProgress = {
    kind: 'create',
    target,
    operation: 'create',
    name,
    object: sent,
    manager,
    ...(update ? { update } : {}),
  }
  await runPipeline(write)
  const { object, generatesName = false } = write
  return andThen(target.type.fromWorking(object!, target.version), stored => ({ object: stored, generatesName }))
}

/** The change of an object, and the response. */
interface Change extends Decision {
  /** The body of the response, if it is not what is stored. */
  readonly answer?: Buffer
  readonly isCreated?: boolean
  /** The object that is removed. */
  readonly removed?: ApiObject
  /** The object that is stored, and the one before. */
  readonly written?: { readonly object: ApiObject; readonly before: ApiObject | undefined }
}

/** Changes an object (or creates it, where the request may). */
export async function updateObject(target: WriteTarget, request: UpdateRequest): Promise<Written> {
  const { context, type } = target
  let change: Change = {}
  const decide = async (state: KeyState) => {
    target.releaseLock = state.release
    change = state.object
      ? await changeObject(target, request, state.object, state.isCommitted)
      : await createMissing(target, request)
    return change
  }
  const result = await commit(target, type.key(context.info.namespace, request.name), decide)
  if (!result.ok) throw modifiedMeanwhile(target, request.name)
  const { answer, isCreated = false, removed, written } = change
  if (removed) await afterRemoval(target, removed)
  if (written && type.definition.afterWrite) await afterWrite(target, written.object, written.before)
  if (isCreated && result.isWritten) context.recordCreated(request.name)
  return { body: answer ?? result.body!, isCreated }
}

async function changeObject(
  target: WriteTarget,
  request: UpdateRequest,
  found: StoredObject,
  isCommitted: boolean,
): Promise<Change> {
  const { type, version, context, dryRun } = target
  if (dryRun && !isCommitted) return waitForCommit
  context.noteBodySize(found.body)
  const parsing = fromStoredBodyOf(context, found.body)
  const parsed = isPromise(parsing) ? await parsing : parsing
  if (!isCommitted) parsed.metadata.resourceVersion = uncommitted
  const converting = type.toWorking(parsed, version)
  const stored = isPromise(converting) ? await converting : converting
  const live = type.fromStorage(stored, version)
  context.hidden?.add(stored)
  const producing = request.produce(live, target)
  const sent = isPromise(producing) ? await producing : producing
  const yielding = context.yieldIfLarge()
  if (yielding) await yielding
  if (!isCommitted) {
    if (!fitsAnyVersion(sent, request)) return waitForCommit
    const committed = String(found.modRevision)
    stored.metadata.resourceVersion = committed
    if (sent.metadata.resourceVersion) sent.metadata.resourceVersion = committed
  }
  const write: WriteInProgress = {
    kind: request.kind ?? 'update',
    target,
    operation: 'update',
    name: request.name,
    object: sent,
    stored,
    live,
    manager: request.manager,
    update: request,
  }
  await runPipeline(write)
  return await decideChange(write, found)
}
const waitForCommit: Change = { waitsForCommit: true }

/** A client can only name a committed version. */
function fitsAnyVersion({ metadata }: ApiObject, { isUnconditional }: UpdateRequest): boolean {
  const { resourceVersion } = metadata
  return !resourceVersion || resourceVersion === uncommitted || isUnconditional === true
}

/** The change that a prepared object makes: none, a removal if the last finalizer is gone, or the object in place of the stored one. */
async function decideChange(write: WriteInProgress, found: StoredObject): Promise<Change> {
  const { target, stored, update, isConditional = false } = write
  const { type, version, dryRun, context } = target
  const comparing = runInTurns(context, unchangedObject(stored!, write.object!))
  const unchanged = isPromise(comparing) ? await comparing : comparing
  const draft = unchanged ?? write.object!
  if (isReadyForRemoval(draft) && !target.blocksDeletion(draft)) {
    const removed = await type.fromWorking(draft, version)
    // The response shows the object as it was sent, with its last version.
    const answer = withVersion(removed, removed)
    return dryRun ? { answer } : { answer, removed, write: removing(target, removed) }
  }
  if (!found.isConverted && unchanged) return {}
  const beforeEncoding = context.yieldIfLarge()
  if (beforeEncoding) await beforeEncoding
  const converting = type.fromWorking(draft, version)
  const converted = isPromise(converting) ? await converting : converting
  const change = await storing(target, stored, converted, update?.isTracked)
  if (dryRun) return { answer: withVersion(converted, stored!) }
  return { write: change, isConditional, written: { object: converted, before: stored } }
}

/** The object is not there: creates it, where the request may. */
async function createMissing(target: WriteTarget, request: UpdateRequest): Promise<Change> {
  const { name, mayCreate, manager, isTracked = false } = request
  if (checksUidFirst(target, request)) await refuseUid(target, request)
  if (!mayCreate) throw notFound(target.subject(name))
  await mayCreate()
  const sent = await request.produce(undefined, target)
  const { uid, resourceVersion } = sent.metadata
  if (uid) throw otherUid(target, name, uid)
  // An applied configuration with a version requires the object to exist.
  if (resourceVersion && parseVersion(resourceVersion) > 0 && isTracked) throw modifiedMeanwhile(target, name)
  const { object } = await prepareCreate(target, sent, manager, { isTracked })
  // Admission may have renamed it.
  matchName(object, name)
  const change = await storing(target, undefined, object, isTracked)
  if (target.dryRun) return { answer: change.body, isCreated: true }
  return { write: change, isCreated: true, written: { object, before: undefined } }
}

/** Where objects may be created by updates, an update that names a uid fails because of that; before the difference, everywhere. */
function checksUidFirst({ type, services }: WriteTarget, { kind, isPatch = false }: UpdateRequest): boolean {
  if (isPatch || kind === 'updateByAction') return false
  return type.definition.strategy?.createOnUpdate === true || !services.vendor.level.has(missingObjectsComeFirst)
}
async function refuseUid(target: WriteTarget, { name, produce }: UpdateRequest): Promise<void> {
  const { uid } = (await produce(undefined, target)).metadata
  if (uid) throw otherUid(target, name, uid)
}
