import { isStandardResource } from 'orch/sdk/core'

/** Scopes that a Pod is in or not; they take no values. */
export const podScopes: readonly string[] = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'CrossNamespacePodAffinity',
]
const allScopes: readonly string[] = [...podScopes, 'PriorityClass']
/** What Pods are counted and measured by. */
const podResources = ['pods', 'cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory']

export const isStandardScope = (scope: string): boolean => allScopes.includes(scope)

/** A name without a domain that quotas count. */
export const isQuotaResource = (name: string): boolean => isStandardResource(name) && name !== 'storage'

/** Does it make sense to count this resource only for Pods of this scope? Resources with a domain are not judged. */
export function isScopeFitting(scope: string, resource: string): boolean {
  if (!isQuotaResource(resource)) return true
  if (scope === 'BestEffort') return resource === 'pods'
  return isStandardScope(scope) ? podResources.includes(resource) : true
}
