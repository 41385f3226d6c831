import { unlessLost } from 'orch/sdk/client'
import type { Pod } from 'orch/sdk/core'
import { nextSize, revisionOf, type Sets, syncSets } from './replica-sets-of.js'
import {
  byAge,
  isActive,
  isRolling,
  limitsOf,
  type Rollout,
  replicasOf,
  type StoredReplicaSet,
  specOf,
  sumOf,
  wantedBy,
} from './rollout.js'
import { scaleSet } from './scale-set.js'

const availableOf = ({ status }: StoredReplicaSet) => status?.availableReplicas ?? 0

/** One step of a rolling update: the new set grows as far as it may, then the old ones shrink as far as they may. */
export async function rollingStep(rollout: Rollout, sets: readonly StoredReplicaSet[]): Promise<Sets> {
  const found = await syncSets(rollout, sets, true)
  const current = found.current!
  const size = replicasOf(current) > wantedBy(rollout) ? wantedBy(rollout) : nextSize(rollout, found.all, current)
  if (await scaleSet(rollout, current, size)) return found
  await shrinkOld(rollout, found)
  return found
}

async function shrinkOld(rollout: Rollout, { old, all, current }: Sets): Promise<void> {
  if (sumOf(old, replicasOf) === 0) return
  const minAvailable = wantedBy(rollout) - limitsOf(rollout).unavailable
  const notYet = replicasOf(current) - (current ? availableOf(current) : 0)
  const most = sumOf(all, replicasOf) - minAvailable - notYet
  if (most <= 0) return
  // Unhealthy Pods are removed first: they serve no traffic.
  let left = most
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

/** One step of replacing all Pods at once: no new one before the last old one is gone. */
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
  await scaleSet(rollout, made.current!, wantedBy(rollout))
  return made
}
const isRunning = ({ status }: Pod) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed'

/** Whether the number of Pods was changed since the sets were last scaled. */
export const isResized = (rollout: Rollout, sets: readonly StoredReplicaSet[]): boolean =>
  sets.filter(isActive).some(({ metadata }) => {
    const desired = metadata.annotations?.[rollout.names.desired]
    return desired !== undefined && Number(desired) !== wantedBy(rollout)
  })

/** Scales the sets to the desired total in proportion to their sizes, without continuing the rollout. */
export async function resize(rollout: Rollout, { current, old, all }: Sets): Promise<void> {
  const wanted = wantedBy(rollout)
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

/** The new set is as large as is wanted, and all of it is available. */
function isSaturated(rollout: Rollout, current: StoredReplicaSet | undefined): boolean {
  if (!current) return false
  const wanted = wantedBy(rollout)
  const desired = Number(current.metadata.annotations?.[rollout.names.desired])
  return replicasOf(current) === wanted && desired === wanted && availableOf(current) === wanted
}

/** A set's share of `toAdd` (which may be negative), limited to what is not yet distributed. */
function proportion(rollout: Rollout, set: StoredReplicaSet, toAdd: number, added: number): number {
  if (replicasOf(set) === 0 || toAdd === added) return 0
  const wanted = wantedBy(rollout)
  const before =
    Number(set.metadata.annotations?.[rollout.names.max] ?? 0) || (rollout.deployment.status?.replicas ?? 0)
  const size = wanted === 0 || before === 0 ? 0 : (replicasOf(set) * (wanted + limitsOf(rollout).surge)) / before
  const part = Math.round(size) - replicasOf(set)
  return toAdd > 0 ? Math.min(part, toAdd - added) : Math.max(part, toAdd - added)
}

/** Deletes the oldest of the sets without Pods, beyond those that are kept to go back to. */
export async function dropHistory(rollout: Rollout, old: readonly StoredReplicaSet[]): Promise<void> {
  const { revisionHistoryLimit } = specOf(rollout)
  if (revisionHistoryLimit === undefined) return
  const there = old.filter(({ metadata }) => !metadata.deletionTimestamp)
  const byRevision = [...there].sort((a, b) => revisionOf(rollout, a) - revisionOf(rollout, b))
  for (const set of byRevision.slice(0, Math.max(0, there.length - revisionHistoryLimit))) {
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
