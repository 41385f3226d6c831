import { type ApiObject, conflict, type DeleteStrategy, notFound } from 'orch/sdk'
import type { StoredObject } from 'orch/sdk/host'
import type { StatusBody } from '../representation/write-status.js'
import { attributesOf } from '../types/stored-form.js'
import { fromStoredBody, isUnchanged, toStoredBody } from '../types/stored-json.js'
import { afterRemoval } from './after-removal.js'
import { type DeleteRequestOptions, readDeleteOptions } from './delete-options.js'
import { deleteUnreadable } from './delete-unreadable.js'
import { claimsOf } from './exclusive-names.js'
import { type Decision, decideByNewest } from './newest-state.js'
import { foregroundFinalizer, isReadyForRemoval, orphanFinalizer, timestamp } from './object-meta.js'
import { withVersion } from './stored-body.js'
import type { VerbRequest } from './verb.js'
import { runPipeline } from './write-pipeline.js'
import { WriteTarget } from './write-target.js'

/** DELETE of one object. */
export async function remove(request: VerbRequest): Promise<void> {
  const { services, context, type, version } = request
  context.representation = services.representations.negotiate(context, type, version)
  const options = await readDeleteOptions(services, context, type.definition.deletion?.propagationWarning)
  if (options.ignoresReadErrors) return deleteUnreadable(request)
  const deleted = await deleteObject(request, context.info.name, options)
  const isHeldBack = !deleted.isGone
  if (isHeldBack || type.definition.deletion?.answer === 'object') {
    const status = isHeldBack && options.orphanDependents === false ? 202 : 200
    return services.representations.respond(context, status, type, version, deleted.body)
  }
  services.representations.respondStatus(context, 200, successStatus(request, deleted.object))
}

function successStatus({ type }: VerbRequest, object: ApiObject): StatusBody {
  const { name, uid } = object.metadata
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...(type.group === '' ? {} : { group: type.group }), kind: type.resource, uid },
  }
}

export interface Deleted {
  readonly object: ApiObject
  /** The answer's body: the object as it was, or as it now waits for its finalizers. */
  readonly body: Buffer
  readonly isGone: boolean
  /** Somebody outside, such as a webhook, was asked about it. */
  readonly isJudgedOutside: boolean
}

/** What the caller knows already. */
export interface KnownState {
  /** Admission has let the deletion pass. */
  readonly isAdmitted?: boolean
  /** The object as it was read a moment ago: it need not be parsed again unless it has changed. */
  readonly object?: ApiObject
}

/** Deletes an object, or marks it as being deleted when something still holds it. Shared with deletecollection and evictions. */
export function deleteObject(
  request: Omit<VerbRequest, 'version'> & Partial<Pick<VerbRequest, 'version'>>,
  name: string,
  options: DeleteRequestOptions,
  known: KnownState = {},
): Promise<Deleted> {
  const { services, context, type } = request
  const version = request.version ?? type.storage
  const target = new WriteTarget(services, context, type, version, '', { ...options })
  const key = type.key(context.info.namespace, name)
  return services.locks.run(key, async release => {
    let isJudgedOutside = false
    target.releaseLock = () => {
      isJudgedOutside = true
      release()
    }
    for (let isFirst = true; ; isFirst = false) {
      await services.pendingWrites.settled(key)
      const attempt = (found: StoredObject | undefined) => tryDelete(target, key, name, options, known, found)
      const { deleted } = await decideByNewest(services.store, key, attempt, isFirst)
      if (!deleted) continue
      if (deleted.isGone && !target.dryRun) await afterRemoval(target, deleted.object)
      return { ...deleted, isJudgedOutside }
    }
  })
}

interface Attempt extends Decision {
  /** Undefined when another process changed the object meanwhile. */
  readonly deleted: Omit<Deleted, 'isJudgedOutside'> | undefined
}

