import { type Client, unlessLost } from 'orch/sdk/client'
import { createEventRecorder, defineControlLoop, type LoopCaches, recordEvents } from 'orch/sdk/controllers'
import { type DeviceNames, podCollection } from '../names.js'
import type { ResourceClaimTemplate } from '../resource-claim-templates/schema.js'
import type { ConsumerReference } from '../resource-claims/schema.js'
import {
  claimNameOf,
  claimNamesOf,
  claimPrefix,
  isDone,
  isMadeFor,
  owningPod,
  type StoredClaim,
  type StoredPod,
} from './claims-of-pod.js'

const name = 'resourceclaim-controller'
const fieldManager = 'ResourceClaimController'
const maxReservations = 256
type StoredTemplate = ResourceClaimTemplate

const forPod = (namespace: string, podName: string) => `pod/${namespace}/${podName}`
const forClaim = (namespace: string, claimName: string) => `claim/${namespace}/${claimName}`

/**
 * Creates claims from templates for Pods, and releases claims of Pods that are gone: an unused claim is deallocated,
 * and a claim that was created for a Pod is deleted with it.
 */
export const resourceClaimLoop = (names: DeviceNames) => {
  const { group, claims, templates } = names
  return defineControlLoop({
    name,
    since: '1.34',
    account: 'resource-claim-controller',
    rules: [
      { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'] },
      { verbs: ['update'], apiGroups: [''], resources: ['pods/finalizers'] },
      { verbs: ['create', 'delete', 'get', 'list', 'watch'], apiGroups: [group], resources: ['resourceclaims'] },
      { verbs: ['patch', 'update'], apiGroups: [group], resources: ['resourceclaims', 'resourceclaims/status'] },
      { verbs: ['patch', 'update'], apiGroups: [group], resources: ['resourceclaims/binding'], since: '1.36' },
      { verbs: ['patch', 'update'], apiGroups: [''], resources: ['pods/status'] },
      recordEvents(names.vendor),
    ],
    sources: [
      {
        resource: podCollection,
        keys: (pod: StoredPod) => {
          const { namespace = '', name: podName = '' } = pod.metadata
          if ((pod.spec?.resourceClaims ?? []).length === 0) return []
          return [forPod(namespace, podName), ...claimNamesOf(pod).map(each => forClaim(namespace, each))]
        },
      },
      {
        resource: claims,
        keys: (claim: StoredClaim) => {
          const { namespace = '', name: claimName = '' } = claim.metadata
          const owner = owningPod(claim)
          return [forClaim(namespace, claimName), ...(owner ? [forPod(namespace, owner.name)] : [])]
        },
      },
      {
        resource: templates,
        keys: () => [],
      },
    ],
    async reconcile(key, caches, runtime) {
      const [kind, namespace = '', objectName = ''] = key.split('/')
      if (kind === 'claim') return reconcileClaim(namespace, objectName, caches, runtime.client, names)
      const pod = caches.of<StoredPod>(podCollection).get(namespace, objectName)
      if (!pod || pod.metadata.deletionTimestamp || isDone(pod)) return
      try {
        await makeClaims(pod, caches, runtime.client, names)
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        const events = createEventRecorder({ ...runtime, component: 'resource_claim' })
        await events.record(pod, 'Warning', 'FailedResourceClaimCreation', why)
        throw error
      }
      await reserveClaims(pod, caches, runtime.client, names)
    },
  })
}

/** Creates the claims that a Pod still needs, and writes their names to the Pod. */
async function makeClaims(pod: StoredPod, caches: LoopCaches, client: Client, names: DeviceNames): Promise<void> {
  const { namespace = '', name: podName = '', uid = '' } = pod.metadata
  const known = caches.of<StoredClaim>(names.claims)
  const collection = client.resource<StoredClaim>(names.claims).in(namespace)
  const made: { name: string; resourceClaimName: string }[] = []
  for (const podClaim of pod.spec?.resourceClaims ?? []) {
    const { name: claimName, resourceClaimTemplateName: templateName } = podClaim
    if (templateName === undefined) continue
    const current = claimNameOf(pod, podClaim)
    const found = current === undefined ? undefined : known.get(namespace, current)
    if (found && isMadeFor(found, pod)) continue
    // A claim that was created, but is not in the status of the Pod yet.
    let claim = (await collection.list()).items.find(
      each => isMadeFor(each, pod) && each.metadata.annotations?.[names.podClaimAnnotation] === claimName,
    )
    if (!claim) {
      // From the cache, because the service account of the loop may not read templates.
      const template = caches.of<StoredTemplate>(names.templates).get(namespace, templateName)
      if (!template)
        throw new Error(`PodResourceClaim ${claimName}: resource claim template "${templateName}" not found`)
      const { labels, annotations } = template.spec.metadata ?? {}
      claim = await collection.create({
        metadata: {
          generateName: claimPrefix(podName, claimName),
          ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: podName, uid, controller: true }],
          annotations: { ...annotations, [names.podClaimAnnotation]: claimName },
          ...(labels ? { labels } : {}),
        },
        spec: template.spec.spec,
      } as StoredClaim)
    }
    made.push({ name: claimName, resourceClaimName: claim.metadata.name ?? '' })
  }
  if (made.length === 0) return
  await client
    .resource<StoredPod>(podCollection)
    .in(namespace)
    .apply(
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: podName, namespace },
        status: { resourceClaimStatuses: made },
      } as StoredPod,
      { fieldManager, force: true, subresource: 'status' },
    )
}

