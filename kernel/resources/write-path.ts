import {
  type ApiObject,
  alreadyExists,
  conflict,
  type FieldError,
  invalid,
  invalidValue,
  notFound,
  tooLarge,
} from 'orch/sdk'
import { keepTimesIfUnchanged, trackUpdate } from '../apply/field-manager.js'
import { managedType } from './managed-type.js'
import {
  carryMetaOnUpdate,
  dropRepeatedOwners,
  fillMetaOnCreate,
  generateName,
  isReadyForRemoval,
  validateMeta,
  validateMetaUpdate,
} from './object-meta.js'
import { attributesOf } from './selection.js'
import { fromStoredBody, isUnchanged, toStoredBody } from './stored-json.js'
import type { WriteTarget } from './write-target.js'

/**
 * The one way to the store. Every verb that writes comes through here:
 * ownership → mutating admission → strategy.prepare → permission → validation → validating admission → commit.
 * (Kubernetes admits before it prepares, so that webhooks see what the client sent; we follow it.)
 */

/** The outcome of a write: the body as stored, of the storage version. */
export interface Written {
  readonly body: Buffer
  readonly isCreated: boolean
}

/** How often a generated name may collide before the client is told. */
const generateNameAttempts = 8
/** How often an unconditional change is repeated when another process wins the race. */
const conflictAttempts = 20

/** Creates an object, given in the version of the request. */
export async function createObject(
  target: WriteTarget,
  sent: ApiObject,
  manager: string,
  isTracked = false,
): Promise<Written> {
  const { services, type, context } = target
  warnOfRepeatedOwners(target, sent)
  const owned = isTracked ? sent : trackUpdate(managedType(target), undefined, sent, manager, target.now)
  const draft = type.toStorage(owned, target.version)
  const chain = services.admission.for(type.group, type.resource, target.subresource, 'create')
  const name = draft.metadata.name ?? ''
  if (chain.mutating.length > 0) {
    await services.admission.mutate(chain, target.admissionRequest('create', name, draft, undefined))
    warnOfRepeatedOwners(target, draft)
  }
  const strategyContext = target.strategyContext()
  target.strategy.prepareForCreate?.(draft, strategyContext)
  const generatesName = !draft.metadata.name && Boolean(draft.metadata.generateName)
  fillMetaOnCreate(draft.metadata, target.now)
  await reviewPermission(target, 'create', draft, undefined)
  const errors = validateMeta(services.types, type, draft.metadata)
  errors.push(...(constraintErrors(target, draft) ?? []))
  const ownErrors = target.strategy.validate?.(draft, strategyContext) ?? []
  errors.push(...(Array.isArray(ownErrors) ? ownErrors : await ownErrors))
  if (errors.length > 0) throw target.invalid(draft.metadata.name ?? '', errors)
  for (const text of target.strategy.warnings?.(draft, undefined, strategyContext) ?? []) context.warn(text)
  if (chain.validating.length > 0) {
    await services.admission.validate(
      chain,
      target.admissionRequest('create', draft.metadata.name ?? '', draft, undefined),
    )
  }
  return commitCreate(target, draft, generatesName)
}

async function commitCreate(target: WriteTarget, draft: ApiObject, generatesName: boolean): Promise<Written> {
  const { services, type } = target
  const meta = draft.metadata
  type.storage.settle(draft)
  for (let attempt = 1; ; attempt++) {
    const key = type.key(meta.namespace ?? '', meta.name ?? '')
    const body = toStoredBody(draft)
    refuseTooLarge(target, body)
    if (target.dryRun) {
      if (!(await services.store.get(key))) return { body, isCreated: true }
    } else {
      const result = await services.store.write({ key, body, attributes: attributesOf(type, draft), expect: 0 })
      if (result.ok) return { body: result.body!, isCreated: true }
    }
    if (!generatesName || attempt >= generateNameAttempts) throw alreadyExists(target.subject(meta.name ?? ''))
    meta.name = generateName(meta.generateName ?? '')
  }
}

