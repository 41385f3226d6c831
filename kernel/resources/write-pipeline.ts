import type { ApiObject, FieldError, Operation } from 'orch/sdk'
import { repairManagedFields } from '../apply/field-manager.js'
import { copyJson } from '../schema/copy-json.js'
import { whenFilled } from '../watch/filled-caches.js'
import { countGeneration, keepGeneration, takeBackGeneration } from './generation.js'
import { validateMeta, validateMetaUpdate } from './metadata-rules.js'
import { carryMetaOnUpdate, dropRepeatedOwners, fillMetaOnCreate, matchNamespace } from './object-meta.js'
import type { ActionForm } from './served-forms.js'
import type { Admission, WriteTarget } from './write-target.js'

/**
 * The one way to the store: every write passes the steps of its kind, in this order, between what was sent (decoded, defaulted,
 * owned, in the storage version) and the commit. Kubernetes admits before it prepares, so that webhooks see what the client
 * sent; we follow it.
 */
const pipelines = {
  create: [
    mutateByAdmission,
    prepareForCreate,
    reviewPermission,
    validateCreated,
    validateByAdmission,
    throwIfTimedOut,
    normalize,
  ],
  update: [
    mutateByAdmission,
    checkBase,
    prepareForUpdate,
    reviewPermission,
    validateUpdated,
    validateByAdmission,
    throwIfTimedOut,
    normalize,
  ],
  /** What an action does to its object: admission saw the action itself, and the target brings no strategy. */
  updateByAction: [checkBase, prepareForUpdate, reviewPermission, validateUpdated, throwIfTimedOut, normalize],
  /** The body of an action or of a virtual type: it is not stored. */
  action: [mutateBodyByAdmission, validateBody, validateByAdmission],
  delete: [mutateBodyByAdmission, validateByAdmission, throwIfTimedOut],
  deleteByAction: [throwIfTimedOut],
} as const satisfies Readonly<Record<string, readonly Step[]>>

export type WriteKind = keyof typeof pipelines
type Step = (write: WriteInProgress) => void | Promise<void>

/** One write on its way through the steps. */
export interface WriteInProgress {
  readonly kind: WriteKind
  readonly target: WriteTarget
  readonly operation: Operation
  /** Empty while a name is still to be generated. */
  readonly name: string
  /** What will be stored, or handed to an action; steps change it in place. Undefined for a deletion. */
  readonly object: ApiObject | undefined
  /** What is stored now; undefined on create. */
  readonly stored?: ApiObject | undefined
  /** The body of an action is of a type of its own. */
  readonly action?: ActionForm
  /** Told the object when nobody outside will change it any more; throws when it is not based on the stored one. */
  checkBase?(object: ApiObject): void
  /** Rules of a body beside the limits of its schema. */
  bodyErrors?(object: ApiObject): FieldError[]
  admission?: Admission | undefined
  /** The name was generated, so another one will do. */
  generatesName?: boolean
}

/** Takes a write through its steps. What is decided at once costs no turn of the event loop. */
export async function runPipeline(write: WriteInProgress): Promise<void> {
  const { kind, target, operation, name, object, stored, action } = write
  if (object) target.context.hidden?.add(object)
  const steps: readonly Step[] = pipelines[kind]
  if (steps.includes(validateByAdmission)) write.admission = target.admission(operation, name, object, stored, action)
  for (const step of steps) {
    const running = step(write)
    if (running) await running
    const turn = target.context.yieldIfLarge()
    if (turn) await turn
  }
}

function mutateByAdmission({ target, admission, object }: WriteInProgress): void | Promise<void> {
  if (!admission?.mutates || !object) return
  const { managedFields = [] } = object.metadata
  return Promise.resolve(admission.mutate()).then(() => {
    warnOfRepeatedOwners(target, object)
    if (repairManagedFields(object, managedFields))
      target.context.warn('.metadata.managedFields made no sense after mutating admission and were left as they were')
  })
}

function mutateBodyByAdmission({ admission }: WriteInProgress): void | Promise<void> {
  return admission?.mutate()
}

function checkBase(write: WriteInProgress): void {
  write.checkBase?.(write.object!)
}

/** What the server and the type fill into a new object. Only now: mutating controls see what the client sent. */
function prepareForCreate(write: WriteInProgress): void {
  const { target } = write
  const object = write.object!
  matchNamespace(object, target.context.info.namespace)
  target.strategy.prepareForCreate?.(object, target.strategyContext())
  write.generatesName = !object.metadata.name && Boolean(object.metadata.generateName)
  fillMetaOnCreate(object.metadata, target.now)
  if (target.type.countsGenerations) object.metadata.generation = 1
  // What is derived from the name had to wait for it.
  if (write.generatesName) target.type.workingVersion(target.version).fillDefaults(object)
  target.strategy.finishCreate?.(object, target.strategyContext())
}

