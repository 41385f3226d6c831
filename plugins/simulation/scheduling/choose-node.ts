import { type DeviceNeeds, noDevices } from '../devices/devices.js'
import type { Cluster, NodeState } from './cluster.js'
import { type Placement, placementOf, unfitReasons, type VolumeNeeds } from './filters.js'
import type { PodFacts } from './pod-facts.js'
import { scoresOf } from './scores.js'

/** Nodes that are scored: with more, the best is hardly better. */
const enough = 100

/** The node for a Pod, or why there is none. */
export type Choice =
  | { readonly node: NodeState }
  | {
      readonly message: string
      readonly placement: Placement
      readonly refusals: ReadonlyMap<NodeState, readonly string[]>
    }

/** Chooses nodes for Pods. Each search starts where the previous one ended, so that all nodes are considered. */
export class NodeChooser {
  readonly #cluster: Cluster
  readonly #closedTaint: string
  #start = 0

  constructor(cluster: Cluster, closedTaint: string) {
    this.#cluster = cluster
    this.#closedTaint = closedTaint
  }

  choose(pod: PodFacts, volumes: VolumeNeeds, devices: DeviceNeeds = noDevices): Choice {
    const { nodes } = this.#cluster
    const placement = placementOf(pod, this.#cluster, volumes, this.#closedTaint, devices)
    const candidates = pod.onlyNodes?.flatMap(name => this.#cluster.find(name) ?? []) ?? nodes
    const refusals = new Map<NodeState, readonly string[]>()
    const fitting: NodeState[] = []
    const looked = candidates.length
    for (let i = 0; i < looked && fitting.length < enough; i++) {
      const state = candidates[(this.#start + i) % looked] as NodeState
      const reasons = unfitReasons(placement, state)
      if (reasons.length === 0) fitting.push(state)
      else refusals.set(state, reasons)
    }
    if (looked === nodes.length) this.#start = (this.#start + fitting.length + refusals.size) % Math.max(1, looked)
    const nominated = fitting.find(({ nominated: those }) => those.has(pod.key))
    const best = nominated ?? this.#best(pod, fitting)
    if (best) return { node: best }
    return { message: refusalText(nodes.length, refusals, nodes.length - looked), placement, refusals }
  }

  #best(pod: PodFacts, fitting: readonly NodeState[]): NodeState | undefined {
    if (fitting.length < 2) return fitting[0]
    const scores = scoresOf(pod, fitting, this.#cluster)
    let best = 0
    for (const [i, score] of scores.entries()) if (score > (scores[best] ?? 0)) best = i
    return fitting[best]
  }
}

/** The message for a Pod that fits nowhere: the number of nodes by reason. */
function refusalText(nodes: number, refusals: ReadonlyMap<NodeState, readonly string[]>, notMeant: number): string {
  if (nodes === 0) return 'no nodes available to schedule pods'
  const counts = new Map<string, number>()
  const count = (reason: string, times: number) => counts.set(reason, (counts.get(reason) ?? 0) + times)
  for (const reasons of refusals.values()) for (const reason of reasons) count(reason, 1)
  if (notMeant > 0) count("node(s) didn't match Pod's node affinity/selector", notMeant)
  const texts = [...counts].map(([reason, times]) => `${times} ${reason}`).sort()
  return `0/${nodes} nodes are available: ${texts.join(', ')}.`
}