export interface UpdateRequest {
  readonly name: string
  readonly manager: string
  /**
   * Makes the wanted object from the live one; both in the version of the request. Called again when another process
   * changed the object meanwhile. `live` is undefined when there is none and the object may be created.
   */
  produce(live: ApiObject | undefined): ApiObject | Promise<ApiObject>
  /** May this request create the object? Checks the permission to do so, or throws. */
  readonly mayCreate?: () => Promise<void>
  /** The produced object already carries its managedFields (server-side apply). */
  readonly isTracked?: boolean
  /** A patch was made for whatever object has the name: another uid in it is not outdated but invalid. */
  readonly isPatch?: boolean
  /** Says that the object was read and the write must be repeated on conflict even if it names a resourceVersion. */
  readonly isUnconditional?: boolean
}

/** Changes an object (or creates it, where the request may). */
export function updateObject(target: WriteTarget, request: UpdateRequest): Promise<Written> {
  const key = target.type.key(target.context.info.namespace, request.name)
  return target.services.locks.run(key, async () => {
    for (let attempt = 1; ; attempt++) {
      const written = await tryUpdate(target, request, key)
      if (written) return written
      if (attempt >= conflictAttempts) throw modifiedMeanwhile(target, request.name)
    }
  })
}

/** One attempt; undefined when another process was faster and the change may be repeated. */
async function tryUpdate(target: WriteTarget, request: UpdateRequest, key: string): Promise<Written | undefined> {
  const { services, type } = target
  const found = await services.store.get(key)
  if (!found) return createMissing(target, request)
  const stored = fromStoredBody(found.body)
  const live = type.fromStorage(stored, target.version)
  const sent = await request.produce(live)
  const isConditional = checkVersion(target, request, sent, stored)
  warnOfRepeatedOwners(target, sent)
  const owned = request.isTracked ? sent : trackUpdate(managedType(target), live, sent, request.manager, target.now)
  // `live` may be the parsed object itself, so strategies compare against a copy that nobody has touched.
  const before = live === stored ? fromStoredBody(found.body) : stored
  const changed = type.toStorage(owned, target.version)
  await admitAndValidate(target, request.name, changed, before)
  const draft = keepTimesIfUnchanged(before, changed)
  if (isReadyForRemoval(draft) && !isHeld(target, draft)) return removeInstead(target, key, draft, found.modRevision)
  type.storage.settle(draft)
  if (isUnchanged(before, draft)) return { body: found.body, isCreated: false }
  const body = toStoredBody(draft)
  refuseTooLarge(target, body)
  if (target.dryRun) return { body: withVersion(draft, before), isCreated: false }
  const result = await services.store.write({
    key,
    body,
    attributes: attributesOf(type, draft),
    expect: found.modRevision,
  })
  if (result.ok) return { body: result.body!, isCreated: false }
  if (isConditional) throw modifiedMeanwhile(target, request.name)
  return undefined
}

async function createMissing(target: WriteTarget, request: UpdateRequest): Promise<Written> {
  if (!request.mayCreate) throw notFound(target.subject(request.name))
  await request.mayCreate()
  const sent = await request.produce(undefined)
  if (sent.metadata.uid)
    throw conflict(
      target.subject(request.name),
      `Precondition failed: UID in precondition: ${sent.metadata.uid}, UID in object meta: `,
    )
  return createObject(target, sent, request.manager, request.isTracked)
}

/** Is the sent object based on the stored one? Returns whether it says so; fills the version in when it does not. */
function checkVersion(target: WriteTarget, request: UpdateRequest, sent: ApiObject, stored: ApiObject): boolean {
  const meta = sent.metadata
  if (meta.uid && meta.uid !== stored.metadata.uid && !request.isPatch) {
    throw conflict(
      target.subject(request.name),
      `Precondition failed: UID in precondition: ${meta.uid}, UID in object meta: ${stored.metadata.uid}`,
    )
  }
  if (!meta.resourceVersion || request.isUnconditional) {
    if (!meta.resourceVersion && target.strategy.unconditionalUpdate === false && !request.isUnconditional) {
      const rule = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update')
      throw invalid({ group: target.type.group, kind: target.type.resource }, request.name, [rule])
    }
    meta.resourceVersion = stored.metadata.resourceVersion
    return false
  }
  if (meta.resourceVersion !== stored.metadata.resourceVersion) throw modifiedMeanwhile(target, request.name)
  return true
}

