import { addAll, type Clock, type Vendor } from 'orch/sdk'
import {
  type EventRecorder,
  inGrowingBatches,
  isPodFinished,
  isPodReady,
  msUntilAvailable,
  type PodWriter,
  soonest,
  type UnseenWrites,
} from 'orch/sdk/controllers'
import { revisionLabels } from '../../controller-revisions/history.js'
import { shareOf } from '../../deployments/rollout/rollout.js'
import { surgingDaemonsStay } from '../../differences.js'
import type { DaemonSetStatus } from '../schema.js'
import { nodeOf, podForNode, type StoredDaemonSet, type StoredPod, tolerationsOf } from './daemon-pods.js'
import type { FailedPodBackoff } from './failed-pod-backoff.js'
import { fitOf, type NodeLike } from './node-fit.js'

export interface DaemonWork {
  readonly clock: Clock
  readonly vendor: Vendor
  readonly writer: PodWriter
  readonly unseen: UnseenWrites
  readonly events: EventRecorder
  readonly failures: FailedPodBackoff
}

/** The Pods that a node has, and whether it should have one. */
interface DaemonNode {
  readonly node: NodeLike
  readonly pods: StoredPod[]
  readonly shouldRun: boolean
  readonly mayStay: boolean
}

/** By then the cache should include the writes of this reconcile. */
const recheckMs = 250

const isTerminating = ({ metadata }: StoredPod) => metadata.deletionTimestamp !== undefined
const createdAt = ({ metadata }: StoredPod) => Date.parse(metadata.creationTimestamp ?? '') || 0

/** Creates Pods on nodes that lack one, deletes them from nodes that must not have one, and replaces outdated ones. */
export async function reconcileDaemons(
  work: DaemonWork,
  set: StoredDaemonSet,
  found: readonly StoredPod[],
  nodes: readonly NodeLike[],
  hash: string,
): Promise<{ status?: DaemonSetStatus; againMs?: number }> {
  const spec = set.spec?.template?.spec ?? { containers: [] }
  const tolerations = tolerationsOf(spec, work.vendor)
  const byNode = new Map<string, StoredPod[]>()
  for (const pod of found) {
    const node = nodeOf(pod) ?? ''
    byNode.set(node, [...(byNode.get(node) ?? []), pod])
  }
  const places: DaemonNode[] = nodes.map(node => ({
    node,
    pods: byNode.get(node.metadata.name ?? '') ?? [],
    ...fitOf(spec, tolerations, node),
  }))
  const minReadySeconds = set.spec?.minReadySeconds ?? 0
  const wait = (pod: StoredPod) => msUntilAvailable(pod, minReadySeconds, work.clock.now())
  const isUpdated = ({ metadata }: StoredPod) => metadata.labels?.[revisionLabels(work.vendor).ofPod] === hash
  let failureMs: number | undefined
  if (!set.metadata.deletionTimestamp) {
    const known = new Set(nodes.map(({ metadata }) => metadata.name ?? ''))
    const lost = [...byNode].filter(([node]) => !known.has(node)).flatMap(([, pods]) => pods)
    // Counts are written once the cache has caught up: until then they would be stale. The observed generation is
    // written immediately.
    const busy = () => ({
      againMs: recheckMs,
      ...(set.metadata.generation === set.status?.observedGeneration
        ? {}
        : { status: statusOf(set, places, isUpdated, pod => wait(pod) === 0) }),
    })
    const placed = await placePods(work, set, places, lost, hash)
    if (placed.isBusy) return busy()
    failureMs = placed.againMs
    const isRolling = set.spec?.updateStrategy?.type === 'RollingUpdate'
    if (isRolling && (await replace(work, set, places, isUpdated, pod => wait(pod) === 0, hash))) return busy()
  }
  const status = statusOf(set, places, isUpdated, pod => wait(pod) === 0)
  const waits = found.flatMap(pod => wait(pod) ?? []).filter(ms => ms > 0)
  const next = soonest([...waits, failureMs])
  return next === undefined ? { status } : { status, againMs: next + 100 }
}