/** Reserves the claims of a Pod that was bound without a scheduler. */
async function reserveClaims(pod: StoredPod, caches: LoopCaches, client: Client, names: DeviceNames): Promise<void> {
  const { namespace = '', name: podName = '', uid = '' } = pod.metadata
  if (!pod.spec?.nodeName) return
  for (const podClaim of pod.spec.resourceClaims ?? []) {
    const claimName = claimNameOf(pod, podClaim)
    const claim = claimName === undefined ? undefined : caches.of<StoredClaim>(names.claims).get(namespace, claimName)
    if (!claim?.status?.allocation || claim.metadata.deletionTimestamp) continue
    const { reservedFor = [] } = claim.status
    if (reservedFor.length >= maxReservations || reservedFor.some(each => each.uid === uid)) continue
    const user: ConsumerReference = { resource: 'pods', name: podName, uid }
    await client
      .resource<StoredClaim>(names.claims)
      .in(namespace)
      .updateSubresource('status', { ...claim, status: { ...claim.status, reservedFor: [...reservedFor, user] } })
  }
}

/** Removes the reservations of Pods that are gone or finished. */
async function reconcileClaim(
  namespace: string,
  claimName: string,
  caches: LoopCaches,
  client: Client,
  names: DeviceNames,
): Promise<void> {
  let claim = caches.of<StoredClaim>(names.claims).get(namespace, claimName)
  if (!claim) return
  const pods = caches.of<StoredPod>(podCollection)
  const collection = client.resource<StoredClaim>(names.claims).in(namespace)
  const { reservedFor = [], allocation } = claim.status ?? {}
  const remaining: ConsumerReference[] = []
  for (const user of reservedFor) if (await isUsing(user)) remaining.push(user)
  const isProtected = ({ metadata }: StoredClaim) => (metadata.finalizers ?? []).includes(names.deleteProtection)
  const write = (status: StoredClaim['status']) =>
    collection.updateSubresource('status', { ...claim!, status: status ?? {} })

  // Devices are released when the last user is gone: a claim that was not used yet stays allocated.
  const wasLeft = remaining.length < reservedFor.length
  const isEnded = claim.metadata.deletionTimestamp !== undefined && remaining.length === 0
  if (wasLeft || (isEnded && isProtected(claim))) {
    const gives = remaining.length === 0 && isProtected(claim)
    const { allocation: _, reservedFor: __, ...rest } = claim.status ?? {}
    const status = {
      ...rest,
      ...(allocation && !gives ? { allocation } : {}),
      ...(remaining.length > 0 ? { reservedFor: remaining } : {}),
    }
    if (wasLeft || allocation) claim = await write(status)
    if (isProtected(claim) && !claim.status?.allocation) {
      const finalizers = (claim.metadata.finalizers ?? []).filter(each => each !== names.deleteProtection)
      claim = await collection.update({ ...claim, metadata: { ...claim.metadata, finalizers } })
    }
  }
  const owner = owningPod(claim)
  const pod = owner && pods.get(namespace, owner.name)
  // Where the Pod is gone, the garbage collector removes the claim.
  if (owner && pod && remaining.length === 0 && (pod.metadata.uid !== owner.uid || isDone(pod)))
    await unlessLost(collection.delete(claimName), 'NotFound')

  async function isUsing({ apiGroup = '', resource, name: podName, uid }: ConsumerReference): Promise<boolean> {
    // Consumers of other types are not tracked.
    if (apiGroup !== '' || resource !== 'pods') return true
    const known = pods.get(namespace, podName)
    if (known) return known.metadata.uid === uid && !isDone(known)
    // It may be too new for the cache.
    const current = await client.resource<StoredPod>(podCollection).in(namespace).find(podName)
    return current?.metadata.uid === uid
  }
}