const modifiedMeanwhile = (target: WriteTarget, name: string) =>
  conflict(
    target.subject(name),
    'the object has been modified; please apply your changes to the latest version and try again',
  )

async function admitAndValidate(target: WriteTarget, name: string, draft: ApiObject, stored: ApiObject): Promise<void> {
  const { services, type, context } = target
  const chain = services.admission.for(type.group, type.resource, target.subresource, 'update')
  if (chain.mutating.length > 0) {
    await services.admission.mutate(chain, target.admissionRequest('update', name, draft, stored))
    warnOfRepeatedOwners(target, draft)
  }
  const strategyContext = target.strategyContext()
  target.strategy.prepareForUpdate?.(draft, stored, strategyContext)
  carryMetaOnUpdate(draft.metadata, stored.metadata)
  await reviewPermission(target, 'update', draft, stored)
  const metaErrors = validateMetaUpdate(services.types, draft.metadata, stored.metadata)
  // The reference checks metadata once for all types and once more within each type; clients see both causes.
  const errors = [...metaErrors, ...metaErrors, ...(constraintErrors(target, draft) ?? [])]
  const ownErrors = target.strategy.validateUpdate?.(draft, stored, strategyContext) ?? []
  errors.push(...(Array.isArray(ownErrors) ? ownErrors : await ownErrors))
  if (errors.length > 0) throw target.invalid(name, errors)
  for (const text of target.strategy.warnings?.(draft, stored, strategyContext) ?? []) context.warn(text)
  if (chain.validating.length > 0) {
    await services.admission.validate(chain, target.admissionRequest('update', name, draft, stored))
  }
}

function constraintErrors(target: WriteTarget, draft: ApiObject): FieldError[] | undefined {
  return target.type.storage.checkConstraints?.(draft)
}

async function reviewPermission(
  target: WriteTarget,
  operation: 'create' | 'update',
  object: ApiObject,
  stored: ApiObject | undefined,
): Promise<void> {
  const { permission } = target.type.definition
  if (!permission || target.subresource !== '') return
  const { context, services, type } = target
  const { user, info } = context
  await permission.review(
    { user, operation, namespace: info.namespace, pathName: info.name, object, stored },
    services.resolve(type.plugin, permission.needs),
  )
}

function isHeld(target: WriteTarget, object: ApiObject): boolean {
  return target.type.definition.deletion?.isHeld?.(object as never) ?? false
}

/** The last finalizer went away: the object goes too. The answer shows it as it was sent, under its last version. */
async function removeInstead(
  target: WriteTarget,
  key: string,
  draft: ApiObject,
  expect: number,
): Promise<Written | undefined> {
  const answer = { body: withVersion(draft, draft), isCreated: false }
  if (target.dryRun) return answer
  const result = await target.services.store.write({ key, body: undefined, expect })
  return result.ok ? answer : undefined
}

/** A body that is not stored but answered: its version is that of the stored object. */
export function withVersion(draft: ApiObject, stored: ApiObject): Buffer {
  const { apiVersion: _, kind: __, metadata, ...rest } = draft
  const { resourceVersion: ___, ...meta } = metadata
  return Buffer.from(
    JSON.stringify({ metadata: { resourceVersion: stored.metadata.resourceVersion, ...meta }, ...rest }),
  )
}

function refuseTooLarge(target: WriteTarget, body: Buffer): void {
  const limit = target.services.limits.objectBytes
  if (body.length > limit)
    throw tooLarge(`the object is too large to be stored: ${body.length} bytes, limit is ${limit}`)
}

function warnOfRepeatedOwners(target: WriteTarget, object: ApiObject): void {
  if (dropRepeatedOwners(object.metadata)) {
    target.context.warn('.metadata.ownerReferences contains duplicate entries; only the first of each is kept')
  }
}
