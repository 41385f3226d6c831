import type { ApiObject } from 'orch/sdk'
import { isPodReady } from 'orch/sdk/controllers'
import type { Pod } from 'orch/sdk/core'
import type { Sample, Samples } from './metrics-apis.js'

export type StoredPod = Pod & ApiObject

/** A smaller relative difference from the target does not trigger scaling, up or down. */
export interface Tolerances {
  readonly up: number
  readonly down: number
}
/** The tolerance of autoscalers that do not specify one. */
export const defaultTolerance = 0.1
/** For this long after its start, the cpu usage of a Pod may be caused by its initialization. */
const cpuInitializationMs = 5 * 60_000
/** A Pod that became unready within this time after its start has never been ready. */
const initialReadinessMs = 30_000

const isClose = (ratio: number, { up, down }: Tolerances) => 1 - down <= ratio && ratio <= 1 + up
const sum = (numbers: Iterable<number>) => {
  let total = 0
  for (const number of numbers) total += number
  return total
}

/** The recommended number of Pods, and the measurement. */
export interface Proposal {
  readonly replicas: number
  /** In thousandths; total or per Pod. */
  readonly measured: number
  /** In percent of the requests of the Pods. */
  readonly utilization?: number
}

/** The Pods of a target, by the state of their measurement. */
interface Groups {
  /** Number of Pods with a valid measurement. */
  readonly ready: number
  /** Not running yet, or measured while they were starting. */
  readonly unready: string[]
  readonly missing: string[]
  /** Failed, or being deleted. */
  readonly ignored: string[]
}
export function groupPods(pods: readonly StoredPod[], samples: Samples, isCpu: boolean, now: number): Groups {
  const groups = { ready: 0, unready: [] as string[], missing: [] as string[], ignored: [] as string[] }
  for (const pod of pods) {
    const { name = '', deletionTimestamp } = pod.metadata
    const sample = samples.get(name)
    if (deletionTimestamp || pod.status?.phase === 'Failed') groups.ignored.push(name)
    else if (pod.status?.phase === 'Pending') groups.unready.push(name)
    else if (!sample) groups.missing.push(name)
    else if (isCpu && isStarting(pod, sample, now)) groups.unready.push(name)
    else groups.ready++
  }
  return groups
}
function isStarting({ status }: StoredPod, { at, windowMs = 0 }: Sample, now: number): boolean {
  const ready = (status?.conditions ?? []).find(({ type }) => type === 'Ready')
  if (!ready || !status?.startTime) return true
  const started = Date.parse(status.startTime)
  const changed = ready.lastTransitionTime ? Date.parse(ready.lastTransitionTime) : 0
  if (started + cpuInitializationMs > now)
    return ready.status === 'False' || (at !== undefined && at < changed + windowMs)
  return ready.status === 'False' && started + initialReadinessMs > changed
}

/** The ratio of the measured value of all samples to the target. */
type Ratio = (samples: Samples) => { readonly ratio: number; readonly measured: number; readonly utilization?: number }
interface PerPod {
  readonly pods: readonly StoredPod[]
  readonly samples: Samples
  readonly current: number
  readonly isCpu: boolean
  readonly now: number
  readonly tolerances: Tolerances
  readonly ratioOf: Ratio
  /** Assumed maximum usage of a Pod without a measurement. */
  assumed(pod: string): number
}

/**
 * The replica count for the usage of each Pod. Pods without a measurement never cause scaling: they count as using
 * nothing when scaling up, and as using their full share when scaling down.
 */
export function replicasByPods(perPod: PerPod): Proposal {
  const { pods, samples, current, isCpu, now, tolerances, ratioOf, assumed } = perPod
  if (pods.length === 0) throw new Error('no pods returned by selector while calculating replica count')
  const { ready, unready, missing, ignored } = groupPods(pods, samples, isCpu, now)
  const known: Samples = new Map(samples)
  for (const name of [...ignored, ...unready]) known.delete(name)
  if (known.size === 0) throw new Error('did not receive metrics for any ready pods')
  const { ratio, ...measured } = ratioOf(known)
  const countsUnready = unready.length > 0 && ratio > 1
  if (!countsUnready && missing.length === 0)
    return { replicas: isClose(ratio, tolerances) ? current : Math.ceil(ratio * ready), ...measured }
  if (ratio !== 1) for (const name of missing) known.set(name, { value: ratio < 1 ? assumed(name) : 0 })
  if (countsUnready) for (const name of unready) known.set(name, { value: 0 })
  const conservative = ratioOf(known).ratio
  const replicas = Math.ceil(conservative * known.size)
  const changesDirection = (ratio < 1 && conservative > 1) || (ratio > 1 && conservative < 1)
  const contradicts = (conservative < 1 && replicas > current) || (conservative > 1 && replicas < current)
  return {
    replicas: isClose(conservative, tolerances) || changesDirection || contradicts ? current : replicas,
    ...measured,
  }
}

/** Compares with a value per Pod. */
export const averageRatio =
  (target: number): Ratio =>
  samples => {
    const measured = Math.floor(sum([...samples.values()].map(({ value }) => value)) / samples.size)
    return { ratio: measured / target, measured }
  }

/** Compares with a percentage of the requests of the Pods. */
export const utilizationRatio =
  (percent: number, requests: ReadonlyMap<string, number>): Ratio =>
  samples => {
    const requesting = [...samples].filter(([name]) => requests.has(name))
    const requested = sum(requesting.map(([name]) => requests.get(name) ?? 0))
    if (requested === 0) throw new Error('no metrics returned matched known pods')
    const used = sum(requesting.map(([, { value }]) => value))
    const utilization = Math.trunc((used * 100) / requested)
    return { ratio: utilization / percent, measured: Math.floor(used / requesting.length), utilization }
  }

/** The request of each Pod for a resource, in thousandths; of one container, or of all. */
export function requestsOf(
  pods: readonly StoredPod[],
  requestOf: (container: StoredPod['spec']['containers'][0]) => number | undefined,
  resource: string,
  container?: string,
): Map<string, number> {
  const requests = new Map<string, number>()
  for (const { metadata, spec } of pods) {
    const counted = spec.containers.filter(({ name }) => container === undefined || name === container)
    const amounts = counted.map(requestOf)
    if (amounts.includes(undefined)) throw new Error(`missing request for ${resource}`)
    requests.set(metadata.name ?? '', sum(amounts as number[]))
  }
  return requests
}

/** The replica count for one value of the whole target. */
export function replicasByValue(
  measured: number,
  target: number,
  current: number,
  pods: readonly StoredPod[],
  tolerances: Tolerances,
): Proposal {
  const ratio = measured / target
  if (current === 0) return { replicas: Math.ceil(ratio), measured }
  if (isClose(ratio, tolerances)) return { replicas: current, measured }
  if (pods.length === 0)
    throw new Error('unable to calculate ready pods: no pods returned by selector while calculating replica count')
  const ready = pods.filter(pod => pod.status?.phase === 'Running' && isPodReady(pod)).length
  return { replicas: Math.ceil(ratio * ready), measured }
}

/** The replica count for one value that is divided by the number of Pods. */
export function replicasByAverage(
  measured: number,
  targetPerPod: number,
  running: number,
  tolerances: Tolerances,
): Proposal {
  const ratio = measured / (targetPerPod * running)
  return {
    replicas: isClose(ratio, tolerances) ? running : Math.ceil(measured / targetPerPod),
    measured: running === 0 ? 0 : Math.ceil(measured / running),
  }
}
