import { defineController, type ResourceClient, services, startControlLoop } from 'orch/sdk'
import type { AuthorizationNames } from '../names.js'
import type { PolicyRule } from '../rules/schema.js'
import { canonical, collectRules, type StoredClusterRole } from './collect-rules.js'

const name = 'clusterrole-aggregation'
/** A change of any role may matter to every aggregated one, so there is one thing to do: look at all of them. */
const everything = 'aggregated roles'

/** Keeps the rules of aggregated cluster roles equal to the rules of the roles they select. */
export const clusterRoleAggregation = ({ clusterRoles }: AuthorizationNames) =>
  defineController({
    name,
    needs: { client: services.client, clock: services.clock, logger: services.logger, metrics: services.metrics },
    start: given =>
      startControlLoop({
        ...given,
        name,
        sources: [{ resource: clusterRoles, keys: () => [everything] }],
        async reconcile(_key, caches) {
          const all = caches.of<StoredClusterRole>(clusterRoles).list()
          const client = given.client.resource<StoredClusterRole>(clusterRoles)
          const apiVersion = `${clusterRoles.group}/${clusterRoles.version}`
          const updates = all
            .filter(role => role.aggregationRule)
            .map(role => ({ role, rules: collectRules(role, all) }))
            .filter(({ role, rules }) => !isSame(rules, role.rules ?? []))
            .map(({ role, rules }) => writeRules(client, role, rules, apiVersion))
          const failed = (await Promise.allSettled(updates)).find(result => result.status === 'rejected')
          // Those that succeeded stay done; the loop comes back for the others.
          if (failed?.status === 'rejected') throw failed.reason
        },
      }),
  })

/** Rules are applied, so that they are known to be this loop's; none at all cannot be applied over those of somebody else. */
function writeRules(
  client: ResourceClient<StoredClusterRole>,
  role: StoredClusterRole,
  rules: PolicyRule[],
  apiVersion: string,
) {
  const fieldManager = `${name}-controller`
  if (rules.length === 0) return client.update({ ...role, rules }, { fieldManager })
  const metadata = { name: role.metadata.name ?? '' }
  return client.apply({ apiVersion, kind: 'ClusterRole', metadata, rules }, { fieldManager, force: true })
}

const isSame = (one: readonly PolicyRule[], other: readonly PolicyRule[]): boolean =>
  one.map(canonical).join() === other.map(canonical).join()
