import { serviceToken } from '../plugin/service-token.js'

/** The decision of a policy about one request, for one binding and its parameters. */
export interface PolicyDecision {
  readonly policy: string
  readonly binding: string
  readonly phase: 'mutate' | 'validate'
  /**
   * `admitted`: all validations hold. `denied`: one does not, with the consequences in `actions`. `failed`: it could not be
   * evaluated. `changed`, `unchanged`: the result of a mutating policy. `skipped`: its match conditions do not hold.
   */
  readonly outcome: 'admitted' | 'denied' | 'failed' | 'changed' | 'unchanged' | 'skipped'
  /** The reasons of a denial or failure. */
  readonly messages: readonly string[]
  /** The consequences of a denial: `Deny`, `Warn`, `Audit`; none when a failure is ignored. */
  readonly actions: readonly string[]
}

/** Reports the decisions of policies. The plugin `policies` provides it. */
export interface PolicyDecisions {
  /** Calls the listener for every policy that matches a request, in order. Returns a function that stops it. */
  observe(listener: (decision: PolicyDecision) => void): () => void
}
/** The token of `PolicyDecisions`. */
export const policyDecisions = serviceToken<PolicyDecisions>('policyDecisions')