async function tryDelete(
  target: WriteTarget,
  key: string,
  name: string,
  options: DeleteRequestOptions,
  known: KnownState,
  found: StoredObject | undefined,
): Promise<Attempt> {
  const { services } = target
  if (!found) throw notFound(target.subject(name))
  const isKnown = known.object?.metadata.resourceVersion === String(found.modRevision)
  const stored = isKnown ? known.object! : fromStoredBody(found.body)
  checkPreconditions(target, stored, options)
  const deletion = target.type.definition.deletion as DeleteStrategy | undefined
  if (isUnderWay(stored, options, deletion))
    return { deleted: { object: stored, body: found.body, isGone: false }, isGuarded: false }
  if (target.context.info.name !== '') target.fillOptions(filledOptions(stored, options, deletion))
  const kind = known.isAdmitted ? 'deleteByAction' : 'delete'
  // Nobody is shown an object whose deletion has been admitted, so it need not be converted.
  const working = known.isAdmitted ? stored : target.type.toWorking(stored, target.version)
  const shown = working instanceof Promise ? await working : working
  await runPipeline({ kind, target, operation: 'delete', name, object: undefined, stored: shown })
  const draft = markForDeletion(target, draftOf(stored, deletion), options)
  const isFirstStep = deletion?.inTwoSteps === true && !stored.metadata.deletionTimestamp
  const isGone = isReadyForRemoval(draft) && !isFirstStep && !(deletion?.blocksDeletion?.(draft) ?? false)
  // What may take its time is marked before it goes, even when it has none: whoever watches it sees that it was deleted.
  const isMarked = (!isGone || deletion?.gracePeriodSeconds !== undefined) && !isUnchanged(stored, draft)
  const last = isMarked
    ? await mark(target, key, draft, stored)
    : { object: stored, body: found.body, revision: found.modRevision }
  if (!last) return lostRace
  const isRemoved = isGone && !target.dryRun
  if (isRemoved) {
    const claims = claimsOf(target, stored, undefined)
    const { ok } = await services.store.write({ key, body: undefined, expect: last.revision, ...claims })
    if (!ok) return lostRace
  }
  const isGuarded = isRemoved || (isMarked && !target.dryRun)
  return { deleted: { object: last.object, body: last.body, isGone }, isGuarded }
}
const lostRace: Attempt = { deleted: undefined, isGuarded: true }

/** Stores an object that is marked for deletion; undefined when another process changed it meanwhile. */
async function mark(target: WriteTarget, key: string, draft: ApiObject, stored: ApiObject) {
  const revision = Number(stored.metadata.resourceVersion)
  if (target.dryRun) return { object: draft, body: withVersion(draft, stored), revision }
  const attributes = attributesOf(target.type, draft)
  const write = { key, body: toStoredBody(draft), attributes, expect: revision }
  const result = await target.services.store.write(write)
  return result.ok ? { object: draft, body: result.body!, revision: result.revision } : undefined
}

/** A copy as deep as what marking it may change. */
function draftOf(stored: ApiObject, deletion: DeleteStrategy | undefined): ApiObject {
  return deletion?.onDeletionStart ? structuredClone(stored) : { ...stored, metadata: { ...stored.metadata } }
}

/** Is the object already ending, and would this request not hurry it? Then there is nothing to decide. */
function isUnderWay(
  stored: ApiObject,
  { gracePeriodSeconds: wanted }: DeleteRequestOptions,
  deletion: DeleteStrategy | undefined,
): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds: left = 0 } = stored.metadata
  if (!deletionTimestamp) return false
  return left > 0 ? wanted === undefined || wanted >= left : (deletion?.blocksDeletion?.(stored) ?? false)
}

/** What the client left open and admission is told: how long the object has, and which object it is if that takes long. */
function filledOptions(
  stored: ApiObject,
  { gracePeriodSeconds, preconditions }: DeleteRequestOptions,
  deletion: DeleteStrategy | undefined,
): Record<string, unknown> {
  const { uid } = stored.metadata
  const isFirst = !stored.metadata.deletionTimestamp
  const grace = isFirst ? deletion?.gracePeriodSeconds?.(stored, gracePeriodSeconds) : undefined
  return {
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(deletion?.blocksDeletion ? { preconditions: { uid, ...preconditions } } : {}),
  }
}

