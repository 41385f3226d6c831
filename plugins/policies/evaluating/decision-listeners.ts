import type { PolicyDecision, PolicyDecisions } from 'orch/sdk'

/** Those who want to know what policies decide. */
export class DecisionListeners implements PolicyDecisions {
  readonly #listeners = new Set<(decision: PolicyDecision) => void>()

  observe(listener: (decision: PolicyDecision) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  /** What is told costs something to put together: it is made only if somebody listens. */
  tell(make: () => PolicyDecision): void {
    if (this.#listeners.size === 0) return
    const decision = make()
    for (const listener of this.#listeners) listener(decision)
  }
}