/** Returns whether Pods were created or deleted, and when a failed Pod in backoff is to be replaced. */
async function placePods(
  work: DaemonWork,
  set: StoredDaemonSet,
  places: readonly DaemonNode[],
  lost: readonly StoredPod[],
  hash: string,
): Promise<{ isBusy: boolean; againMs?: number }> {
  const leaving: StoredPod[] = lost.filter(pod => !isTerminating(pod))
  const missing: string[] = []
  let againMs: number | undefined
  for (const { node, pods, shouldRun, mayStay } of places) {
    const there = pods.filter(pod => !isTerminating(pod))
    const working = there.filter(pod => !isPodFinished(pod)).sort((a, b) => createdAt(a) - createdAt(b))
    if (!mayStay) addAll(leaving, there)
    else {
      for (const pod of there.filter(isPodFinished)) {
        const waitMs = replaceMs(work, set, pod, node)
        if (waitMs === 0) leaving.push(pod)
        else againMs = soonest([againMs, waitMs])
      }
      // One Pod per node is enough; during a surge the old one is deleted when the new one is available.
      if (!hasSurge(set)) addAll(leaving, working.slice(1))
      const isEmpty = hasSurge(set) ? working.length === 0 : pods.length === 0
      if (shouldRun && isEmpty) missing.push(node.metadata.name ?? '')
    }
  }
  await remove(work, set, leaving)
  await create(work, set, missing, hash)
  const isBusy = leaving.length + missing.length > 0
  return againMs === undefined ? { isBusy } : { isBusy, againMs }
}

/** When a finished Pod may be replaced, in ms; 0 records an event and means now. Failed ones are subject to backoff. */
function replaceMs(
  { events, failures, clock }: DaemonWork,
  set: StoredDaemonSet,
  pod: StoredPod,
  node: NodeLike,
): number {
  const { namespace, name } = pod.metadata
  const isFailed = pod.status?.phase === 'Failed'
  const waitMs = isFailed ? failures.next(`${set.metadata.uid}/${node.metadata.name}`, clock.now()) : 0
  if (waitMs > 0) return waitMs
  const [type, reason, what, how] = isFailed
    ? (['Warning', 'FailedDaemonPod', 'failed', 'kill'] as const)
    : (['Normal', 'SucceededDaemonPod', 'succeeded', 'delete'] as const)
  const text = `Found ${what} daemon pod ${namespace}/${name} on node ${node.metadata.name}, will try to ${how} it`
  void events.record(set, type, reason, text)
  return 0
}

const hasSurge = ({ spec }: StoredDaemonSet): boolean => {
  const { maxSurge = 0 } = spec?.updateStrategy?.rollingUpdate ?? {}
  return shareOf(maxSurge, 100, 'up') > 0
}

/** Replaces outdated Pods, at most maxUnavailable or maxSurge at a time. */
async function replace(
  work: DaemonWork,
  set: StoredDaemonSet,
  places: readonly DaemonNode[],
  isUpdated: (pod: StoredPod) => boolean,
  isAvailable: (pod: StoredPod) => boolean,
  hash: string,
): Promise<boolean> {
  const wanted = places.filter(({ shouldRun }) => shouldRun)
  const { maxUnavailable = 1, maxSurge = 0 } = set.spec?.updateStrategy?.rollingUpdate ?? {}
  const live = ({ pods }: DaemonNode) => pods.filter(pod => !isTerminating(pod))
  const old = (at: DaemonNode) => live(at).filter(pod => !isUpdated(pod))
  if (hasSurge(set)) {
    const isDouble = (at: DaemonNode) => old(at).length > 0 && live(at).length > old(at).length
    const works = (at: DaemonNode) => (old(at).length > 0 ? old(at) : live(at)).some(isAvailable)
    const doubles = wanted.filter(isDouble)
    const done = doubles.filter(at => !works(at) || live(at).some(pod => isUpdated(pod) && isAvailable(pod)))
    const leaving = [...done.flatMap(old), ...misplaced(work, places, wanted.length, works, isUpdated)]
    await remove(work, set, leaving)
    const room = Math.max(0, shareOf(maxSurge, wanted.length, 'up') - (doubles.length - done.length))
    const single = wanted.filter(at => old(at).length > 0 && !isDouble(at))
    // Where the old Pod is unavailable anyway, the new one does not count as a surge.
    const next = [...single.filter(at => !works(at)), ...single.filter(works).slice(0, room)]
    await create(
      work,
      set,
      next.map(({ node }) => node.metadata.name ?? ''),
      hash,
    )
    return leaving.length + next.length > 0
  }
  const missing = wanted.filter(at => !live(at).some(isAvailable))
  const broken = missing.flatMap(old)
  const room = Math.max(0, shareOf(maxUnavailable, wanted.length, 'up') - missing.length)
  const working = wanted.filter(at => live(at).some(isAvailable)).flatMap(old)
  const leaving = [...broken, ...working.slice(0, room)]
  await remove(work, set, leaving)
  return leaving.length > 0
}