function checkPreconditions(target: WriteTarget, stored: ApiObject, { preconditions }: DeleteRequestOptions): void {
  const { type, failureGroup } = target
  // The reference names the kind, except where a type looks at its preconditions itself.
  const resource = type.definition.deletion?.inTwoSteps ? type.resource : type.kind
  const subject = { group: failureGroup, resource, name: stored.metadata.name ?? '' }
  const { uid, resourceVersion } = preconditions ?? {}
  if (uid !== undefined && uid !== stored.metadata.uid) {
    throw conflict(
      subject,
      `the UID in the precondition (${uid}) does not match the UID in record (${stored.metadata.uid}). The object might have been deleted and then recreated`,
    )
  }
  if (resourceVersion !== undefined && resourceVersion !== stored.metadata.resourceVersion) {
    throw conflict(
      subject,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${stored.metadata.resourceVersion}). The object might have been modified`,
    )
  }
}

/** What the object becomes when its deletion is asked for: a timestamp, a grace period, and the finalizers of the propagation. */
function markForDeletion(target: WriteTarget, draft: ApiObject, options: DeleteRequestOptions): ApiObject {
  const meta = draft.metadata
  const deletion = target.type.definition.deletion as DeleteStrategy | undefined
  const existing = meta.finalizers ?? []
  const fallback = target.version.definition.defaultPropagation ?? deletion?.defaultPropagation
  const finalizers = propagationFinalizers(existing, wantedPolicy(existing, options, fallback))
  if (finalizers.length > 0) meta.finalizers = finalizers
  else if (meta.finalizers) delete meta.finalizers
  const grace = deletion?.gracePeriodSeconds?.(draft, options.gracePeriodSeconds) ?? 0
  const isFirst = !meta.deletionTimestamp
  const isShorter = meta.deletionGracePeriodSeconds !== undefined && grace < meta.deletionGracePeriodSeconds
  if (isFirst || isShorter) {
    meta.deletionTimestamp = timestamp((isFirst ? target.now : startOfDeletion(meta)) + grace * 1000)
    meta.deletionGracePeriodSeconds = grace
    if (isFirst && (meta.generation ?? 0) > 0) meta.generation = (meta.generation ?? 0) + 1
  }
  if (isFirst) deletion?.onDeletionStart?.(draft, target.now)
  return draft
}

/** When the deletion was first asked for: from then on the time counts, however often it is shortened. */
function startOfDeletion(meta: ApiObject['metadata']): number {
  const { creationTimestamp = '', deletionTimestamp = '', deletionGracePeriodSeconds = 0 } = meta
  // A timestamp has an end (the year 9999) that a grace period may lie beyond.
  return Math.max(Date.parse(creationTimestamp), Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000)
}

function propagationFinalizers(existing: readonly string[], policy: string): string[] {
  const others = existing.filter(finalizer => finalizer !== orphanFinalizer && finalizer !== foregroundFinalizer)
  const wanted = policy === 'Orphan' ? orphanFinalizer : policy === 'Foreground' ? foregroundFinalizer : undefined
  if (wanted === undefined) return others
  // The order of what is there already is not ours to change.
  const isThere = existing.length === others.length + 1 && existing.includes(wanted)
  return isThere ? [...existing] : [...others, wanted]
}

function wantedPolicy(
  existing: readonly string[],
  options: DeleteRequestOptions,
  fallback: string | undefined,
): string {
  if (fallback === 'Never') return fallback
  if (options.orphanDependents !== undefined) return options.orphanDependents ? 'Orphan' : 'Background'
  if (options.propagationPolicy !== undefined) return options.propagationPolicy
  if (existing.includes(orphanFinalizer)) return 'Orphan'
  if (existing.includes(foregroundFinalizer)) return 'Foreground'
  return fallback ?? 'Background'
}
