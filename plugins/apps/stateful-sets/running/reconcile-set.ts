import { ApiError, type ApiObject, type Clock, type Vendor } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import { isPodReady, msUntilAvailable, soonest, type UnseenWrites } from 'orch/sdk/controllers'
import { type StoredRevision, templateOf } from '../../controller-revisions/history.js'
import { announcedReplacements, endedSetPods, unavailablePodsGoFirst } from '../../differences.js'
import { type Share, shareNumber } from '../../shares.js'
import type { StatefulSetStatus } from '../schema.js'
import { addClaims, type ClaimWork, hasStaleClaim, syncClaimOwners } from './set-claims.js'
import {
  firstOrdinal,
  isWanted,
  ordinalOf,
  podNameLabel,
  podOfOrdinal,
  revisionNameOf,
  type StoredPod,
  type StoredSet,
} from './set-pods.js'

export interface SetWork extends ClaimWork {
  readonly clock: Clock
  readonly pods: ResourceClient<StoredPod>
  readonly unseen: UnseenWrites
}
/** The revision that Pods have, and the one that they are to have. */
export interface Revisions {
  readonly current: StoredRevision
  readonly update: StoredRevision
}

/** How many missing Pods one run looks at: a set with millions of replicas may be changed or deleted meanwhile, and others wait. */
const maxMissingPods = 500

const podName = ({ metadata }: ApiObject) => metadata.name ?? ''
const isTerminating = (pod: StoredPod) => pod.metadata.deletionTimestamp !== undefined
const isReady = (pod: StoredPod) => pod.status?.phase === 'Running' && isPodReady(pod)

/** Reconciles a set: one step at a time where order matters. Returns the resulting status. */
export async function reconcileSet(
  work: SetWork,
  set: StoredSet,
  found: readonly StoredPod[],
  revisions: Revisions,
): Promise<{ status: StatefulSetStatus; againMs?: number }> {
  const minReadySeconds = set.spec?.minReadySeconds ?? 0
  const wait = (pod: StoredPod) => msUntilAvailable(pod, minReadySeconds, work.clock.now())
  const counts = new Counts(set, revisions, work.vendor)
  for (const pod of found) counts.add(pod, isReady(pod), isReady(pod) && wait(pod) === 0)
  const waits = found.flatMap(pod => (isReady(pod) ? (wait(pod) ?? []) : [])).filter(ms => ms > 0)
  if (!set.metadata.deletionTimestamp)
    await step(work, set, found, revisions, counts, pod => isReady(pod) && wait(pod) === 0)
  const status = counts.status()
  const next = soonest(waits)
  return next === undefined ? { status } : { status, againMs: next + 100 }
}

async function step(
  work: SetWork,
  set: StoredSet,
  found: readonly StoredPod[],
  revisions: Revisions,
  counts: Counts,
  isAvailable: (pod: StoredPod) => boolean,
): Promise<void> {
  const { replicas = 1, podManagementPolicy, updateStrategy } = set.spec ?? {}
  const inOrder = podManagementPolicy !== 'Parallel'
  const byOrdinal = new Map(found.map(pod => [ordinalOf(pod, set) ?? -1, pod]))
  const first = firstOrdinal(set)
  let missing = 0
  for (let ordinal = first; ordinal < first + replicas; ordinal++) {
    const pod = byOrdinal.get(ordinal)
    if (!pod) {
      // The Pods that were created enqueue the set again.
      if (++missing > maxMissingPods) return
      if (await hasStaleClaim(work, set, ordinal)) {
        if (inOrder) return
        continue
      }
      const made = await add(work, set, ordinal, revisionFor(set, ordinal, revisions))
      if (made) {
        counts.add(made, false, false)
        await syncClaimOwners(work, set, made)
      }
      if (inOrder) return
      continue
    }
    if (hasEnded(work, pod)) {
      if (!isTerminating(pod)) await replace(work, set, pod, counts)
      // A Pod on a node stays until the node has deleted it; its replacement is created after that.
      if (inOrder) return
      continue
    }
    if (pod.status?.phase === 'Pending' && work.vendor.level.has(endedSetPods)) {
      await addClaims(work, set, ordinal)
      await syncClaimOwners(work, set, pod)
    }
    if (inOrder && (isTerminating(pod) || !isAvailable(pod))) return
    await restoreIdentity(work, set, pod)
  }
  const condemned = [...byOrdinal].filter(([ordinal]) => !isWanted(ordinal, set)).sort(([a], [b]) => b - a)
  for (const [, pod] of condemned) await syncClaimOwners(work, set, pod)
  const isHealthy = work.vendor.level.has(unavailablePodsGoFirst) ? isAvailable : isReady
  const firstUnhealthy = condemned.findLast(([, pod]) => !isHealthy(pod) || isTerminating(pod))?.[1]
  for (const [, pod] of condemned) {
    if (isTerminating(pod)) {
      if (inOrder) return
      continue
    }
    if (inOrder && !isAvailable(pod) && pod !== firstUnhealthy) return
    await remove(work, set, pod)
    counts.remove(pod)
    if (inOrder) return
  }
  if (updateStrategy?.type === 'OnDelete') return
  const wanted = Array.from({ length: replicas }, (_, index) => byOrdinal.get(first + index))
  for (const pod of toUpdate(work, set, wanted, revisions.update, isAvailable)) {
    await remove(work, set, pod)
    counts.remove(pod)
  }
}

