import { randomUUID } from 'node:crypto'
import { type ApiObject, badRequest, defineDifference, type ObjectMeta, type ServedLevel } from 'orch/sdk'
import type { RequestContext } from '../contracts/request-context.js'
import { timestamp } from '../schema/timestamps.js'
import type { ResourceServices } from './resource-services.js'

/** How the server itself sets metadata, for all types. The rules for metadata are in metadata-rules. */

const generatedSuffixLength = 5
const maxGeneratedPrefixLength = 63 - generatedSuffixLength
/** No vowels and no look-alikes, so that generated names spell no words. */
const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789'
export const orphanFinalizer = 'orphan'
export const foregroundFinalizer = 'foregroundDeletion'

export function generateName(prefix: string): string {
  let suffix = ''
  for (let i = 0; i < generatedSuffixLength; i++)
    suffix += suffixAlphabet[Math.floor(Math.random() * suffixAlphabet.length)]
  return prefix.slice(0, maxGeneratedPrefixLength) + suffix
}

/** Sets the fields that the server owns when an object is created. */
export function fillMetaOnCreate(meta: ObjectMeta, now: number): void {
  meta.uid = randomUUID()
  meta.creationTimestamp = timestamp(now)
  delete meta.deletionTimestamp
  delete meta.deletionGracePeriodSeconds
  delete meta.selfLink
  delete meta.clusterName
  delete meta.resourceVersion
  if (!meta.name && meta.generateName) meta.name = generateName(meta.generateName)
}

export const bodiesLoseSystemFields = defineDifference({
  name: 'bodies-of-subresources-lose-system-fields',
  since: '1.25',
  description:
    'Metadata that only the server sets, such as a uid, is dropped from new objects, and from bodies that are posted to subresources, before admission sees them.',
  knownFrom: 'source',
})
const deletionFields = ['deletionTimestamp', 'deletionGracePeriodSeconds'] as const
const systemFields = ['creationTimestamp', 'uid', 'selfLink', ...deletionFields] as const

/** Only the server sets these fields; values from clients are dropped. */
export function dropSystemFields({ metadata }: ApiObject): void {
  for (const field of systemFields) delete (metadata as Record<string, unknown>)[field]
}

/** A new object without what it cannot have yet: it is dropped before admission sees it and before anyone owns it. */
export function withoutSystemFields(object: ApiObject, level: ServedLevel): ApiObject {
  const dropped: readonly (keyof ObjectMeta)[] = level.has(bodiesLoseSystemFields) ? systemFields : deletionFields
  let metadata = object.metadata
  for (const field of dropped)
    if (metadata[field] !== undefined) {
      if (metadata === object.metadata) metadata = { ...metadata }
      delete metadata[field]
    }
  return metadata === object.metadata ? object : { ...object, metadata }
}

/** Copies from the stored object what an update may omit or may not change. */
export function carryMetaOnUpdate(meta: ObjectMeta, stored: ObjectMeta): void {
  if (!meta.uid) meta.uid = stored.uid
  meta.creationTimestamp = stored.creationTimestamp
  if (stored.deletionTimestamp) meta.deletionTimestamp = stored.deletionTimestamp
  if (stored.deletionGracePeriodSeconds !== undefined && meta.deletionGracePeriodSeconds === undefined) {
    meta.deletionGracePeriodSeconds = stored.deletionGracePeriodSeconds
  }
  delete meta.selfLink
  delete meta.clusterName
}

/** The object must be the one on the URL. */
export function matchName(object: ApiObject, name: string): void {
  const own = object.metadata.name ?? ''
  if (own === '')
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`)
  if (own !== name) throw badRequest(`the name of the object (${own}) does not match the name on the URL (${name})`)
}

/** The namespace of a body is compared with the path before admission sees the body. */
export const namespaceComesFirst = defineDifference({
  name: 'namespaces-are-settled-before-admission',
  since: '1.24',
  description:
    'Objects have the namespace of the path before webhooks see them; a review or request with another one is rejected with 400.',
  knownFrom: 'source',
})

/**
 * An object may omit its namespace; one that differs from the path is an error. An object without a namespace gets that of the
 * path, and one of a cluster-scoped type loses it; if a level is given, only where that is done before admission.
 */
export function matchNamespace({ metadata }: ApiObject, namespace: string, level?: ServedLevel): void {
  const own = metadata.namespace ?? ''
  if (own === namespace) return
  if (own !== '') refuseOtherNamespace(own, namespace)
  if (level && !level.has(namespaceComesFirst)) return
  if (namespace === '') delete metadata.namespace
  else metadata.namespace = namespace
}

export function refuseOtherNamespace(own: string, namespace: string): void {
  if (own !== '' && namespace !== '' && own !== namespace) throw badRequest(otherNamespace)
}
export const otherNamespace = 'the namespace of the provided object does not match the namespace sent on the request'

/** True when nothing keeps a deleted object from being removed. */
export function isReadyForRemoval(object: ApiObject): boolean {
  const meta = object.metadata
  return (
    Boolean(meta.deletionTimestamp) &&
    (meta.finalizers?.length ?? 0) === 0 &&
    (meta.deletionGracePeriodSeconds ?? 0) === 0
  )
}

/** Removes repeated owner references; the first of each stays. Returns the ids of those that were repeated. */
function dropRepeatedOwners(meta: ObjectMeta): readonly string[] {
  const owners = meta.ownerReferences
  if (!owners || owners.length < 2) return []
  const seen = new Set<string>()
  const repeated = new Set<string>()
  const kept = owners.filter(owner => {
    const identity = JSON.stringify(owner)
    if (seen.has(identity)) {
      repeated.add(owner.uid)
      return false
    }
    seen.add(identity)
    return true
  })
  if (kept.length < owners.length) meta.ownerReferences = kept
  return [...repeated]
}

/** Keeps the first of owners that are listed twice, and says so. */
export function warnOfRepeatedOwners(
  { context, services }: { readonly context: RequestContext; readonly services: ResourceServices },
  object: ApiObject,
): void {
  const repeated = dropRepeatedOwners(object.metadata)
  if (repeated.length > 0) {
    const uids = repeated.join(', ')
    context.warn(
      services.vendor.level.isAdditive
        ? `.metadata.ownerReferences contains duplicate entries; only the first of each is kept: ${uids}`
        : `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids}`,
    )
  }
}
