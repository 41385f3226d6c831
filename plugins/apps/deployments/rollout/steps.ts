import { unlessLost } from 'orch/sdk/client'
import type { Pod } from 'orch/sdk/core'
import { nextSize, revisionOf, type Sets, syncSets } from './replica-sets-of.js'
import {
  byAge,
  desiredReplicas,
  isActive,
  isRolling,
  limitsOf,
  type Rollout,
  replicasOf,
  type StoredReplicaSet,
  specOf,
  sumOf,
} from './rollout.js'
import { scaleSet } from './scale-set.js'

const availableOf = ({ status }: StoredReplicaSet) => status?.availableReplicas ?? 0

/** One step of a rolling update: scales the new set up as far as allowed, then the old ones down. */
export async function rollingStep(rollout: Rollout, sets: readonly StoredReplicaSet[]): Promise<Sets> {
  const found = await syncSets(rollout, sets, true)
  const current = found.current!
  const size =
    replicasOf(current) > desiredReplicas(rollout) ? desiredReplicas(rollout) : nextSize(rollout, found.all, current)
  if (await scaleSet(rollout, current, size)) return found
  await shrinkOld(rollout, found)
  return found
}

async function shrinkOld(rollout: Rollout, { old, all, current }: Sets): Promise<void> {
  if (sumOf(old, replicasOf) === 0) return
  const minAvailable = desiredReplicas(rollout) - limitsOf(rollout).unavailable
  const unavailableCurrent = replicasOf(current) - (current ? availableOf(current) : 0)
  const maxCleanup = sumOf(all, replicasOf) - minAvailable - unavailableCurrent
  if (maxCleanup <= 0) return
  // Unhealthy Pods are removed first: they serve no traffic.
  let left = maxCleanup
  for (const set of [...old].sort(byAge)) {
    const count = Math.min(left, replicasOf(set) - availableOf(set))
    if (count <= 0) continue
    await scaleSet(rollout, set, replicasOf(set) - count)
    left -= count
  }
  left = sumOf(all, availableOf) - minAvailable
  for (const set of [...old].sort(byAge)) {
    const count = Math.min(left, replicasOf(set))
    if (count <= 0) continue
    await scaleSet(rollout, set, replicasOf(set) - count)
    left -= count
  }
}

/** One step of the strategy Recreate: no new Pod before all old ones are gone. */
export async function recreateStep(
  rollout: Rollout,
  sets: readonly StoredReplicaSet[],
  podsOf: (set: StoredReplicaSet) => readonly Pod[],
): Promise<Sets> {
  const found = await syncSets(rollout, sets, false)
  const active = found.old.filter(isActive)
  for (const set of active) await scaleSet(rollout, set, 0)
  if (active.length > 0 || found.old.some(set => podsOf(set).some(isRunning))) return found
  const made = found.current ? found : await syncSets(rollout, sets, true)
  await scaleSet(rollout, made.current!, desiredReplicas(rollout))
  return made
}
const isRunning = ({ status }: Pod) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed'

/** Whether the number of Pods was changed since the sets were last scaled. */
export const isResized = (rollout: Rollout, sets: readonly StoredReplicaSet[]): boolean =>
  sets.filter(isActive).some(({ metadata }) => {
    const desired = metadata.annotations?.[rollout.names.desired]
    return desired !== undefined && Number(desired) !== desiredReplicas(rollout)
  })

/** Scales the sets to the desired total in proportion to their sizes, without continuing the rollout. */
export async function resize(rollout: Rollout, { current, old, all }: Sets): Promise<void> {
  const wanted = desiredReplicas(rollout)
  const active = all.filter(isActive)
  if (active.length <= 1) {
    const only = active[0] ?? current ?? [...old].sort(byAge).at(-1)
    if (only) await scaleSet(rollout, only, wanted)
    return
  }
  if (isSaturated(rollout, current)) {
    for (const set of old.filter(isActive)) await scaleSet(rollout, set, 0)
    return
  }
  if (!isRolling(rollout)) return
  const allowed = wanted > 0 ? wanted + limitsOf(rollout).surge : 0
  const toAdd = allowed - sumOf(active, replicasOf)
  const bySize = (a: StoredReplicaSet, b: StoredReplicaSet) =>
    replicasOf(b) - replicasOf(a) || (toAdd > 0 ? byAge(b, a) : byAge(a, b))
  const sorted = active.sort(bySize)
  let added = 0
  const sizes = sorted.map(set => {
    const part = toAdd === 0 ? 0 : proportion(rollout, set, toAdd, added)
    added += part
    return replicasOf(set) + part
  })
  for (const [i, set] of sorted.entries()) {
    const size = (sizes[i] ?? 0) + (i === 0 ? toAdd - added : 0)
    await scaleSet(rollout, set, Math.max(0, size))
  }
}

/** Whether the new set has the desired size, and all its Pods are available. */
function isSaturated(rollout: Rollout, current: StoredReplicaSet | undefined): boolean {
  if (!current) return false
  const wanted = desiredReplicas(rollout)
  const desired = Number(current.metadata.annotations?.[rollout.names.desired])
  return replicasOf(current) === wanted && desired === wanted && availableOf(current) === wanted
}

/** A set's share of `toAdd` (which may be negative), limited to what is not yet distributed. */
function proportion(rollout: Rollout, set: StoredReplicaSet, toAdd: number, added: number): number {
  if (replicasOf(set) === 0 || toAdd === added) return 0
  const wanted = desiredReplicas(rollout)
  const before =
    Number(set.metadata.annotations?.[rollout.names.max] ?? 0) || (rollout.deployment.status?.replicas ?? 0)
  const size = wanted === 0 || before === 0 ? 0 : (replicasOf(set) * (wanted + limitsOf(rollout).surge)) / before
  const part = Math.round(size) - replicasOf(set)
  return toAdd > 0 ? Math.min(part, toAdd - added) : Math.max(part, toAdd - added)
}

/** Deletes the oldest sets without Pods, beyond those that are kept for rollback. */
export async function dropHistory(rollout: Rollout, old: readonly StoredReplicaSet[]): Promise<void> {
  const { revisionHistoryLimit } = specOf(rollout)
  if (revisionHistoryLimit === undefined) return
  const existing = old.filter(({ metadata }) => !metadata.deletionTimestamp)
  const byRevision = [...existing].sort((a, b) => revisionOf(rollout, a) - revisionOf(rollout, b))
  for (const set of byRevision.slice(0, Math.max(0, existing.length - revisionHistoryLimit))) {
    const { metadata, status } = set
    if (replicasOf(set) > 0 || (status?.replicas ?? 0) > 0) continue
    if ((metadata.generation ?? 0) > (status?.observedGeneration ?? 0)) continue
    await unlessLost(
      rollout.replicaSets
        .in(metadata.namespace ?? '')
        .delete(metadata.name ?? '', { preconditions: { uid: metadata.uid ?? '' } }),
      'NotFound',
      'Conflict',
    )
  }
}
