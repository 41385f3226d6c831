import type { ApiObject, Cache } from 'orch/sdk'
import type { NodeSelector, PersistentVolumeClaimSpec } from 'orch/sdk/core'
import type { SimulationNames } from '../names.js'
import { noVolumes, type VolumeNeeds } from './filters.js'
import type { PodFacts } from './pod-facts.js'

export interface ClaimLike extends ApiObject {
  spec?: PersistentVolumeClaimSpec
  status?: { phase?: string }
}
export interface VolumeLike extends ApiObject {
  spec?: { nodeAffinity?: { required?: NodeSelector } }
  status?: { phase?: string }
}
export interface ClassLike extends ApiObject {
  provisioner?: string
  volumeBindingMode?: string
}
export interface VolumeCaches {
  readonly claims: Cache<ClaimLike>
  readonly volumes: Cache<VolumeLike>
  readonly classes: Cache<ClassLike>
}

const isBound = ({ metadata, spec }: ClaimLike, { bindCompleted }: SimulationNames) =>
  Boolean(spec?.volumeName) && metadata.annotations?.[bindCompleted] !== undefined
const waitsForPod = (claim: ClaimLike, { classes }: VolumeCaches) =>
  classes.get('', claim.spec?.storageClassName ?? '')?.volumeBindingMode === 'WaitForFirstConsumer'

/** The requirements of the claims of a Pod on its node. */
export function volumeNeedsOf(pod: PodFacts, caches: VolumeCaches, names: SimulationNames): VolumeNeeds {
  if (pod.claims.length === 0) return noVolumes
  const reachable: NodeSelector[] = []
  for (const name of pod.claims) {
    const claim = caches.claims.get(pod.namespace, name)
    if (!claim) return { reachable, problem: `persistentvolumeclaim "${name}" not found` }
    if (claim.metadata.deletionTimestamp)
      return { reachable, problem: `persistentvolumeclaim "${name}" is being deleted` }
    if (!isBound(claim, names)) {
      if (waitsForPod(claim, caches)) continue
      return { reachable, problem: 'pod has unbound immediate PersistentVolumeClaims' }
    }
    const required = caches.volumes.get('', claim.spec?.volumeName ?? '')?.spec?.nodeAffinity?.required
    if (required) reachable.push(required)
  }
  return { reachable }
}

/** The claims whose volumes are provisioned only when the Pod has a node. */
export const unboundClaims = (pod: PodFacts, caches: VolumeCaches, names: SimulationNames): ClaimLike[] =>
  pod.claims.flatMap(name => {
    const claim = caches.claims.get(pod.namespace, name)
    return claim && !isBound(claim, names) ? [claim] : []
  })
