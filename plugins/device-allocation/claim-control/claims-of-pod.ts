import type { ApiObject } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import type { ResourceClaim } from '../resource-claims/schema.js'

export type StoredPod = ApiObject & Pod
export type StoredClaim = ApiObject & ResourceClaim
type PodClaim = NonNullable<NonNullable<Pod['spec']>['resourceClaims']>[number]

/** Whether the Pod will never run again. A Pod that was deleted before it was bound never starts. */
export const isDone = ({ status, metadata, spec }: StoredPod): boolean =>
  status?.phase === 'Succeeded' ||
  status?.phase === 'Failed' ||
  (metadata.deletionTimestamp !== undefined && !spec?.nodeName)

/** The Pod that a claim was created for. */
export const owningPod = ({ metadata }: StoredClaim) =>
  (metadata.ownerReferences ?? []).find(
    ({ controller, apiVersion, kind }) => controller && apiVersion === 'v1' && kind === 'Pod',
  )
export const isMadeFor = (claim: StoredClaim, pod: StoredPod): boolean => owningPod(claim)?.uid === pod.metadata.uid

/** The name of the claim that a Pod uses; undefined if it is not created yet. */
export const claimNameOf = (pod: StoredPod, { name, resourceClaimName }: PodClaim): string | undefined =>
  resourceClaimName ?? (pod.status?.resourceClaimStatuses ?? []).find(each => each.name === name)?.resourceClaimName

/** The names of all claims that a Pod uses. */
export function claimNamesOf(pod: StoredPod): string[] {
  const created = new Map((pod.status?.resourceClaimStatuses ?? []).map(each => [each.name, each.resourceClaimName]))
  return (pod.spec?.resourceClaims ?? []).flatMap(each => each.resourceClaimName ?? created.get(each.name) ?? [])
}

/** Leaves room for a hyphen and five characters in a name of 63. */
const maxBaseLength = 57
/** The prefix of a claim's name. Where both names do not fit, each is shortened in proportion. */
export function claimPrefix(podName: string, claimName: string): string {
  const whole = `${podName}-${claimName}-`
  if (whole.length <= maxBaseLength) return whole
  const part = (name: string, of: number) => name.slice(0, Math.floor((name.length * maxBaseLength) / of))
  return `${part(podName, whole.length)}-${part(claimName, whole.length)}`
}
