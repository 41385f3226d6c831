import type { LabelSelector } from 'orch/sdk'
import type { PodAffinityTerm } from 'orch/sdk/core'
import { labelSelectorMatcher } from 'orch/sdk/validation'

type Labels = Readonly<Record<string, string>>

/** The part of a Pod that terms match. */
export interface PlacedPod {
  readonly namespace: string
  readonly labels: Labels
}

/** The selected Pods and the topology key. Terms with the same id are equal. */
export interface TopologyTerm {
  readonly id: string
  readonly topologyKey: string
  matches(pod: PlacedPod): boolean
}

/** Compiled terms that are cached: Pods of one owner all have the same. */
const maxCompiledTerms = 10_000

/** Compiles the terms of Pods. */
export class TopologyTerms {
  readonly #known = new Map<string, TopologyTerm>()
  readonly #labelsOfNamespace: (namespace: string) => Labels

  constructor(labelsOfNamespace: (namespace: string) => Labels) {
    this.#labelsOfNamespace = labelsOfNamespace
  }

  /** The term of an affinity or anti-affinity of a Pod in this namespace. */
  ofAffinity(term: PodAffinityTerm, ownNamespace: string): TopologyTerm {
    const { namespaces = [], namespaceSelector, labelSelector, topologyKey } = term
    const named = namespaces.length === 0 && !namespaceSelector ? [ownNamespace] : [...namespaces].sort()
    const id = JSON.stringify([named, namespaceSelector, labelSelector, topologyKey])
    return this.#remember(id, () => {
      const isLabelled = matcherOf(labelSelector)
      const isInSelected = namespaceSelector ? matcherOf(namespaceSelector) : () => false
      const isMeant = (namespace: string) =>
        named.includes(namespace) || isInSelected(this.#labelsOfNamespace(namespace))
      return { id, topologyKey, matches: pod => isLabelled(pod.labels) && isMeant(pod.namespace) }
    })
  }
  /** Pods of a namespace with these labels. */
  ofSelector(labelSelector: LabelSelector | undefined, topologyKey: string, namespace: string): TopologyTerm {
    return this.ofAffinity({ labelSelector, topologyKey }, namespace)
  }

  #remember(id: string, compile: () => TopologyTerm): TopologyTerm {
    const known = this.#known.get(id)
    if (known) return known
    if (this.#known.size >= maxCompiledTerms) this.#known.clear()
    const term = compile()
    this.#known.set(id, term)
    return term
  }
}

/** An invalid selector selects nothing. */
function matcherOf(selector: LabelSelector | undefined): (labels: Labels) => boolean {
  try {
    return labelSelectorMatcher(selector)
  } catch {
    return () => false
  }
}
