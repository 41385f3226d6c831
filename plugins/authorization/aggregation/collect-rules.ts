import { isDeepStrictEqual } from 'node:util'
import { type ApiObject, labelSelectorMatcher } from 'orch/sdk'
import type { ClusterRole } from '../cluster-roles/schema.js'
import type { PolicyRule } from '../rules/schema.js'

export type StoredClusterRole = ApiObject & ClusterRole

/** The rules of every other role that one of the selectors picks, in the order of the roles' names, each rule once. */
export function collectRules(target: StoredClusterRole, all: readonly StoredClusterRole[]): PolicyRule[] {
  const matchers = (target.aggregationRule?.clusterRoleSelectors ?? []).map(labelSelectorMatcher)
  const picked = all
    .filter(role => role.metadata.name !== target.metadata.name)
    .filter(role => matchers.some(matches => matches(role.metadata.labels)))
    .sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1))
  const rules: PolicyRule[] = []
  for (const rule of picked.flatMap(role => role.rules ?? []))
    if (!rules.some(known => isDeepStrictEqual(known, rule))) rules.push(rule)
  return rules
}
