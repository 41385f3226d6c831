import { type ApiObject, alreadyExists, type FieldError, tooLarge } from 'orch/sdk'
import type { ChainFor } from '../admission/admission-chain.js'
import { mendOwnerships, trackUpdate } from '../apply/field-manager.js'
import { managedType } from './managed-type.js'
import { validateMeta, validateMetaUpdate } from './metadata-rules.js'
import {
  carryMetaOnUpdate,
  dropRepeatedOwners,
  fillMetaOnCreate,
  generateName,
  keepGeneration,
  matchNamespace,
} from './object-meta.js'
import { attributesOf } from './selection.js'
import { toStoredBody } from './stored-json.js'
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
  const chain = target.chainFor('create')
  const name = draft.metadata.name ?? ''
  if (chain.mutating.length > 0) await mutate(target, chain, 'create', name, draft, undefined)
  matchNamespace(draft, context.info.namespace)
  const strategyContext = target.strategyContext()
  target.strategy.prepareForCreate?.(draft, strategyContext)
  const generatesName = !draft.metadata.name && Boolean(draft.metadata.generateName)
  fillMetaOnCreate(draft.metadata, target.now)
  // What is derived from the name had to wait for it.
  if (generatesName) type.storage.fillDefaults(draft)
  await reviewPermission(target, 'create', draft, undefined)
  const general = [...validateMeta(services.types, type, draft.metadata), ...(constraintErrors(target, draft) ?? [])]
  const own = target.strategy.validate?.(draft, strategyContext) ?? []
  // Not pushed with `...`: a call takes only so many arguments, and a large object may have more errors.
  const errors = [...general, ...(Array.isArray(own) ? own : await own)]
  if (errors.length > 0) throw target.invalid(draft.metadata.name ?? '', errors)
  for (const text of target.strategy.warnings?.(draft, undefined, strategyContext) ?? []) context.warn(text)
  if (chain.validating.length > 0) {
    // Whoever renames the object on the way does not change what the client asked for.
    const askedFor = name || (draft.metadata.name ?? '')
    await services.admission.validate(chain, target.admissionRequest('create', askedFor, draft, undefined))
  }
  target.refuseOverdue()
  return commitCreate(target, draft, generatesName, isTracked)
}

async function commitCreate(
  target: WriteTarget,
  draft: ApiObject,
  generatesName: boolean,
  isApplied: boolean,
): Promise<Written> {
  const { services, type } = target
  const meta = draft.metadata
  // What strategies and admission emptied gets its default again, as it would when read.
  type.storage.fillDefaults(draft)
  type.storage.settle(draft)
  for (let attempt = 1; ; attempt++) {
    const key = type.key(meta.namespace ?? '', meta.name ?? '')
    const body = bodyToStore(target, draft, isApplied)
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

/** Mutating admission, and what must hold after it whoever changed the object. */
async function mutate(
  target: WriteTarget,
  chain: ChainFor,
  operation: 'create' | 'update',
  name: string,
  draft: ApiObject,
  stored: ApiObject | undefined,
): Promise<void> {
  const { managedFields = [] } = draft.metadata
  await target.services.admission.mutate(chain, target.admissionRequest(operation, name, draft, stored))
  warnOfRepeatedOwners(target, draft)
  if (mendOwnerships(draft, managedFields))
    target.context.warn('.metadata.managedFields made no sense after mutating admission and were left as they were')
}

/**
 * Everything an update passes between what was sent and what is stored. `checkBase` is told the object when it will not be
 * changed from outside any more, and throws when it is not based on the stored one.
 */
export async function admitAndValidate(
  target: WriteTarget,
  name: string,
  draft: ApiObject,
  stored: ApiObject,
  checkBase: (draft: ApiObject) => void,
): Promise<void> {
  const { services, context } = target
  const chain = target.chainFor('update')
  if (chain.mutating.length > 0) await mutate(target, chain, 'update', name, draft, stored)
  checkBase(draft)
  // Filled only now: mutating controls see what the client sent.
  matchNamespace(draft, context.info.namespace)
  draft.metadata.resourceVersion ||= stored.metadata.resourceVersion
  // An action counts by itself.
  if (!target.isAdmitted) keepGeneration(draft.metadata, stored.metadata)
  const strategyContext = target.strategyContext()
  target.strategy.prepareForUpdate?.(draft, stored, strategyContext)
  carryMetaOnUpdate(draft.metadata, stored.metadata)
  await reviewPermission(target, 'update', draft, stored)
  const checks = target.strategy.metadataChecks ?? { change: 1, object: target.subresource === '' ? 1 : 0 }
  const general = [
    ...validateMetaUpdate(services.types, draft.metadata, stored.metadata, checks),
    ...(constraintErrors(target, draft) ?? []),
  ]
  const own = target.strategy.validateUpdate?.(draft, stored, strategyContext) ?? []
  // Not pushed with `...`: a call takes only so many arguments, and a large object may have more errors.
  const errors = [...general, ...(Array.isArray(own) ? own : await own)]
  if (errors.length > 0) throw target.invalid(name, errors)
  for (const text of target.strategy.warnings?.(draft, stored, strategyContext) ?? []) context.warn(text)
  if (chain.validating.length > 0) {
    await services.admission.validate(chain, target.admissionRequest('update', name, draft, stored))
  }
  target.refuseOverdue()
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

export function isHeld(target: WriteTarget, object: ApiObject): boolean {
  return target.type.definition.deletion?.isHeld?.(object as never) ?? false
}

/** A body that is not stored but answered: its version is that of the stored object. */
export function withVersion(draft: ApiObject, stored: ApiObject): Buffer {
  const { apiVersion: _, kind: __, metadata, ...rest } = draft
  const { resourceVersion: ___, ...meta } = metadata
  return Buffer.from(
    JSON.stringify({ metadata: { resourceVersion: stored.metadata.resourceVersion, ...meta }, ...rest }),
  )
}

/** The object as it is stored. One that is too large with its owners goes without them, unless it was applied: then they are the point. */
export function bodyToStore(target: WriteTarget, draft: ApiObject, isApplied: boolean): Buffer {
  const limit = target.services.limits.objectBytes
  const body = toStoredBody(draft)
  if (body.length <= limit) return body
  if (isApplied || !draft.metadata.managedFields) {
    throw tooLarge(`the object is too large to be stored: ${body.length} bytes, limit is ${limit}`)
  }
  delete draft.metadata.managedFields
  return bodyToStore(target, draft, isApplied)
}

export function warnOfRepeatedOwners(target: WriteTarget, object: ApiObject): void {
  if (dropRepeatedOwners(object.metadata)) {
    target.context.warn('.metadata.ownerReferences contains duplicate entries; only the first of each is kept')
  }
}
