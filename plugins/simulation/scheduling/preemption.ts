import type { NodeState } from './cluster.js'
import { mayPreemptionHelp, missingResources, type Placement, unfitReasons } from './filters.js'
import type { PodFacts } from './pod-facts.js'

/** Nodes that are searched for victims. */
const maxNodes = 100

export interface Preemption {
  readonly node: NodeState
  readonly victims: readonly PodFacts[]
}

/**
 * The node on which the fewest Pods of the lowest priority must be evicted so that this one fits. Only Pods of lower priority are
 * evicted, and only where resources are missing: affinities are not considered.
 */
export function findPreemption(
  placement: Placement,
  refusals: ReadonlyMap<NodeState, readonly string[]>,
): Preemption | undefined {
  const { pod } = placement
  if (!pod.mayPreempt) return undefined
  let best: Preemption | undefined
  let looked = 0
  for (const [node, reasons] of refusals) {
    if (!mayPreemptionHelp(reasons)) continue
    if (++looked > maxNodes) break
    const victims = victimsOn(placement, node)
    if (victims && (!best || isBetter(victims, best.victims))) best = { node, victims }
  }
  return best
}

/** The Pods to evict from the node: no more than necessary. */
function victimsOn(placement: Placement, state: NodeState): PodFacts[] | undefined {
  const { pod } = placement
  const lesser = [...state.pods.values()].filter(({ priority }) => priority < pod.priority)
  if (lesser.length === 0) return undefined
  for (const other of lesser) state.remove(other)
  const victims: PodFacts[] = []
  const fits = () => missingResources(pod, state).length === 0 && unfitReasons(placement, state).length === 0
  const canFit = fits()
  // Pods of the highest priority are reprieved first.
  for (const other of lesser.sort((a, b) => b.priority - a.priority)) {
    state.add(other)
    if (!canFit || fits()) continue
    state.remove(other)
    victims.push(other)
  }
  for (const victim of victims) state.add(victim)
  return canFit && victims.length > 0 ? victims : undefined
}

const highest = (victims: readonly PodFacts[]) =>
  victims.reduce((most, { priority }) => Math.max(most, priority), Number.NEGATIVE_INFINITY)
const sum = (victims: readonly PodFacts[]) => victims.reduce((total, { priority }) => total + priority, 0)

function isBetter(left: readonly PodFacts[], right: readonly PodFacts[]): boolean {
  if (highest(left) !== highest(right)) return highest(left) < highest(right)
  if (sum(left) !== sum(right)) return sum(left) < sum(right)
  return left.length < right.length
}
