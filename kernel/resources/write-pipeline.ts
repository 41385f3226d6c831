import { type ApiObject, andThen, isRecord, ownValue } from 'orch/sdk'
import type { PermissionDefinition } from 'orch/sdk/host'
import { copyJson } from '../../libs/json/index.js'
import { repairManagedFields, trackUpdate } from '../apply/field-manager.js'
import { atOnce } from '../contracts/in-turns.js'
import { unsetMetadata } from '../schema/unset-metadata.js'
import { whenFilled } from '../watch/filled-caches.js'
import { withOwnership } from './converted-ownership.js'
import { countGeneration, keepGeneration, undoGeneration } from './generation.js'
import { managedType } from './managed-type.js'
import {
  carryMetaOnUpdate,
  fillMetaOnCreate,
  matchNamespace,
  warnOfRepeatedOwners,
  withoutSystemFields,
} from './object-meta.js'
import { checkUid, checkVersion, validateBody, validateCreated, validateUpdated } from './write-checks.js'
import type { WriteInProgress } from './write-in-progress.js'
import type { Admission, WriteTarget } from './write-target.js'

/**
 * The steps of a write between its source (see write-sources.ts), which produces the object from a body, a patch, an applied
 * configuration or an action, and its commit (see commit.ts). Every write passes the steps of its kind, in this order. Admission comes
 * before preparation, as in Kubernetes: webhooks see what the client sent.
 */
const pipelines = {
  create: [
    own,
    convertToStored,
    mutateByAdmission,
    prepareForCreate,
    reviewPermission,
    validateCreated,
    validateByAdmission,
    throwIfTimedOut,
    normalize,
  ],
  update: [
    checkUid,
    own,
    convertToStored,
    mutateByAdmission,
    checkVersion,
    prepareForUpdate,
    reviewPermission,
    validateUpdated,
    validateByAdmission,
    throwIfTimedOut,
    normalize,
  ],
  /** An action changes its object: admission has seen the action itself, and the target has no strategy. */
  updateByAction: [
    checkUid,
    own,
    convertToStored,
    checkVersion,
    prepareForUpdate,
    reviewPermission,
    validateUpdated,
    throwIfTimedOut,
    normalize,
  ],
  /** A body that is not stored: that of a virtual type, or of an action that creates something. */
  createBody: [ownBody, mutateBodyByAdmission, validateBody, validateByAdmission],
  /** The body of any other action, and the options of a connection. */
  action: [checkOwnersOfBody, mutateBodyByAdmission, validateBody, validateByAdmission],
  delete: [mutateBodyByAdmission, validateByAdmission, throwIfTimedOut],
  deleteByAction: [throwIfTimedOut],
} as const satisfies Readonly<Record<WriteInProgress['kind'], readonly Step[]>>

type Step = (write: WriteInProgress) => void | Promise<void>

/** Runs the steps of a write. A synchronous step does not yield to the event loop. */
export async function runPipeline(write: WriteInProgress): Promise<void> {
  const { context } = write.target
  if (write.object) context.hidden?.add(write.object)
  for (const step of pipelines[write.kind]) {
    const running = step(write)
    if (running) await running
    const yielding = context.yieldIfLarge()
    if (yielding) await yielding
  }
}

/** Records which fields the manager owns. */
function own(write: WriteInProgress): void | Promise<void> {
  const { target, update } = write
  warnOfRepeatedOwners(target, write.object!)
  if (!write.live) write.object = withoutSystemFields(write.object!, target.services.vendor.level)
  if (update?.isTracked) return
  // The first object of a large custom type waits until its schema and then its model have been derived, each in a turn.
  void target.version.definition.schema
  return andThen(target.context.yieldIfLarge(), () => {
    managedType(target, update?.ownedThrough)
    return andThen(target.context.yieldIfLarge(), () => track(write))
  })
}
function track(write: WriteInProgress): void | Promise<void> {
  const { target, live, manager = '', update } = write
  const sent = write.object!
  const said = update?.unowned ? withoutChanged(sent, live, update.unowned) : sent
  const owned = withOwnership(target, update?.ownedThrough, (managed, own) =>
    trackUpdate(managed, live, own(said), manager, target.now),
  )
  return andThen(owned, object => void (write.object = said === sent ? object : { ...sent, metadata: object.metadata }))
}
/** The object without the field at a path, if the write changes that field. */
function withoutChanged(object: ApiObject, live: ApiObject | undefined, path: readonly string[]): ApiObject {
  const said = copyJson(object)
  const name = path.at(-1) ?? ''
  let parent: unknown = said
  let before: unknown = live
  for (const field of path.slice(0, -1)) {
    parent = isRecord(parent) ? ownValue(parent, field) : undefined
    before = isRecord(before) ? ownValue(before, field) : undefined
  }
  if (!isRecord(parent) || (isRecord(before) && before[name] === parent[name])) return object
  delete parent[name]
  return said
}

