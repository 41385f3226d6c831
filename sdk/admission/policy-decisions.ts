import { serviceToken } from '../plugin/service-token.js'

/** What a policy said about one request, for one binding and its parameters. */
export interface PolicyDecision {
  readonly policy: string
  readonly binding: string
  readonly phase: 'mutate' | 'validate'
  /**
   * `admitted`: everything that it demands holds. `denied`: something does not, and `actions` say what follows. `failed`: it could
   * not be evaluated. `changed`, `unchanged`: what a mutating one did. `skipped`: its conditions do not hold.
   */
  readonly outcome: 'admitted' | 'denied' | 'failed' | 'changed' | 'unchanged' | 'skipped'
  /** Why, for what was denied or failed. */
  readonly messages: readonly string[]
  /** What follows from a denial: `Deny`, `Warn`, `Audit`; none of them when a failure is ignored. */
  readonly actions: readonly string[]
}

/** Tells what policies decide. The plugin `policies` offers it. */
export interface PolicyDecisions {
  /** Calls back for every policy that a request concerns, in order. Returns the way to stop. */
  observe(listener: (decision: PolicyDecision) => void): () => void
}
/** Needed by who wants to know what policies decide. */
export const policyDecisions = serviceToken<PolicyDecisions>('policyDecisions')
