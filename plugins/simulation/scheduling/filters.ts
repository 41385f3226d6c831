import { isNodeSelected, isTolerated, type NodeSelector } from 'orch/sdk/core'
import { type DeviceNeeds, noDevices } from '../devices/devices.js'
import { type Cluster, type NodeState, splitPort } from './cluster.js'
import type { PodFacts } from './pod-facts.js'
import type { Counts } from './topology-counts.js'

/** How the volumes of a Pod limit the choice of its node. */
export interface VolumeNeeds {
  /** Why the Pod cannot be scheduled on any node. */
  readonly problem?: string
  /** The node affinities of its volumes, all of which must match. */
  readonly reachable: readonly NodeSelector[]
}
export const noVolumes: VolumeNeeds = { reachable: [] }

interface SpreadState {
  readonly counts: Counts
  readonly maxSkew: number
  readonly least: number
  readonly own: number
}

/** The state of one scheduling attempt that is the same for all nodes. */
export interface Placement {
  readonly pod: PodFacts
  readonly volumes: VolumeNeeds
  readonly devices: DeviceNeeds
  /** Whether the Pod tolerates unschedulable nodes. */
  readonly mayBeOnClosed: boolean
  readonly avoided: readonly Counts[]
  readonly near: readonly Counts[]
  readonly away: readonly Counts[]
  /** There are no matching Pods yet, and the Pod matches its own affinity term. */
  readonly isFirst: boolean
  readonly spread: readonly SpreadState[]
}

export function placementOf(
  pod: PodFacts,
  cluster: Cluster,
  volumes: VolumeNeeds,
  closedTaint: string,
  devices: DeviceNeeds = noDevices,
): Placement {
  const near = pod.near.map(term => cluster.counts.of(term))
  return {
    pod,
    volumes,
    devices,
    mayBeOnClosed: isTolerated({ key: closedTaint, effect: 'NoSchedule' }, pod.tolerations),
    avoided: cluster.counts.avoiding(pod),
    near,
    away: pod.away.map(term => cluster.counts.of(term)),
    isFirst: near.length > 0 && near.every(({ total, term }) => total === 0 && term.matches(pod)),
    spread: pod.spread.filter(({ isRequired }) => isRequired).map(rule => spreadState(rule, pod, cluster)),
  }
}

function spreadState({ term, maxSkew }: PodFacts['spread'][number], pod: PodFacts, cluster: Cluster): SpreadState {
  const counts = cluster.counts.of(term)
  const isChoosy = pod.selector.length > 0 || pod.requiredTerms !== undefined
  const domains = isChoosy
    ? new Set(cluster.nodes.flatMap(state => (isWanted(pod, state) ? (state.labels[term.topologyKey] ?? []) : [])))
    : cluster.domainsOf(term.topologyKey)
  let least = Number.POSITIVE_INFINITY
  for (const domain of domains) least = Math.min(least, counts.byValue.get(domain) ?? 0)
  return { counts, maxSkew, least: Number.isFinite(least) ? least : 0, own: term.matches(pod) ? 1 : 0 }
}

const none: readonly string[] = []

const noDevicesHere = 'cannot allocate all claims'

/** Reasons that preemption cannot resolve. */
const lasting = new Set([
  'node(s) were unschedulable',
  "node(s) didn't match Pod's node affinity/selector",
  'node(s) had volume node affinity conflict',
  noDevicesHere,
])
export const mayPreemptionHelp = (reasons: readonly string[]): boolean =>
  !reasons.some(reason => lasting.has(reason) || reason.startsWith('node(s) had taint'))

