import type { PodFacts } from './pod-facts.js'
import type { TopologyTerm } from './topology-terms.js'

type Labels = Readonly<Record<string, string>>

/** The number of matching Pods by the value of the topology label on their nodes. */
export interface Counts {
  readonly term: TopologyTerm
  readonly byValue: ReadonlyMap<string, number>
  readonly total: number
}
class Count implements Counts {
  readonly byValue = new Map<string, number>()
  total = 0
  constructor(readonly term: TopologyTerm) {}
  add(labels: Labels, difference: number): void {
    const value = labels[this.term.topologyKey]
    if (value === undefined) return
    this.total += difference
    const count = (this.byValue.get(value) ?? 0) + difference
    if (count > 0) this.byValue.set(value, count)
    else this.byValue.delete(value)
  }
}

/** Terms whose counts are kept up to date; the least recently used are dropped, and counted again on use. */
const maxCounts = 1000

/** Counts of Pods by topology domain, updated with every Pod that is assigned or removed. */
export class TopologyCounts {
  readonly #counts = new Map<string, Count>()
  /** Pods with anti-affinity, by term. */
  readonly #avoiders = new Map<string, Count>()
  readonly #all: () => Iterable<readonly [PodFacts, Labels]>

  /** `all` returns every Pod on a node, with the labels of that node. */
  constructor(all: () => Iterable<readonly [PodFacts, Labels]>) {
    this.#all = all
  }

  /** The counts of the Pods that the term selects. */
  of(term: TopologyTerm): Counts {
    const known = this.#counts.get(term.id)
    const count = known ?? this.#count(term)
    this.#counts.delete(term.id)
    this.#counts.set(term.id, count)
    if (this.#counts.size > maxCounts) this.#counts.delete(this.#counts.keys().next().value ?? '')
    return count
  }
  /** The counts of existing Pods whose anti-affinity matches this Pod. */
  avoiding(pod: PodFacts): Counts[] {
    return [...this.#avoiders.values()].filter(({ term }) => term.matches(pod))
  }
  placed(pod: PodFacts, node: Labels): void {
    this.#change(pod, node, 1)
  }
  removed(pod: PodFacts, node: Labels): void {
    this.#change(pod, node, -1)
  }
  /** Labels of namespaces changed: the Pods that a term selects may have changed as well. */
  reset(): void {
    this.#counts.clear()
  }

  #change(pod: PodFacts, node: Labels, difference: number): void {
    for (const count of this.#counts.values()) if (count.term.matches(pod)) count.add(node, difference)
    for (const term of pod.away) {
      const avoiders = this.#avoiders.get(term.id) ?? new Count(term)
      avoiders.add(node, difference)
      if (avoiders.total > 0) this.#avoiders.set(term.id, avoiders)
      else this.#avoiders.delete(term.id)
    }
  }
  #count(term: TopologyTerm): Count {
    const count = new Count(term)
    for (const [pod, labels] of this.#all()) if (term.matches(pod)) count.add(labels, 1)
    return count
  }
}
