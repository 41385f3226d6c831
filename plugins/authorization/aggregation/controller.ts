import type { ApiObject } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import { defineControlLoop } from 'orch/sdk/controllers'
import { labelSelectorMatcher } from 'orch/sdk/validation'
import type { ClusterRole } from '../cluster-roles/schema.js'
import type { AuthorizationNames } from '../names.js'
import type { PolicyRule } from '../rules/schema.js'

type StoredClusterRole = ApiObject & ClusterRole

/** The rules of every other role that a selector matches: selector by selector, roles by name, each rule once. */
function collectRules(target: StoredClusterRole, all: readonly StoredClusterRole[]): PolicyRule[] {
  const others = all
    .filter(role => role.metadata.name !== target.metadata.name)
    .sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1))
  const rules = new Map<string, PolicyRule>()
  for (const selector of target.aggregationRule?.clusterRoleSelectors ?? []) {
    const isSelected = labelSelectorMatcher(selector)
    for (const role of others)
      if (isSelected(role.metadata.labels)) for (const rule of role.rules ?? []) rules.set(canonical(rule), rule)
  }
  return [...rules.values()]
}

/** Equal rules have the same text. */
const canonical = ({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string =>
  JSON.stringify([verbs, apiGroups ?? [], resources ?? [], resourceNames ?? [], nonResourceURLs ?? []])

const name = 'clusterrole-aggregation'
/** A change of any role may affect every aggregated one, so they share one key. */
const allRolesKey = 'aggregated roles'

/** Keeps the rules of aggregated cluster roles equal to the rules of the roles they select. */
export const clusterRoleAggregation = ({ clusterRoles }: AuthorizationNames) =>
  defineControlLoop({
    name,
    account: 'clusterrole-aggregation-controller',
    rules: [
      {
        verbs: ['escalate', 'get', 'list', 'patch', 'update', 'watch'],
        apiGroups: [clusterRoles.group],
        resources: ['clusterroles'],
      },
    ],
    sources: [{ resource: clusterRoles, keys: () => [allRolesKey] }],
    async reconcile(_key, caches, given) {
      const all = [...caches.of<StoredClusterRole>(clusterRoles).list()]
      const client = given.client.resource<StoredClusterRole>(clusterRoles)
      const apiVersion = `${clusterRoles.group}/${clusterRoles.version}`
      const updates: Promise<unknown>[] = []
      for (const [index, role] of all.entries()) {
        if (!role.aggregationRule) continue
        const rules = collectRules(role, all)
        if (areSameRules(rules, role.rules ?? [])) continue
        // The next role collects the new rules of this one: two that collect each other would swap their rules for
        // ever. Without any, rules that others wrote may stay; an event follows if they do not.
        if (rules.length > 0) all[index] = { ...role, rules }
        updates.push(writeRules(client, role, rules, apiVersion))
      }
      const failed = (await Promise.allSettled(updates)).find(result => result.status === 'rejected')
      // Successful updates stay; a retry handles the others.
      if (failed?.status === 'rejected') throw failed.reason
    },
  })

/**
 * Rules are applied server-side, so that this loop owns them. Like Kubernetes, it does not say that there are none: if it no longer
 * collects any, those that it wrote are removed, and those that somebody else wrote stay.
 */
function writeRules(
  client: ResourceClient<StoredClusterRole>,
  role: StoredClusterRole,
  rules: PolicyRule[],
  apiVersion: string,
) {
  const metadata = { name: role.metadata.name ?? '' }
  const collected = rules.length > 0 ? { rules } : {}
  return client.apply(
    { apiVersion, kind: 'ClusterRole', metadata, ...collected },
    { fieldManager: `${name}-controller`, force: true },
  )
}

const areSameRules = (one: readonly PolicyRule[], other: readonly PolicyRule[]): boolean =>
  one.map(canonical).join() === other.map(canonical).join()
