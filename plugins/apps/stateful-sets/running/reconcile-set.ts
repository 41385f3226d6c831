import { ApiError, type ApiObject, type Clock, type Vendor } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import { type EventRecorder, isPodReady, msUntilAvailable, soonest, type UnseenWrites } from 'orch/sdk/controllers'
import { type StoredRevision, templateOf } from '../../controller-revisions/history.js'
import type { StatefulSetStatus } from '../schema.js'
import {
  claimsOfOrdinal,
  ordinalOf,
  podOfOrdinal,
  revisionNameOf,
  type StoredClaim,
  type StoredPod,
  type StoredSet,
} from './set-pods.js'

export interface SetWork {
  readonly clock: Clock
  readonly vendor: Vendor
  readonly events: EventRecorder
  readonly pods: ResourceClient<StoredPod>
  readonly claims: ResourceClient<StoredClaim>
  readonly unseen: UnseenWrites
}
/** The revision that Pods have, and the one that they are to have. */
export interface Revisions {
  readonly current: StoredRevision
  readonly update: StoredRevision
}

const nameOf = ({ metadata }: ApiObject) => metadata.name ?? ''
const isTerminating = (pod: StoredPod) => pod.metadata.deletionTimestamp !== undefined
const isReady = (pod: StoredPod) => pod.status?.phase === 'Running' && isPodReady(pod)

/** One turn of work: at most one step at a time where order counts. Returns the status that comes of it. */
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
  for (let ordinal = 0; ordinal < replicas; ordinal++) {
    let pod = byOrdinal.get(ordinal)
    if (pod && pod.status?.phase === 'Failed' && !isTerminating(pod)) {
      void work.events.record(
        set,
        'Warning',
        'RecreatingFailedPod',
        `StatefulSet ${set.metadata.namespace}/${set.metadata.name} is recreating failed Pod ${nameOf(pod)}`,
      )
      await remove(work, set, pod)
      counts.remove(pod)
      // A Pod on a node stays until the node has deleted it; its replacement is created after that.
      return
    }
    if (!pod) {
      pod = await add(work, set, ordinal, revisionFor(set, ordinal, revisions))
      if (pod) counts.add(pod, false, false)
      if (inOrder) return
      continue
    }
    if (inOrder && (isTerminating(pod) || !isAvailable(pod))) return
  }
  const condemned = [...byOrdinal].filter(([ordinal]) => ordinal >= replicas).sort(([a], [b]) => b - a)
  const all = [...byOrdinal].sort(([a], [b]) => a - b).map(([, pod]) => pod)
  const firstUnhealthy = all.find(pod => !isReady(pod) || isTerminating(pod))
  for (const [, pod] of condemned) {
    if (isTerminating(pod)) {
      if (inOrder) return
      continue
    }
    if (inOrder && !isReady(pod) && pod !== firstUnhealthy) return
    await remove(work, set, pod)
    counts.remove(pod)
    if (inOrder) return
  }
  if (updateStrategy?.type === 'OnDelete') return
  const partition = updateStrategy?.rollingUpdate?.partition ?? 0
  for (let ordinal = replicas - 1; ordinal >= partition; ordinal--) {
    const pod = byOrdinal.get(ordinal)
    if (!pod) return
    if (revisionNameOf(pod, work.vendor) !== nameOf(revisions.update) && !isTerminating(pod)) {
      await remove(work, set, pod)
      counts.remove(pod)
      return
    }
    if (isTerminating(pod) || !isAvailable(pod)) return
  }
}

/** Below the partition, and while an update is still rolling out, Pods are recreated at the current revision. */
function revisionFor({ spec, status }: StoredSet, ordinal: number, { current, update }: Revisions): StoredRevision {
  const { type, rollingUpdate } = spec?.updateStrategy ?? {}
  if (type !== 'RollingUpdate') return update
  const isOld = rollingUpdate ? ordinal < (rollingUpdate.partition ?? 0) : ordinal < (status?.currentReplicas ?? 0)
  return isOld ? current : update
}

async function add(
  work: SetWork,
  set: StoredSet,
  ordinal: number,
  revision: StoredRevision,
): Promise<StoredPod | undefined> {
  const { clock, events, pods, unseen, vendor } = work
  const key = `${set.metadata.namespace}/${set.metadata.name}`
  const pod = podOfOrdinal(set, ordinal, { name: nameOf(revision), template: templateOf(revision) }, vendor)
  const told = `create Pod ${nameOf(pod)} in StatefulSet ${set.metadata.name}`
  try {
    await addClaims(work, set, ordinal)
    const made = await pods.create(pod)
    unseen.created(key, made, clock.now())
    void events.record(set, 'Normal', 'SuccessfulCreate', `${told} successful`)
    return made
  } catch (error) {
    // The cache is stale; the next event brings it up to date.
    if (error instanceof ApiError && error.reason === 'AlreadyExists') return undefined
    void events.record(set, 'Warning', 'FailedCreate', `${told} failed error: ${(error as Error).message}`)
    throw error
  }
}

async function addClaims({ claims, events }: SetWork, set: StoredSet, ordinal: number): Promise<void> {
  for (const claim of claimsOfOrdinal(set, ordinal)) {
    const collection = claims.in(set.metadata.namespace ?? '')
    if (await collection.find(nameOf(claim))) continue
    await collection.create(claim)
    const text = `create Claim ${nameOf(claim)} Pod ${set.metadata.name}-${ordinal} in StatefulSet ${set.metadata.name} success`
    void events.record(set, 'Normal', 'SuccessfulCreate', text)
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

/** How many Pods there are, of which revision, and how many of them work. */
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
    if (revision === nameOf(this.#revisions.current)) this.#current += by
    if (revision === nameOf(this.#revisions.update)) this.#updated += by
  }
  status(): StatefulSetStatus {
    const { current, update } = this.#revisions
    const { status, metadata, spec } = this.#set
    const isRolling = spec?.updateStrategy?.type === 'RollingUpdate'
    const isDone = isRolling && this.#updated === this.#replicas && this.#ready === this.#replicas
    const counts = {
      readyReplicas: this.#ready,
      currentReplicas: isDone ? this.#updated : this.#current,
      updatedReplicas: this.#updated,
    }
    return {
      observedGeneration: metadata.generation ?? 0,
      replicas: this.#replicas,
      ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
      currentRevision: nameOf(isDone ? update : current),
      updateRevision: nameOf(update),
      collisionCount: status?.collisionCount ?? 0,
      ...(status?.conditions ? { conditions: status.conditions } : {}),
      availableReplicas: this.#available,
    }
  }
}
