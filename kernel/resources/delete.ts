import { type ApiObject, conflict, type DeleteStrategy, defineDifference, isPromise, notFound } from 'orch/sdk'
import type { Decision, KeyState, StoredObject } from 'orch/sdk/host'
import { copyJson } from '../../libs/json/index.js'
import type { StatusBody } from '../representation/write-status.js'
import { timestamp } from '../schema/timestamps.js'
import { attributesOf } from '../types/stored-form.js'
import { fromStoredBodyOf, isUnchanged, toStoredBody } from '../types/stored-json.js'
import { afterRemoval, commit, removing, withVersion } from './commit.js'
import { type DeleteRequestOptions, readDeleteOptions } from './delete-options.js'
import { deleteUnreadable } from './delete-unreadable.js'
import { foregroundFinalizer, isReadyForRemoval, orphanFinalizer } from './object-meta.js'
import type { VerbRequest } from './verb.js'
import { runPipeline } from './write-pipeline.js'
import { WriteTarget } from './write-target.js'

const removedObjectsHaveNewVersions = defineDifference({
  name: 'removed-objects-have-the-version-of-their-removal',
  since: '1.26',
  description:
    'The object in the response to its deletion has the resourceVersion of the deletion; before, that of its last change.',
  knownFrom: 'source',
})

const gracePeriodsEndNow = defineDifference({
  name: 'shortened-grace-periods-do-not-end-in-the-past',
  since: '1.33',
  description:
    'A grace period that is shortened to one that is over already ends now, with one second left; before, its end is in the past.',
  knownFrom: 'source',
})

/** DELETE of one object. */
export async function remove(request: VerbRequest): Promise<void> {
  const { services, context, type, version } = request
  context.representation = services.representations.negotiate(context, type, version)
  const options = await readDeleteOptions(services, context, type.definition.deletion?.propagationWarning)
  if (options.ignoresReadErrors) return deleteUnreadable(request)
  const deleted = await deleteObject(request, context.info.name, options)
  const isTerminating = !deleted.isGone
  if (isTerminating || type.definition.deletion?.answer === 'object') {
    const status = isTerminating && options.orphanDependents === false ? 202 : 200
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
  /** The body of the response: the object as it was, or as it now waits for its finalizers. */
  readonly body: Buffer
  readonly isGone: boolean
  /** A webhook was called about it. */
  readonly calledWebhook: boolean
}

/** What the caller already knows. */
export interface KnownState {
  /** Admission has admitted the deletion. */
  readonly isAdmitted?: boolean
  /** The object as it was read a moment ago: it need not be parsed again unless it has changed. */
  readonly object?: ApiObject
}

/** Deletes an object, or marks it as terminating when it has finalizers or a grace period. Shared with deletecollection and evictions. */
export async function deleteObject(
  request: Omit<VerbRequest, 'version'> & Partial<Pick<VerbRequest, 'version'>>,
  name: string,
  options: DeleteRequestOptions,
  known: KnownState = {},
): Promise<Deleted> {
  const { context, type, version = type.storage } = request
  const target = new WriteTarget({ ...request, version }, '', { ...options })
  let calledWebhook = false
  let deletion: Deletion | undefined
  const decide = async (state: KeyState): Promise<Decision> => {
    target.releaseLock = () => {
      calledWebhook = true
      state.release()
    }
    if (!state.isCommitted) return { waitsForCommit: true }
    if (!state.object) throw notFound(target.subject(name))
    deletion = await decideDeletion(target, name, options, known, state.object)
    return deletion
  }
  const key = type.key(context.info.namespace, name)
  // Retried however often the object changes: a deletion does not depend on the object's contents.
  let result = await commit(target, key, decide)
  while (!result.ok) result = await commit(target, key, decide)
  const { object, answer, isGone } = deletion!
  if (isGone && !target.dryRun) await afterRemoval(target, object)
  const { level } = target.services.vendor
  const isAnswer = isGone && !target.dryRun && type.definition.deletion?.answer === 'object'
  const body =
    isAnswer && level.has(removedObjectsHaveNewVersions)
      ? withVersion(object, { metadata: { resourceVersion: String(result.revision) } } as ApiObject)
      : (answer ?? result.body!)
  return { object, body, isGone, calledWebhook }
}

interface Deletion extends Decision {
  readonly object: ApiObject
  /** The body of the response, if it is not what is stored. */
  readonly answer?: Buffer
  readonly isGone: boolean
}

async function decideDeletion(
  target: WriteTarget,
  name: string,
  options: DeleteRequestOptions,
  known: KnownState,
  found: StoredObject,
): Promise<Deletion> {
  const isKnown = known.object?.metadata.resourceVersion === String(found.modRevision)
  const { context } = target
  context.noteBodySize(found.body)
  const parsing = isKnown ? known.object! : fromStoredBodyOf(context, found.body)
  const stored = isPromise(parsing) ? await parsing : parsing
  checkPreconditions(target, stored, options)
  const deletion = target.type.definition.deletion as DeleteStrategy | undefined
  if (isAlreadyTerminating(stored, options, deletion)) return { object: stored, answer: found.body, isGone: false }
  if (context.info.name !== '') target.fillOptions(filledOptions(stored, options, deletion))
  const kind = known.isAdmitted ? 'deleteByAction' : 'delete'
  // The object is not shown after its deletion was admitted, so it need not be converted.
  const working = known.isAdmitted ? stored : target.type.toWorking(stored, target.version)
  const shown = isPromise(working) ? await working : working
  await runPipeline({ kind, target, operation: 'delete', name, object: undefined, stored: shown })
  const draft = markForDeletion(target, draftOf(stored, deletion), options)
  const isFirstStep = deletion?.inTwoSteps === true && !stored.metadata.deletionTimestamp
  const isGone = isReadyForRemoval(draft) && !isFirstStep && !(deletion?.blocksDeletion?.(draft) ?? false)
  // An object with a grace period is marked before it is removed, even if the period is 0: watchers see that it was deleted.
  const isMarked = (!isGone || deletion?.gracePeriodSeconds !== undefined) && !isUnchanged(stored, draft)
  const object = isMarked ? draft : stored
  if (target.dryRun) return { object, answer: isMarked ? withVersion(draft, stored) : found.body, isGone }
  const removal = isGone ? removing(target, stored) : undefined
  if (!isMarked) return { object, answer: found.body, isGone, ...(removal ? { write: removal } : {}) }
  const mark = { body: toStoredBody(draft), attributes: attributesOf(target.type, draft) }
  return { object, isGone, write: mark, ...(removal ? { followedBy: removal } : {}) }
}

/** A copy, as deep as marking it for deletion may change it. */
function draftOf(stored: ApiObject, deletion: DeleteStrategy | undefined): ApiObject {
  return deletion?.onDeletionStart ? copyJson(stored) : { ...stored, metadata: { ...stored.metadata } }
}

/** True when the object is already terminating and this request would not shorten that: there is nothing to do. */
function isAlreadyTerminating(
  stored: ApiObject,
  { gracePeriodSeconds: wanted }: DeleteRequestOptions,
  deletion: DeleteStrategy | undefined,
): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds: left = 0 } = stored.metadata
  if (!deletionTimestamp) return false
  return left > 0 ? wanted === undefined || wanted >= left : (deletion?.blocksDeletion?.(stored) ?? false)
}