const hasEnded = ({ vendor }: SetWork, { status }: StoredPod): boolean =>
  status?.phase === 'Failed' || (status?.phase === 'Succeeded' && vendor.level.has(endedSetPods))

async function replace(work: SetWork, set: StoredSet, pod: StoredPod, counts: Counts): Promise<void> {
  if (work.vendor.level.has(announcedReplacements))
    void work.events.record(
      set,
      'Warning',
      'RecreatingFailedPod',
      `StatefulSet ${set.metadata.namespace}/${set.metadata.name} is recreating failed Pod ${podName(pod)}`,
    )
  await remove(work, set, pod)
  counts.remove(pod)
}

/** Restores the label with the name of a Pod, and the owners of its claims. */
async function restoreIdentity(work: SetWork, set: StoredSet, pod: StoredPod): Promise<void> {
  await syncClaimOwners(work, set, pod)
  const label = podNameLabel(work.vendor)
  if (isTerminating(pod) || pod.metadata.labels?.[label] === podName(pod)) return
  const labels = { ...pod.metadata.labels, [label]: podName(pod) }
  await work.pods.update({ ...pod, metadata: { ...pod.metadata, labels } })
  const text = `update Pod ${podName(pod)} in StatefulSet ${set.metadata.name} successful`
  void work.events.record(set, 'Normal', 'SuccessfulUpdate', text)
}

/**
 * The outdated Pods to delete, from the highest ordinal down: the next one when all above it are available, or several
 * as long as no more than maxUnavailable are missing.
 */
function toUpdate(
  { vendor }: SetWork,
  set: StoredSet,
  wanted: readonly (StoredPod | undefined)[],
  update: StoredRevision,
  isAvailable: (pod: StoredPod) => boolean,
): StoredPod[] {
  const { partition = 0, maxUnavailable } = set.spec?.updateStrategy?.rollingUpdate ?? {}
  const works = (pod: StoredPod | undefined) => pod !== undefined && !isTerminating(pod) && isAvailable(pod)
  const isOld = (pod: StoredPod) => revisionNameOf(pod, vendor) !== podName(update) && !isTerminating(pod)
  const fromLast = wanted.slice(partition).reverse()
  if (maxUnavailable !== undefined) {
    const allowed = Math.max(1, numberOf(maxUnavailable, wanted.length)) - wanted.filter(pod => !works(pod)).length
    return fromLast.filter(pod => pod !== undefined && isOld(pod)).slice(0, Math.max(0, allowed)) as StoredPod[]
  }
  for (const pod of fromLast) {
    if (pod && isOld(pod)) return [pod]
    if (!works(pod)) return []
  }
  return []
}
const numberOf = (share: Share, total: number): number =>
  typeof share === 'number' ? share : Math.floor((shareNumber(share) * total) / 100)