/**
 * Old Pods on nodes that should no longer have one, as far as they are unavailable or more are available than required.
 */
function misplaced(
  { vendor }: DaemonWork,
  places: readonly DaemonNode[],
  wanted: number,
  works: (at: DaemonNode) => boolean,
  isUpdated: (pod: StoredPod) => boolean,
): StoredPod[] {
  if (!vendor.level.has(surgingDaemonsStay)) return []
  const wrong = places.filter(({ shouldRun }) => !shouldRun)
  const spare = Math.max(0, places.filter(works).length - wanted)
  return [...wrong.filter(at => !works(at)), ...wrong.filter(works).slice(0, spare)].flatMap(({ pods }) =>
    pods.filter(pod => !isTerminating(pod) && !isUpdated(pod)),
  )
}

async function create(work: DaemonWork, set: StoredDaemonSet, nodes: readonly string[], hash: string): Promise<void> {
  const key = `${set.metadata.namespace}/${set.metadata.name}`
  await inGrowingBatches(nodes.length, async i => {
    const made = await work.writer.create(set, podForNode(set, nodes[i] ?? '', hash, work.vendor))
    if (made) work.unseen.created(key, made, work.clock.now())
  })
}
async function remove(work: DaemonWork, set: StoredDaemonSet, pods: readonly StoredPod[]): Promise<void> {
  const key = `${set.metadata.namespace}/${set.metadata.name}`
  await Promise.all(
    pods.map(async pod => {
      work.unseen.deleted(key, pod, work.clock.now())
      await work.writer.delete(set, pod)
    }),
  )
}

function statusOf(
  { metadata, status }: StoredDaemonSet,
  places: readonly DaemonNode[],
  isUpdated: (pod: StoredPod) => boolean,
  isAvailable: (pod: StoredPod) => boolean,
): DaemonSetStatus {
  const wanted = places.filter(({ shouldRun }) => shouldRun)
  // Of several Pods on a node, the oldest ready one counts.
  const oldest = ({ pods }: DaemonNode) =>
    [...pods].sort((a, b) => Number(isPodReady(b)) - Number(isPodReady(a)) || createdAt(a) - createdAt(b))[0]
  const count = (isCounted: (pod: StoredPod) => boolean) =>
    wanted.filter(at => {
      const pod = oldest(at)
      return pod !== undefined && isCounted(pod)
    }).length
  const available = count(pod => isPodReady(pod) && isAvailable(pod))
  const optional = {
    observedGeneration: metadata.generation ?? 0,
    updatedNumberScheduled: count(isUpdated),
    numberAvailable: available,
    numberUnavailable: wanted.length - available,
  }
  return {
    currentNumberScheduled: count(() => true),
    numberMisscheduled: places.filter(({ shouldRun, pods }) => !shouldRun && pods.length > 0).length,
    desiredNumberScheduled: wanted.length,
    numberReady: count(isPodReady),
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value > 0)),
    ...(status?.collisionCount === undefined ? {} : { collisionCount: status.collisionCount }),
    ...(status?.conditions ? { conditions: status.conditions } : {}),
  }
}
