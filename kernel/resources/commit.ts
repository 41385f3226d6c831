import { type ApiObject, tooLarge, tooManyRequests } from 'orch/sdk'
import type { Claims, Decide, KeyChange, TransactionResult, TransactOptions } from 'orch/sdk/host'
import { writeJson } from '../../libs/json/index.js'
import { attributesOf } from '../types/stored-form.js'
import { toStoredBody } from '../types/stored-json.js'
import type { ResourceServices } from './resource-services.js'
import type { WriteTarget } from './write-target.js'

/** The tail of every write. Nothing else in the kernel writes objects to the store. */
export async function commit(
  { services }: { readonly services: Pick<ResourceServices, 'store'> },
  key: string,
  decide: Decide,
  options?: TransactOptions,
): Promise<TransactionResult> {
  const result = await services.store.transact(key, decide, options)
  if (!result.ok && result.claimed !== undefined) {
    // Another server took the name after it appeared free here. A retry picks another name, or reports which object has
    // it.
    const name = result.claimed.slice(result.claimed.lastIndexOf('/') + 1)
    throw tooManyRequests(`${name} was given to another object meanwhile, please try again`, 1)
  }
  return result
}

/** The change that stores an object, given in the storage version, in place of what was stored before. */
export async function storing(
  target: WriteTarget,
  before: ApiObject | undefined,
  after: ApiObject,
  isApplied = false,
): Promise<KeyChange> {
  const body = await bodyToStore(target, after, isApplied)
  return { body, attributes: attributesOf(target.type, after), ...claimsOf(target, before, after) }
}

/** The change that removes an object. */
export const removing = (target: WriteTarget, before: ApiObject): KeyChange => ({
  body: undefined,
  ...claimsOf(target, before, undefined),
})

/** Runs the type's hook for a removed object, before the response. */
export async function afterRemoval({ type, services }: WriteTarget, object: ApiObject): Promise<void> {
  const hook = type.definition.afterRemoval
  if (hook) await hook.run(object, services.resolve(type.plugin, hook.needs))
}

/** Runs the type's hook for a stored object, before the response. */
export async function afterWrite(
  { type, services }: WriteTarget,
  object: ApiObject,
  before: ApiObject | undefined,
): Promise<void> {
  const hook = type.definition.afterWrite
  if (hook) await hook.run(object, before, services.resolve(type.plugin, hook.needs))
}

/** The body of a response that is not stored. It has the version of the stored object. */
export function withVersion(draft: ApiObject, stored: ApiObject): Buffer {
  const { apiVersion: _, kind: __, metadata, ...rest } = draft
  const { resourceVersion: ___, ...meta } = metadata
  return Buffer.from(writeJson({ metadata: { resourceVersion: stored.metadata.resourceVersion, ...meta }, ...rest }))
}

/** The body to store. An object that is too large only because of its managedFields loses them, unless it was applied. */
async function bodyToStore(target: WriteTarget, draft: ApiObject, isApplied: boolean): Promise<Buffer> {
  const limit = target.services.limits.objectBytes
  const body = await toStoredBody(draft, target.context)
  if (body.length <= limit) return body
  if (isApplied || !draft.metadata.managedFields) {
    throw tooLarge(`the object is too large to be stored: ${body.length} bytes, limit is ${limit}`)
  }
  const { managedFields: _, ...metadata } = draft.metadata
  return bodyToStore(target, { ...draft, metadata }, isApplied)
}

/** The exclusive names that a change acquires and releases. */
function claimsOf(
  { type }: WriteTarget,
  before: ApiObject | undefined,
  after: ApiObject | undefined,
): { readonly claims?: Claims } {
  const namesOf = type.definition.exclusiveNames as ((object: ApiObject) => readonly string[]) | undefined
  if (!namesOf) return {}
  const had = new Set(before && namesOf(before))
  const has = new Set(after && namesOf(after))
  const inStore = (name: string) => `${type.group}/${type.resource}/${name}`
  const claims: Claims = {
    take: [...has].filter(name => !had.has(name)).map(inStore),
    release: [...had].filter(name => !has.has(name)).map(inStore),
  }
  return claims.take.length + claims.release.length === 0 ? {} : { claims }
}
