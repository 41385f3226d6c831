import { isDeepStrictEqual } from 'node:util'
import type { Clock } from 'orch/sdk'
import { type ResourceClient, unlessLost } from 'orch/sdk/client'
import { type EventRecorder, isPodFinished, soonest } from 'orch/sdk/controllers'
import type { PodStatus } from 'orch/sdk/core'
import type { SimulatedNode } from '../nodes/node-objects.js'
import type { Addresses } from './addresses.js'
import type { Behavior, Rule } from './behavior.js'
import { byName, type StoredPod } from './container-facts.js'
import type { ExactTimes } from './exact-times.js'
import { findBehavior, msOf } from './find-behavior.js'
import { stepPod, stopped } from './pod-run.js'
import { type Room, resizePending, withResources } from './resize.js'

/** The dependencies of a simulated node agent. */
export interface AgentWork {
  readonly clock: Clock
  readonly pods: ResourceClient<StoredPod>
  readonly events: EventRecorder
  readonly addresses: Addresses
  readonly times: ExactTimes
  readonly rules: readonly Rule[]
  readonly behaviorAnnotation: string
  /** Whether statuses contain the resources of containers, so that they can be resized. */
  readonly reportsResources: boolean
  /** The Pods of a node. */
  podsOn(node: string): readonly StoredPod[]
}

type Again = { requeueAfterMs: number } | undefined
const at = (time: number, now: number): Again => ({ requeueAfterMs: Math.max(1, Math.ceil(time - now)) })

/** Does for one Pod what the agent of its node would do: reports its status, and removes it after deletion. */
export async function syncPod(work: AgentWork, pod: StoredPod, node: SimulatedNode): Promise<Again> {
  const { clock, times } = work
  const uid = pod.metadata.uid ?? ''
  const now = clock.now()
  const behavior = await behaviorFor(work, pod)
  if (pod.metadata.deletionTimestamp) return removePod(work, pod, behavior, now)
  if (isPodFinished(pod)) return undefined
  const step = stepPod(pod, behavior, {
    now,
    hostIP: addressOf(node),
    takeAddress: () => work.addresses.take(uid),
    exactly: (what, timestamp) => times.get(uid, what) ?? Date.parse(timestamp ?? ''),
    note: what => times.set(uid, what, now),
  })
  const status = work.reportsResources ? withResources(pod, step.status, roomFor(work, pod, node), now) : step.status
  if (!isSameStatus(status, pod.status)) {
    await writeStatus(work, pod, status)
    recordContainerEvents(work, pod, status)
  }
  if (step.wakeAt === undefined) times.forget(uid)
  // Other Pods may have left the node by then.
  const retryAt = isPending(status) ? now + resizeEveryMs : undefined
  const wakeAt = soonest([step.wakeAt, retryAt])
  return wakeAt === undefined ? undefined : at(wakeAt, now)
}

const resizeEveryMs = 5000
const isPending = ({ conditions }: PodStatus) => conditions?.some(({ type }) => type === resizePending)
const roomFor = (work: AgentWork, pod: StoredPod, node: SimulatedNode): Room => ({
  allocatable: node.status?.allocatable ?? {},
  others: () =>
    work
      .podsOn(node.metadata.name ?? '')
      .filter(other => other.metadata.uid !== pod.metadata.uid && !isPodFinished(other)),
})

/** An invalid annotation is reported by an event; the Pod then behaves as if it had none. */
async function behaviorFor({ rules, behaviorAnnotation, events }: AgentWork, pod: StoredPod): Promise<Behavior> {
  try {
    return findBehavior(pod, rules, behaviorAnnotation)
  } catch (error) {
    await events.record(pod, 'Warning', 'InvalidBehavior', (error as Error).message)
    return {}
  }
}

const addressOf = ({ status }: SimulatedNode): string =>
  status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? ''

async function removePod(work: AgentWork, pod: StoredPod, behavior: Behavior, now: number): Promise<Again> {
  const { name = '', namespace = '', uid = '', deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata
  const endAt = Date.parse(deletionTimestamp ?? '')
  const askedAt = work.times.get(uid, 'deletion') ?? now
  work.times.set(uid, 'deletion', askedAt)
  const wanted = isPodFinished(pod) ? 0 : msOf(behavior.stopAfter)
  const goneAt = soonest([askedAt + wanted, Math.max(endAt, askedAt)]) ?? now
  if (goneAt > now) return at(goneAt, now)
  if (!isPodFinished(pod) && pod.status?.containerStatuses?.some(({ state }) => state?.running))
    void work.events.record(pod, 'Normal', 'Killing', `Stopping container ${pod.spec.containers[0]?.name ?? ''}`)
  // The owner of a finalizer may be waiting for the final status.
  if (!isPodFinished(pod) && pod.metadata.finalizers?.length) {
    await writeStatus(work, pod, stopped(pod, now))
    return undefined
  }
  if (deletionGracePeriodSeconds === 0 && pod.metadata.finalizers?.length) return undefined
  await unlessLost(
    work.pods.in(namespace).delete(name, { gracePeriodSeconds: 0, preconditions: { uid } }),
    'NotFound',
    'Conflict',
  )
  return undefined
}

/** A strategic merge patch keeps fields that it omits, so they are cleared explicitly. */
const blank = { reason: null, message: null, lastProbeTime: null }

function writeStatus({ pods }: AgentWork, { metadata, ...pod }: StoredPod, status: PodStatus): Promise<unknown> {
  const { name = '', namespace = '', uid } = metadata
  const isOver = pod.status && isPending(pod.status) && !isPending(status)
  const conditions: object[] = (status.conditions ?? []).map(condition => ({ ...blank, ...condition }))
  if (isOver) conditions.push({ type: resizePending, $patch: 'delete' })
  const patch = { metadata: { uid }, status: { ...status, conditions } }
  return unlessLost(
    pods.in(namespace).patch(name, patch, { type: 'strategic', subresource: 'status' }),
    'NotFound',
    'Conflict',
  )
}

/** Whether the stored status is up to date. Conditions and fields of others are ignored. */
function isSameStatus(status: PodStatus, before: PodStatus = {}): boolean {
  if (isPending(before) !== isPending(status)) return false
  return Object.entries(status).every(([key, value]) => {
    if (key === 'conditions')
      return (status.conditions ?? []).every(one =>
        before.conditions?.some(
          known =>
            known.type === one.type &&
            known.status === one.status &&
            known.reason === one.reason &&
            known.message === one.message,
        ),
      )
    return isDeepStrictEqual(before[key as keyof PodStatus], value)
  })
}

/** The events of a node agent about containers that started, or wait to be restarted. */
function recordContainerEvents({ events }: AgentWork, pod: StoredPod, status: PodStatus): void {
  const known = byName([...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])])
  const record = (type: 'Normal' | 'Warning', reason: string, message: string) =>
    void events.record(pod, type, reason, message)
  for (const one of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]) {
    const before = known.get(one.name)
    if (one.containerID && one.containerID !== before?.containerID) {
      record('Normal', 'Pulled', `Container image "${one.image}" already present on machine`)
      record('Normal', 'Created', `Created container ${one.name}`)
      record('Normal', 'Started', `Started container ${one.name}`)
    }
    if (one.state?.waiting?.reason === 'CrashLoopBackOff' && !before?.state?.waiting)
      record('Warning', 'BackOff', 'Back-off restarting failed container')
  }
}
