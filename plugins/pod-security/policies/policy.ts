import type { ObjectMeta } from 'orch/sdk'
import type { PodSecurityPolicySpec, RunAsGroupStrategyOptions } from '../pod-security-policies/schema.js'

/** `RunAsAny`, `MustRunAs` or `MayRunAs` one of the ranges; users also `MustRunAsNonRoot`. */
export type IdRule = Partial<RunAsGroupStrategyOptions>
/** A missing rule allows everything. */
export type PolicySpec = Partial<PodSecurityPolicySpec>
export interface PodSecurityPolicy {
  readonly metadata?: ObjectMeta
  readonly spec?: PolicySpec
}
export const policyCollection = { group: 'policy', resource: 'podsecuritypolicies' }

/** A rule that restricts ids needs ranges. A policy with a rule that has none admits nothing. */
export function isUsable({ spec = {} }: PodSecurityPolicy): boolean {
  const isBound = (rule: IdRule | undefined) =>
    !['MustRunAs', 'MayRunAs'].includes(rule?.rule ?? '') || (rule?.ranges ?? []).length > 0
  const { seLinux } = spec
  return (
    [spec.runAsUser, spec.runAsGroup, spec.supplementalGroups, spec.fsGroup].every(isBound) &&
    (seLinux?.rule !== 'MustRunAs' || seLinux.seLinuxOptions !== undefined)
  )
}
