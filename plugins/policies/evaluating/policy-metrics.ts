import type { Counter, Histogram, Metrics } from 'orch/sdk'

export type EnforcementAction = 'allow' | 'deny' | 'warn' | 'audit'

/** Counts and times the checks of policies, by outcome. */
export class PolicyMetrics {
  readonly #checks: Counter
  readonly #latency: Histogram

  constructor(metrics: Metrics, kind: 'validating' | 'mutating') {
    const labels = ['policy', 'policy_binding', 'error_type', 'enforcement_action']
    const subsystem = `apiserver_${kind}_admission_policy`
    this.#checks = metrics.counter(`${subsystem}_check_total`, `Checks of ${kind} policies.`, labels)
    this.#latency = metrics.histogram(
      `${subsystem}_check_duration_seconds`,
      `Time spent in checks of ${kind} policies.`,
      labels,
      [0.000001, 0.00001, 0.0001, 0.001, 0.01, 0.1, 1],
    )
  }
  observe(policy: string, binding: string, action: EnforcementAction, isFailed: boolean, seconds: number): void {
    const labels = {
      policy,
      policy_binding: binding,
      error_type: isFailed ? 'invalid_error' : 'no_error',
      enforcement_action: action,
    }
    this.#checks.inc(labels)
    this.#latency.observe(seconds, labels)
  }
}
