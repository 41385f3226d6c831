import type { ApiObject } from 'orch/sdk'
import type { Pod, PodSpec } from 'orch/sdk/core'
import { type LabelOperator, labelMatcher, parseQuantity } from 'orch/sdk/validation'
import { containersOf } from '../amounts/pod-resources.js'
import type { ScopedResourceSelectorRequirement } from '../resource-quotas/schema.js'

/** Is a Pod within a scope of a quota? */
export function isPodInScope(
  object: ApiObject,
  { scopeName, operator, values = [] }: ScopedResourceSelectorRequirement,
): boolean {
  const { spec } = object as Pod
  switch (scopeName) {
    case 'Terminating':
      return isBounded(spec)
    case 'NotTerminating':
      return !isBounded(spec)
    case 'BestEffort':
      return isBestEffort(spec)
    case 'NotBestEffort':
      return !isBestEffort(spec)
    case 'CrossNamespacePodAffinity':
      return looksIntoNamespaces(spec)
    case 'PriorityClass': {
      const { priorityClassName } = spec
      if (operator === 'Exists') return Boolean(priorityClassName)
      const labels: Record<string, string> = priorityClassName ? { [scopeName]: priorityClassName } : {}
      return labelMatcher([{ key: scopeName, operator: operator as LabelOperator, values }])(labels)
    }
    default:
      return false
  }
}

/** It ends by itself after a while. */
const isBounded = ({ activeDeadlineSeconds }: PodSpec) =>
  activeDeadlineSeconds !== undefined && activeDeadlineSeconds !== null && activeDeadlineSeconds >= 0

/** None of its containers asks for, or is limited in, CPU or memory. */
const isBestEffort = (spec: PodSpec): boolean =>
  containersOf(spec).every(({ resources }) =>
    [resources?.requests, resources?.limits].every(list =>
      ['cpu', 'memory'].every(name => parseQuantity(list?.[name] ?? '0').unscaled <= 0n),
    ),
  )

/** It wants to be near to, or far from, Pods of other namespaces. */
function looksIntoNamespaces({ affinity }: PodSpec): boolean {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].some(one =>
    [
      ...(one?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...(one?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
    ].some(term => (term.namespaces?.length ?? 0) > 0 || Boolean(term.namespaceSelector)),
  )
}
