import { desiredReplicas, limitsOf, type Rollout, replicasOf, type StoredReplicaSet } from './rollout.js'

/** The size of the deployment, which a replica set records for proportional scaling. */
export function sizeAnnotations(rollout: Rollout): Record<string, string> {
  const wanted = desiredReplicas(rollout)
  const { desired, max } = rollout.names
  return { [desired]: String(wanted), [max]: String(wanted + limitsOf(rollout).surge) }
}

/** Sets the size of a replica set and its annotations. Returns whether the size changed. */
export async function scaleSet(rollout: Rollout, set: StoredReplicaSet, replicas: number): Promise<boolean> {
  const before = replicasOf(set)
  const annotations = { ...set.metadata.annotations, ...sizeAnnotations(rollout) }
  const isAnnotated = Object.entries(sizeAnnotations(rollout)).every(
    ([key, value]) => set.metadata.annotations?.[key] === value,
  )
  if (before === replicas && isAnnotated) return false
  const spec = { ...set.spec!, replicas }
  const written = await rollout.replicaSets.update({ ...set, metadata: { ...set.metadata, annotations }, spec })
  // The object of the caller is updated in place.
  Object.assign(set, { metadata: written.metadata, spec: written.spec })
  if (before === replicas) return false
  recordScaling(rollout, set, before < replicas, replicas)
  return true
}

/** Records an event of the deployment. */
export function recordScaling(rollout: Rollout, set: StoredReplicaSet, isUp: boolean, replicas: number): void {
  const text = `Scaled ${isUp ? 'up' : 'down'} replica set ${set.metadata.name} to ${replicas}`
  void rollout.events.record(rollout.deployment, 'Normal', 'ScalingReplicaSet', text)
}
