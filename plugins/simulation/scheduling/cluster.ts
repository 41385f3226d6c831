import type { Taint } from 'orch/sdk/core'
import type { SimulatedNode } from '../nodes/node-objects.js'
import { type Amounts, amountOf, type PodFacts } from './pod-facts.js'
import { TopologyCounts } from './topology-counts.js'

/** A node with its Pods and their resources. */
export class NodeState {
  readonly name: string
  /** Undefined as long as only Pods refer to it. */
  node: SimulatedNode | undefined
  labels: Readonly<Record<string, string>> = {}
  taints: readonly Taint[] = []
  isUnschedulable = false
  allocatable: Amounts = {}
  readonly taken: Amounts = {}
  readonly load = { cpu: 0, memory: 0 }
  readonly pods = new Map<string, PodFacts>()
  /** `<protocol> <port>` → addresses in use. */
  readonly ports = new Map<string, string[]>()
  /** Pods for which others were preempted on this node, and which are not bound yet. */
  readonly nominated = new Map<string, PodFacts>()

  constructor(name: string) {
    this.name = name
  }
  add(pod: PodFacts): void {
    this.pods.set(pod.key, pod)
    this.#account(pod, 1)
    for (const port of pod.ports) {
      const [id, address] = splitPort(port)
      this.ports.set(id, [...(this.ports.get(id) ?? []), address])
    }
  }
  remove(pod: PodFacts): void {
    this.pods.delete(pod.key)
    this.#account(pod, -1)
    for (const port of pod.ports) {
      const [id, address] = splitPort(port)
      const left = [...(this.ports.get(id) ?? [])]
      left.splice(left.indexOf(address), 1)
      if (left.length > 0) this.ports.set(id, left)
      else this.ports.delete(id)
    }
  }
  #account({ requests, load }: PodFacts, sign: number): void {
    for (const [name, amount] of Object.entries(requests)) this.taken[name] = (this.taken[name] ?? 0) + sign * amount
    this.load.cpu += sign * load.cpu
    this.load.memory += sign * load.memory
  }
}

/** `TCP 80 0.0.0.0` is port `TCP 80` at `0.0.0.0`. */
export function splitPort(port: string): [id: string, address: string] {
  const at = port.lastIndexOf(' ')
  return [port.slice(0, at), port.slice(at + 1)]
}

/** The scheduler's view of nodes and their Pods, which includes Pods that it has assigned but not bound yet. */
export class Cluster {
  readonly #nodes = new Map<string, NodeState>()
  readonly #places = new Map<string, NodeState>()
  readonly counts = new TopologyCounts(() => this.#everyPod())
  #known: readonly NodeState[] | undefined
  readonly #domains = new Map<string, ReadonlySet<string>>()

  /** Nodes that exist. */
  get nodes(): readonly NodeState[] {
    return (this.#known ??= [...this.#nodes.values()].filter(({ node }) => node))
  }
  find(name: string): NodeState | undefined {
    const state = this.#nodes.get(name)
    return state?.node ? state : undefined
  }
  nodeOf(key: string): NodeState | undefined {
    return this.#places.get(key)
  }
  /** The values that nodes have for a label. */
  domainsOf(label: string): ReadonlySet<string> {
    const known = this.#domains.get(label)
    if (known) return known
    const values = new Set(this.nodes.flatMap(({ labels }) => labels[label] ?? []))
    this.#domains.set(label, values)
    return values
  }

  setNode(node: SimulatedNode): void {
    const state = this.#stateOf(node.metadata.name ?? '')
    const labels = node.metadata.labels ?? {}
    const before = state.labels
    const isMoved = JSON.stringify(before) !== JSON.stringify(labels)
    if (!state.node || isMoved) this.#forgetShape()
    if (isMoved) for (const pod of state.pods.values()) this.counts.removed(pod, before)
    state.node = node
    state.labels = labels
    state.taints = node.spec?.taints ?? []
    state.isUnschedulable = node.spec?.unschedulable ?? false
    state.allocatable = Object.fromEntries(
      Object.entries(node.status?.allocatable ?? {}).map(([name, text]) => [name, amountOf(name, text)]),
    )
    if (isMoved) for (const pod of state.pods.values()) this.counts.placed(pod, labels)
  }
  removeNode(name: string): void {
    const state = this.#nodes.get(name)
    if (!state) return
    for (const pod of state.pods.values()) this.counts.removed(pod, state.labels)
    state.node = undefined
    state.labels = {}
    for (const pod of state.pods.values()) this.counts.placed(pod, state.labels)
    this.#dropEmpty(state)
    this.#forgetShape()
  }
  /** The Pod is on the node, wherever it was before. */
  place(pod: PodFacts, nodeName: string): void {
    const before = this.#places.get(pod.key)
    if (before?.name === nodeName && before.pods.get(pod.key)?.pod === pod.pod) return
    this.remove(pod.key)
    const state = this.#stateOf(nodeName)
    state.add(pod)
    this.#places.set(pod.key, state)
    this.counts.placed(pod, state.labels)
  }
  remove(key: string): boolean {
    const state = this.#places.get(key)
    const pod = state?.pods.get(key)
    if (!state || !pod) return false
    state.remove(pod)
    this.#places.delete(key)
    this.counts.removed(pod, state.labels)
    this.#dropEmpty(state)
    return true
  }

  #stateOf(name: string): NodeState {
    const known = this.#nodes.get(name)
    if (known) return known
    const state = new NodeState(name)
    this.#nodes.set(name, state)
    return state
  }
  #dropEmpty(state: NodeState): void {
    if (!state.node && state.pods.size === 0) this.#nodes.delete(state.name)
  }
  #forgetShape(): void {
    this.#known = undefined
    this.#domains.clear()
  }
  *#everyPod(): Iterable<readonly [PodFacts, Readonly<Record<string, string>>]> {
    for (const { pods, labels } of this.#nodes.values()) for (const pod of pods.values()) yield [pod, labels]
  }
}