/** The same for a body that is not stored: its sender owns it, like a created object. */
function ownBody(write: WriteInProgress): void {
  const { target, action, manager = '' } = write
  const sent = write.object!
  warnOfRepeatedOwners(target, sent)
  const type = managedType(target, target.subresource, action?.version)
  const owned = atOnce(trackUpdate(type, undefined, sent, manager, target.now))
  const { level } = target.services.vendor
  write.object = action ? { ...owned, metadata: { ...unsetMetadata(level), ...owned.metadata } } : owned
}

/** The options of a connection have no metadata. */
function checkOwnersOfBody({ target, object }: WriteInProgress): void {
  if (object?.metadata) warnOfRepeatedOwners(target, object)
}

function convertToStored(write: WriteInProgress): void {
  const { target, object } = write
  write.object = target.type.toStorage(object!, target.version)
  if (write.object !== object) target.context.hidden?.add(write.object)
}

function beginAdmission(write: WriteInProgress): Admission | undefined {
  const { target, operation, name, object, stored, action } = write
  write.admission = target.admission(operation, name, object, stored, action)
  return write.admission
}

function mutateByAdmission(write: WriteInProgress): void | Promise<void> {
  const admission = beginAdmission(write)
  if (!admission?.mutates) return
  const object = write.object!
  const { managedFields = [] } = object.metadata
  return Promise.resolve(admission.mutate()).then(() => {
    const { target } = write
    warnOfRepeatedOwners(target, object)
    if (repairManagedFields(object, managedFields))
      target.context.warn('metadata.managedFields was invalid after mutating admission; the previous value is kept')
  })
}

function mutateBodyByAdmission(write: WriteInProgress): void | Promise<void> {
  return beginAdmission(write)?.mutate()
}

/** Fills in what the server and the type set in a new object. */
function prepareForCreate(write: WriteInProgress): void | Promise<void> {
  const { target } = write
  const object = write.object!
  matchNamespace(object, target.context.info.namespace)
  // The strategy may run in another process, and is then asynchronous.
  const prepared = target.strategy.prepareForCreate?.(object, target.strategyContext())
  return andThen(prepared, () => {
    write.generatesName = !object.metadata.name && Boolean(object.metadata.generateName)
    fillMetaOnCreate(object.metadata, target.now)
    if (target.type.countsGenerations) object.metadata.generation = 1
    return target.strategy.finishCreate?.(object, target.strategyContext())
  })
}

/** The same for a changed object. */
function prepareForUpdate({ kind, target, object, stored }: WriteInProgress): void | Promise<void> {
  const draft = object!
  const before = stored!
  matchNamespace(draft, target.context.info.namespace)
  draft.metadata.resourceVersion ||= before.metadata.resourceVersion
  // Where the kernel does not count generations, an action may.
  if (kind !== 'updateByAction' || target.type.countsGenerations) keepGeneration(draft.metadata, before.metadata)
  const prepared = target.strategy.prepareForUpdate?.(draft, before, target.strategyContext())
  return andThen(prepared, () => {
    carryMetaOnUpdate(draft.metadata, before.metadata)
    if (!target.keepsGeneration) countGeneration(target.type, draft, before)
  })
}

function reviewPermission(write: WriteInProgress): void | Promise<void> {
  const { target, object, stored } = write
  const { context, services, type } = target
  const permission = target.subresource === '' ? type.definition.permission : permissionBelow(target)
  if (!permission) return
  const { user, info } = context
  const { verb, namespace, name: pathName } = info
  const operation = stored ? 'update' : 'create'
  const request = { user, verb, operation, namespace, pathName, object: object!, stored } as const
  return whenFilled(async () => {
    write.contentErrors = (await permission.review(request, services.resolve(type.plugin, permission.needs))) ?? []
  })
}

/** A user who may write a subresource may still not be allowed to write every value. */
function permissionBelow({ version, subresource }: WriteTarget): PermissionDefinition | undefined {
  const definition = version.subresources[subresource]
  return definition?.kind === 'update' ? definition.permission : undefined
}

function validateByAdmission({ admission }: WriteInProgress): void | Promise<void> {
  return admission?.validate()
}

function throwIfTimedOut({ target }: WriteInProgress): void {
  target.throwIfTimedOut()
}

/** Normalizes the object for storage. Webhooks see it before that: Kubernetes sets defaults again when it reads. */
function normalize({ target: { type, version }, object, stored }: WriteInProgress): void {
  const draft = object!
  const working = type.workingVersion(version)
  // Fields that strategies or admission cleared get their defaults again, as they would when read.
  working.fillDefaults(draft)
  working.normalize(draft)
  if (stored) undoGeneration(type, draft, stored)
}
