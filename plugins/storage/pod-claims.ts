import type { ApiObject } from 'orch/sdk'
import type { Pod, Volume } from 'orch/sdk/core'

/** The name of the claim of an ephemeral volume of a Pod. */
export const ephemeralClaimName = (podName: string, volumeName: string): string => `${podName}-${volumeName}`

/** Whether the Pod owns the claim, as it does if the claim was created for one of its volumes. */
export const isOwnedBy = (claim: Pick<ApiObject, 'metadata'>, pod: Pod): boolean =>
  (claim.metadata.ownerReferences ?? []).some(({ controller, uid }) => controller === true && uid === pod.metadata?.uid)

/** Names of the claims that volumes of a Pod may refer to. */
export const claimNamesOf = (pod: Pod): string[] =>
  (pod.spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim) return [persistentVolumeClaim.claimName]
    return ephemeral ? [ephemeralClaimName(pod.metadata?.name ?? '', name)] : []
  })

/** Whether the node agent has finished with the Pod. */
const isShutDown = ({ metadata }: Pod) =>
  metadata?.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0

/**
 * Whether the Pod uses the claim. A Pod without a node does not: the node agent starts no Pod whose claim is being
 * deleted. One that has ended still does, because its volumes may not be unmounted yet.
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