/** Why the Pod does not fit on the node, in the words of the reference scheduler; empty if it fits. */
export function unfitReasons(placement: Placement, state: NodeState): readonly string[] {
  const { pod } = placement
  if (state.isUnschedulable && !placement.mayBeOnClosed) return ['node(s) were unschedulable']
  const taint = state.taints.find(
    one => (one.effect === 'NoSchedule' || one.effect === 'NoExecute') && !isTolerated(one, pod.tolerations),
  )
  if (taint) return [`node(s) had taint {${taint.key}: ${taint.value ?? ''}}, that the pod didn't tolerate`]
  if (!isWanted(pod, state)) return ["node(s) didn't match Pod's node affinity/selector"]
  if (hasPortConflict(pod, state)) return ["node(s) didn't have free ports for the requested pod ports"]
  const missing = missingResources(pod, state)
  if (missing.length > 0) return missing
  if (placement.volumes.problem) return [placement.volumes.problem]
  if (!placement.volumes.reachable.every(selector => isReachable(selector, state)))
    return ['node(s) had volume node affinity conflict']
  const problem = spreadProblem(placement, state) ?? affinityProblem(placement, state)
  if (problem) return problem
  // The most expensive check comes last.
  if (placement.devices.problem) return [placement.devices.problem]
  return placement.devices.planOn(state) ? none : [noDevicesHere]
}

export function isWanted({ selector, requiredTerms }: PodFacts, { node, labels }: NodeState): boolean {
  for (const [key, value] of selector) if (labels[key] !== value) return false
  return !requiredTerms || (node !== undefined && requiredTerms.some(term => isNodeSelected(term, node)))
}

const isReachable = ({ nodeSelectorTerms }: NodeSelector, { node }: NodeState): boolean =>
  node !== undefined && nodeSelectorTerms.some(term => isNodeSelected(term, node))

const anywhere = new Set(['0.0.0.0', '::', ''])
function hasPortConflict({ ports }: PodFacts, state: NodeState): boolean {
  return ports.some(port => {
    const [id, address] = splitPort(port)
    return state.ports.get(id)?.some(other => other === address || anywhere.has(other) || anywhere.has(address))
  })
}

/** Insufficient resources of the node. Nominated Pods count as if they were bound. */
export function missingResources(pod: PodFacts, state: NodeState): string[] {
  const missing: string[] = []
  let expected = 0
  const reserved: Record<string, number> = {}
  for (const other of state.nominated.values()) {
    if (other.key === pod.key || other.priority < pod.priority) continue
    expected++
    for (const [name, amount] of Object.entries(other.requests)) reserved[name] = (reserved[name] ?? 0) + amount
  }
  const { allocatable, taken } = state
  if (state.pods.size + expected + 1 > (allocatable['pods'] ?? 0)) missing.push('Too many pods')
  for (const [name, amount] of Object.entries(pod.requests))
    if (amount > 0 && (taken[name] ?? 0) + (reserved[name] ?? 0) + amount > (allocatable[name] ?? 0))
      missing.push(`Insufficient ${name}`)
  return missing
}

function spreadProblem({ spread }: Placement, { labels }: NodeState): readonly string[] | undefined {
  for (const { counts, maxSkew, least, own } of spread) {
    const value = labels[counts.term.topologyKey]
    if (value === undefined) return ["node(s) didn't match pod topology spread constraints (missing required label)"]
    if ((counts.byValue.get(value) ?? 0) + own - least > maxSkew)
      return ["node(s) didn't match pod topology spread constraints"]
  }
  return undefined
}

function affinityProblem({ near, away, avoided, isFirst }: Placement, { labels }: NodeState): string[] | undefined {
  const countHere = ({ term, byValue }: Counts) => byValue.get(labels[term.topologyKey] ?? '') ?? 0
  const hasLabel = ({ term }: Counts) => labels[term.topologyKey] !== undefined
  if (!near.every(counts => hasLabel(counts) && (isFirst || countHere(counts) > 0)))
    return ["node(s) didn't match pod affinity rules"]
  if (away.some(counts => hasLabel(counts) && countHere(counts) > 0))
    return ["node(s) didn't match pod anti-affinity rules"]
  if (avoided.some(counts => hasLabel(counts) && countHere(counts) > 0))
    return ["node(s) didn't satisfy existing pods anti-affinity rules"]
  return undefined
}
