import type { ApiObject } from 'orch/sdk'
import type { Pod, Volume } from 'orch/sdk/core'

/** The claim made for an ephemeral volume of a Pod. */
export const ephemeralClaimName = (podName: string, volumeName: string): string => `${podName}-${volumeName}`

/** Does the Pod own the claim, as it does when the claim was made for one of its volumes? */
export const isOwnedBy = (claim: Pick<ApiObject, 'metadata'>, pod: Pod): boolean =>
  (claim.metadata.ownerReferences ?? []).some(({ controller, uid }) => controller === true && uid === pod.metadata?.uid)

/** Names of the claims that volumes of a Pod may stand for. */
export const claimNamesOf = (pod: Pod): string[] =>
  (pod.spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim) return [persistentVolumeClaim.claimName]
    return ephemeral ? [ephemeralClaimName(pod.metadata?.name ?? '', name)] : []
  })

/** The node agent is done with the Pod. */
const isShutDown = ({ metadata }: Pod) =>
  metadata?.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0

/**
 * Does the Pod use the claim? One without a node does not: the node agent starts no Pod whose claim is being deleted. One
 * that has ended still does, because its volumes may not be unmounted yet.
 */
export function usesClaim(pod: Pod, claim: Pick<ApiObject, 'metadata'>): boolean {
  const { name = '' } = claim.metadata
  const isThatClaim = ({ name: volumeName, persistentVolumeClaim, ephemeral }: Volume) =>
    persistentVolumeClaim?.claimName === name ||
    (ephemeral !== undefined &&
      !isShutDown(pod) &&
      ephemeralClaimName(pod.metadata?.name ?? '', volumeName) === name &&
      isOwnedBy(claim, pod))
  return Boolean(pod.spec.nodeName) && (pod.spec.volumes ?? []).some(isThatClaim)
}