/** Fills in the options that admission sees: the grace period, and the uid as a precondition if there is one. */
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
  // Kubernetes names the kind, except where a type checks preconditions itself.
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

/** Sets the fields of a requested deletion: a timestamp, a grace period, and the finalizers of the propagation. */
function markForDeletion(target: WriteTarget, draft: ApiObject, options: DeleteRequestOptions): ApiObject {
  const meta = draft.metadata
  const deletion = target.type.definition.deletion as DeleteStrategy | undefined
  const existing = meta.finalizers ?? []
  const fallback = target.version.definition.defaultPropagation ?? deletion?.defaultPropagation
  const finalizers = propagationFinalizers(existing, requestedPolicy(existing, options, fallback))
  if (finalizers.length > 0) meta.finalizers = finalizers
  else if (meta.finalizers) delete meta.finalizers
  const grace = deletion?.gracePeriodSeconds?.(draft, options.gracePeriodSeconds) ?? 0
  const isFirst = !meta.deletionTimestamp
  const isShorter = meta.deletionGracePeriodSeconds !== undefined && grace < meta.deletionGracePeriodSeconds
  if (isFirst || isShorter) {
    const end = (isFirst ? target.now : startOfDeletion(meta)) + grace * 1000
    const isOver = end < target.now && target.services.vendor.level.has(gracePeriodsEndNow)
    meta.deletionTimestamp = timestamp(isOver ? target.now : end)
    // Whoever terminates it still has to confirm its end.
    meta.deletionGracePeriodSeconds = isOver ? Math.min(grace, 1) : grace
    if (isFirst && (meta.generation ?? 0) > 0) meta.generation = (meta.generation ?? 0) + 1
  }
  if (isFirst) deletion?.onDeletionStart?.(draft, target.now)
  return draft
}

/** When the deletion was first requested: the grace period counts from then, however often it is shortened. */
function startOfDeletion(meta: ApiObject['metadata']): number {
  const { creationTimestamp = '', deletionTimestamp = '', deletionGracePeriodSeconds = 0 } = meta
  // A grace period may reach beyond the last timestamp (the year 9999).
  return Math.max(Date.parse(creationTimestamp), Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000)
}

function propagationFinalizers(existing: readonly string[], policy: string): string[] {
  const others = existing.filter(finalizer => finalizer !== orphanFinalizer && finalizer !== foregroundFinalizer)
  const wanted = policy === 'Orphan' ? orphanFinalizer : policy === 'Foreground' ? foregroundFinalizer : undefined
  if (wanted === undefined) return others
  // Existing finalizers keep their order.
  const isThere = existing.length === others.length + 1 && existing.includes(wanted)
  return isThere ? [...existing] : [...others, wanted]
}

function requestedPolicy(
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
