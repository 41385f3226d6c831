import type { NodeState } from './cluster.js'
import { mayPreemptionHelp, missingResources, type Placement, whyNot } from './filters.js'
import type { PodFacts } from './pod-facts.js'

/** So many nodes are looked at for Pods to remove. */
const mostNodes = 100

export interface Preemption {
  readonly node: NodeState
  readonly victims: readonly PodFacts[]
}

/**
 * The node on which the fewest and least important Pods must go so that this one fits. Only Pods of less priority go, and only
 * where what is missing is room: affinities are not broken up.
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
    if (++looked > mostNodes) break
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
  const fits = () => missingResources(pod, state).length === 0 && whyNot(placement, state).length === 0
  const canFit = fits()
  // Those of the highest priority are spared first.
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
