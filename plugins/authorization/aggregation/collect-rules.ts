import { type ApiObject, labelSelectorMatcher } from 'orch/sdk'
import type { ClusterRole } from '../cluster-roles/schema.js'
import type { PolicyRule } from '../rules/schema.js'

export type StoredClusterRole = ApiObject & ClusterRole

/** The rules of every other role that a selector picks: selector by selector, roles by name, each rule once. */
export function collectRules(target: StoredClusterRole, all: readonly StoredClusterRole[]): PolicyRule[] {
  const others = all
    .filter(role => role.metadata.name !== target.metadata.name)
    .sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1))
  const rules = new Map<string, PolicyRule>()
  for (const selector of target.aggregationRule?.clusterRoleSelectors ?? []) {
    const isPicked = labelSelectorMatcher(selector)
    for (const role of others)
      if (isPicked(role.metadata.labels)) for (const rule of role.rules ?? []) rules.set(canonical(rule), rule)
  }
  return [...rules.values()]
}

/** The same text for rules that say the same. */
export const canonical = ({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string =>
  JSON.stringify([verbs, apiGroups ?? [], resources ?? [], resourceNames ?? [], nonResourceURLs ?? []])
