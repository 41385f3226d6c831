import type { PolicyDecision, PolicyDecisions } from 'orch/sdk'

/** Notifies listeners of the decisions of policies. */
export class DecisionListeners implements PolicyDecisions {
  readonly #listeners = new Set<(decision: PolicyDecision) => void>()

  observe(listener: (decision: PolicyDecision) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  /** `make` is called only if there are listeners, because building a decision has a cost. */
  notify(make: () => PolicyDecision): void {
    if (this.#listeners.size === 0) return
    const decision = make()
    for (const listener of this.#listeners) listener(decision)
  }
}