/** The same for a changed object. */
function prepareForUpdate({ kind, target, object, stored }: WriteInProgress): void {
  const draft = object!
  const before = stored!
  matchNamespace(draft, target.context.info.namespace)
  draft.metadata.resourceVersion ||= before.metadata.resourceVersion
  // Where nobody else counts, an action does it by itself.
  if (kind !== 'updateByAction' || target.type.countsGenerations) keepGeneration(draft.metadata, before.metadata)
  target.strategy.prepareForUpdate?.(draft, before, target.strategyContext())
  carryMetaOnUpdate(draft.metadata, before.metadata)
  countGeneration(target.type, draft, before)
}

function reviewPermission({ target, object, stored }: WriteInProgress): void | Promise<void> {
  const { context, services, type } = target
  const { permission } = type.definition
  if (!permission || target.subresource !== '') return
  const { user, info } = context
  const operation = stored ? 'update' : 'create'
  const request = { user, operation, namespace: info.namespace, pathName: info.name, object: object!, stored } as const
  return whenFilled(() => permission.review(request, services.resolve(type.plugin, permission.needs)))
}

/** The rules of metadata, the limits of the schema and the rules of the type, all at once. */
async function validateCreated({ target, object, admission }: WriteInProgress): Promise<void> {
  const { services, type, strategy } = target
  const draft = object!
  const { name = '' } = draft.metadata
  const own = strategy.validate?.(draft, target.strategyContext())
  await throwIfInvalid(target, name, draft, undefined, validateMeta(services.types, type, draft.metadata), own)
  // Whoever renames the object on the way does not change what the client asked for.
  if (admission && admission.request.name === '') admission.request.name = name
}
async function validateUpdated({ target, name, object, stored }: WriteInProgress): Promise<void> {
  const { services, strategy, subresource } = target
  const [draft, before] = [object!, stored!]
  const checks = strategy.metadataChecks ?? { change: 1, object: subresource === '' ? 1 : 0 }
  const ofMetadata = validateMetaUpdate(services.types, target.type, draft.metadata, before.metadata, checks)
  const own = strategy.validateUpdate?.(draft, before, target.strategyContext())
  await throwIfInvalid(target, name, draft, before, ofMetadata, own)
}
async function throwIfInvalid(
  target: WriteTarget,
  name: string,
  draft: ApiObject,
  stored: ApiObject | undefined,
  ofMetadata: readonly FieldError[],
  own: readonly FieldError[] | Promise<readonly FieldError[]> = [],
): Promise<void> {
  // Not pushed with `...`: a call takes only so many arguments, and a large object may have more errors.
  const errors = [...ofMetadata, ...constraintErrors(target, draft), ...(own instanceof Promise ? await own : own)]
  if (errors.length > 0) throw target.invalid(name, errors)
  const warnings = target.strategy.warnings?.(draft, stored, target.strategyContext()) ?? []
  for (const text of warnings) target.context.warn(text)
}

/**
 * The limits of the schema that the object is stored in, and of the one that the client used: a version may be narrower
 * than what is stored.
 */
function constraintErrors({ type, version }: WriteTarget, draft: ApiObject): readonly FieldError[] {
  if (type.definition.conversion !== undefined) return version.checkConstraints?.(draft) ?? []
  const errors = type.storage.checkConstraints?.(draft) ?? []
  if (version.isStorage || !version.checkConstraints) return errors
  const idOf = (error: FieldError) => `${error.type} ${error.field}`
  const told = new Set(errors.map(idOf))
  const asSent = version.checkConstraints(type.fromStorage(copyJson(draft), version))
  const more = asSent.filter(error => !told.has(idOf(error)))
  return [...errors, ...more]
}

function validateBody({ target, name, object, action, bodyErrors }: WriteInProgress): void {
  if (!object) return
  const { type, version } = target
  const errors = [
    ...((action ?? { version }).version.checkConstraints?.(object) ?? []),
    ...(bodyErrors?.(object) ?? []),
  ]
  if (errors.length > 0) throw target.invalid(name, errors, action?.kind ?? type)
}

function validateByAdmission({ admission }: WriteInProgress): void | Promise<void> {
  return admission?.validate()
}

function throwIfTimedOut({ target }: WriteInProgress): void {
  target.throwIfTimedOut()
}

/** The form in which the object is stored. Webhooks see it as it was before: the reference fills defaults again when it reads. */
function normalize({ target: { type, version }, object, stored }: WriteInProgress): void {
  const draft = object!
  const working = type.workingVersion(version)
  // What strategies and admission emptied gets its default again, as it would when read.
  working.fillDefaults(draft)
  working.normalize(draft)
  if (stored) takeBackGeneration(type, draft, stored)
}

export function warnOfRepeatedOwners(target: WriteTarget, object: ApiObject): void {
  if (dropRepeatedOwners(object.metadata)) {
    target.context.warn('.metadata.ownerReferences contains duplicate entries; only the first of each is kept')
  }
}
