import { isDeepStrictEqual } from 'node:util'
import { type AdmissionRequest, notFound, type StoreReader } from 'orch/sdk'
import { type Pod, type PodSpec, podReferences } from 'orch/sdk/core'
import type { NodeNames } from '../../names.js'
import type { Node } from '../../nodes/schema.js'

/** A node may create mirror Pods of its static Pods, and delete, evict or report the status of Pods bound to it. */
export function checkPod(
  request: AdmissionRequest<Pod>,
  nodeName: string,
  names: NodeNames,
  reader: StoreReader,
): string | undefined | Promise<string | undefined> {
  const { operation, subresource, oldObject } = request
  switch (`${operation} ${subresource}`) {
    case 'create ':
      return checkMirrorPod(request.object, nodeName, names, reader)
    case 'delete ':
      return isBound(oldObject, nodeName) ? undefined : `node "${nodeName}" can only delete pods bound to itself`
    case 'update status':
      return checkStatus(request, nodeName, names)
    case 'create eviction':
      return checkEviction(request, nodeName, reader)
  }
  return subresource === '' || subresource === 'status' || subresource === 'eviction'
    ? `unexpected operation "${operation}", node "${nodeName}" can only create and delete mirror pods`
    : `unexpected pod subresource "${subresource}", only 'status' and 'eviction' are allowed`
}

const isBound = (pod: Pod, nodeName: string) => pod.spec.nodeName === nodeName

/**
 * Reads a Pod that a request names: always the stored one, because it decides what the node may do. The not-found error
 * uses the singular, as in the reference.
 */
export async function readPod(reader: StoreReader, namespace: string, name: string): Promise<Pod> {
  const pod = await reader.get<Pod>({ group: '', resource: 'pods' }, namespace, name)
  if (!pod) throw notFound({ group: '', resource: 'pod', name })
  return pod
}

async function checkMirrorPod(
  { metadata, spec }: Pod,
  nodeName: string,
  { mirrorPodAnnotation, refusesClaims, refusesDrivers }: NodeNames,
  reader: StoreReader,
): Promise<string | undefined> {
  if (metadata?.annotations?.[mirrorPodAnnotation] === undefined)
    return `pod does not have "${mirrorPodAnnotation}" annotation, node "${nodeName}" can only create mirror pods`
  if (spec.nodeName !== nodeName) return `node "${nodeName}" can only create pods with spec.nodeName set to itself`
  return (
    (await checkOwner(metadata.ownerReferences, nodeName, reader)) ??
    checkReferences({ metadata, spec }, nodeName) ??
    (refusesDrivers ? checkVolumes(spec, nodeName) : undefined) ??
    (refusesClaims && (spec.resourceClaims ?? []).length > 0
      ? `node "${nodeName}" can not create pods that reference resourceclaims`
      : undefined)
  )
}

/** The node owns its mirror Pods, so that they are deleted with it. */
async function checkOwner(
  owners: NonNullable<Pod['metadata']>['ownerReferences'] = [],
  nodeName: string,
  reader: StoreReader,
): Promise<string | undefined> {
  const only = (what: string) => `node "${nodeName}" can only create pods with ${what} set to itself`
  const [owner, ...others] = owners
  if (!owner || others.length > 0) return only('a single owner reference')
  if (owner.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== nodeName) return only('an owner reference')
  if (owner.controller !== true) return only('a controller owner reference')
  if (owner.blockOwnerDeletion === true)
    return `node "${nodeName}" must not set blockOwnerDeletion on an owner reference`
  const node = await reader.get<Node>({ group: '', resource: 'nodes' }, '', nodeName)
  if (!node) throw notFound({ group: '', resource: 'node', name: nodeName })
  return owner.uid === node.metadata?.uid
    ? undefined
    : `node ${nodeName} UID mismatch: expected ${node.metadata?.uid} got ${owner.uid}`
}

const titles = {
  serviceaccounts: 'a service account',
  secrets: 'secrets',
  configmaps: 'configmaps',
  persistentvolumeclaims: 'persistentvolumeclaims',
}
/** A node may read all objects that its Pods refer to, so it must not create Pods with references. */
function checkReferences(pod: Pod, nodeName: string): string | undefined {
  const [first] = podReferences(pod)
  return first ? `node "${nodeName}" can not create pods that reference ${titles[first.resource]}` : undefined
}

/** Other volumes for which the node needs the API. */
function checkVolumes({ volumes }: PodSpec, nodeName: string): string | undefined {
  for (const { csi, glusterfs, projected } of volumes ?? []) {
    const sources = projected?.sources ?? []
    const what =
      (csi && 'storage drivers') ??
      (glusterfs && 'endpoints') ??
      (sources.some(one => one.serviceAccountToken) ? 'tokens of service accounts' : undefined) ??
      (sources.some(one => one.clusterTrustBundle) ? 'trust bundles' : undefined) ??
      (sources.some(one => one.podCertificate) ? 'pod certificates' : undefined)
    if (what) return `node "${nodeName}" can not create pods with volumes that need ${what}`
  }
  return undefined
}

function checkStatus(
  { object, oldObject }: AdmissionRequest<Pod>,
  nodeName: string,
  { keepsClaimStatuses }: NodeNames,
): string | undefined {
  if (!isBound(oldObject, nodeName))
    return `node "${nodeName}" can only update pod status for pods with spec.nodeName set to itself`
  const before = oldObject.metadata?.labels ?? {}
  const after = object.metadata?.labels ?? {}
  const isChanged = [...Object.keys(before), ...Object.keys(after)].some(key => before[key] !== after[key])
  if (isChanged) return `node "${nodeName}" cannot update labels through pod status`
  const claimsOf = ({ status }: Pod) => status?.resourceClaimStatuses ?? []
  if (!keepsClaimStatuses) return undefined
  if (!isDeepStrictEqual(claimsOf(object), claimsOf(oldObject)))
    return `node "${nodeName}" cannot update resource claim statuses`
  const extendedOf = ({ status }: Pod) => status?.extendedResourceClaimStatus ?? undefined
  return isDeepStrictEqual(extendedOf(object), extendedOf(oldObject))
    ? undefined
    : `node "${nodeName}" cannot update the status of its claim for extended resources`
}

async function checkEviction(
  { name, namespace }: AdmissionRequest<Pod>,
  nodeName: string,
  reader: StoreReader,
): Promise<string | undefined> {
  const pod = await readPod(reader, namespace, name)
  return isBound(pod, nodeName) ? undefined : `node ${nodeName} can only evict pods with spec.nodeName set to itself`
}
