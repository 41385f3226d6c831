import type { ApiObject } from 'orch/sdk'
import type { Pod, PodSpec } from 'orch/sdk/core'
import { type LabelOperator, labelMatcher, parseQuantity } from 'orch/sdk/validation'
import { containersOf } from '../amounts/pod-resources.js'
import type { ScopedResourceSelectorRequirement } from '../resource-quotas/schema.js'

/** Whether a Pod is in a scope of a quota. */
export function isPodInScope(
  object: ApiObject,
  { scopeName, operator, values = [] }: ScopedResourceSelectorRequirement,
): boolean {
  const pod = object as Pod
  const { spec } = pod
  switch (scopeName) {
    case 'Terminating':
      return hasDeadline(spec)
    case 'NotTerminating':
      return !hasDeadline(spec)
    case 'BestEffort':
      return isBestEffort(pod)
    case 'NotBestEffort':
      return !isBestEffort(pod)
    case 'CrossNamespacePodAffinity':
      return hasCrossNamespaceAffinity(spec)
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

/** Whether the run time of the Pod is limited. */
export const hasDeadline = ({ activeDeadlineSeconds }: PodSpec) =>
  activeDeadlineSeconds !== undefined && activeDeadlineSeconds !== null && activeDeadlineSeconds >= 0

/** The recorded class of service counts; of a Pod without one, requests and limits for CPU or memory. */
function isBestEffort({ spec, status }: Pod): boolean {
  if (status?.qosClass) return status.qosClass === 'BestEffort'
  const all = spec.resources ? [spec.resources] : containersOf(spec).map(({ resources }) => resources)
  return all.every(resources =>
    [resources?.requests, resources?.limits].every(list =>
      ['cpu', 'memory'].every(name => parseQuantity(list?.[name] ?? '0').unscaled <= 0n),
    ),
  )
}

/** Whether an affinity or anti-affinity term refers to Pods of other namespaces. */
function hasCrossNamespaceAffinity({ affinity }: PodSpec): boolean {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].some(one =>
    [
      ...(one?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...(one?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
    ].some(term => (term.namespaces?.length ?? 0) > 0 || Boolean(term.namespaceSelector)),
  )
}