/** Below the partition, and while an update is still rolling out, Pods are recreated at the current revision. */
function revisionFor(set: StoredSet, ordinal: number, { current, update }: Revisions): StoredRevision {
  const { type, rollingUpdate } = set.spec?.updateStrategy ?? {}
  if (type !== 'RollingUpdate') return update
  const old = rollingUpdate ? (rollingUpdate.partition ?? 0) : (set.status?.currentReplicas ?? 0)
  return ordinal < firstOrdinal(set) + old ? current : update
}

async function add(
  work: SetWork,
  set: StoredSet,
  ordinal: number,
  revision: StoredRevision,
): Promise<StoredPod | undefined> {
  const { clock, events, pods, unseen, vendor } = work
  const key = `${set.metadata.namespace}/${set.metadata.name}`
  const pod = podOfOrdinal(set, ordinal, { name: podName(revision), template: templateOf(revision) }, vendor)
  const text = `create Pod ${podName(pod)} in StatefulSet ${set.metadata.name}`
  try {
    await addClaims(work, set, ordinal)
    const made = await pods.create(pod)
    unseen.created(key, made, clock.now())
    void events.record(set, 'Normal', 'SuccessfulCreate', `${text} successful`)
    return made
  } catch (error) {
    // The cache is stale; the next event updates it.
    if (error instanceof ApiError && error.reason === 'AlreadyExists') return undefined
    void events.record(set, 'Warning', 'FailedCreate', `${text} failed error: ${(error as Error).message}`)
    throw error
  }
}

async function remove({ clock, events, pods, unseen }: SetWork, set: StoredSet, pod: StoredPod): Promise<void> {
  const { name = '', namespace = '', uid = '' } = pod.metadata
  try {
    unseen.deleted(`${set.metadata.namespace}/${set.metadata.name}`, pod, clock.now())
    await pods.in(namespace).delete(name, { preconditions: { uid } })
    const text = `delete Pod ${name} in StatefulSet ${set.metadata.name} successful`
    void events.record(set, 'Normal', 'SuccessfulDelete', text)
  } catch (error) {
    if (!(error instanceof ApiError && (error.code === 404 || error.code === 409))) throw error
  }
}

/** Counts Pods by revision, readiness and availability. */
class Counts {
  readonly #set: StoredSet
  readonly #revisions: Revisions
  readonly #vendor: Vendor
  #replicas = 0
  #ready = 0
  #available = 0
  #current = 0
  #updated = 0
  constructor(set: StoredSet, revisions: Revisions, vendor: Vendor) {
    this.#set = set
    this.#revisions = revisions
    this.#vendor = vendor
  }
  add(pod: StoredPod, isPodReadyNow: boolean, isAvailable: boolean): void {
    this.#replicas++
    if (isPodReadyNow) this.#ready++
    if (isAvailable) this.#available++
    if (!isTerminating(pod)) this.#count(pod, 1)
  }
  remove(pod: StoredPod): void {
    this.#count(pod, -1)
  }
  #count(pod: StoredPod, by: number): void {
    const revision = revisionNameOf(pod, this.#vendor)
    if (revision === podName(this.#revisions.current)) this.#current += by
    if (revision === podName(this.#revisions.update)) this.#updated += by
  }
  status(): StatefulSetStatus {
    const { current, update } = this.#revisions
    const { status, metadata, spec } = this.#set
    const isRolling = spec?.updateStrategy?.type === 'RollingUpdate'
    const goal = this.#vendor.level.has(endedSetPods) ? (spec?.replicas ?? 1) : this.#replicas
    const isDone = isRolling && [this.#updated, this.#ready, this.#replicas].every(count => count === goal)
    const counts = {
      readyReplicas: this.#ready,
      currentReplicas: isDone ? this.#updated : this.#current,
      updatedReplicas: this.#updated,
    }
    return {
      observedGeneration: metadata.generation ?? 0,
      replicas: this.#replicas,
      ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
      currentRevision: podName(isDone ? update : current),
      updateRevision: podName(update),
      collisionCount: status?.collisionCount ?? 0,
      ...(status?.conditions ? { conditions: status.conditions } : {}),
      availableReplicas: this.#available,
    }
  }
}
