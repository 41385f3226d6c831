import type { ControllerRule, DeclaredController, Logger, Vendor } from 'orch/sdk'
import { serviceAccountUser } from 'orch/sdk/identity'
import type { PolicyRule } from '../rules/schema.js'
import { bindingBuilder } from './default-bindings.js'
import type { DefaultPolicy } from './default-policy.js'
import type { DefaultNamespacePolicy, DefaultRole } from './default-role.js'

const roleOf = (account: string) => `system:controller:${account}`

/** The default policy with the roles that control loops declare, each bound to the service account of its loop. */
export function withDeclaredRoles(
  policy: DefaultPolicy,
  controllers: readonly DeclaredController[],
  vendor: Vendor,
): DefaultPolicy {
  const { bind, serviceAccount } = bindingBuilder(vendor)
  const accounts = [...new Set(controllers.filter(({ rules }) => rules.length > 0).map(({ account }) => account))]
  const rulesOf = (account: string, namespace: string | undefined) =>
    controllers
      .filter(controller => controller.account === account)
      .flatMap(({ rules }) =>
        rules.filter(rule => rule.namespace === namespace && vendor.level.includes(rule)).map(policyRule),
      )
  const rolesIn = (namespace: string | undefined, known: readonly DefaultRole[]) => {
    const declared = accounts
      .map(account => ({ account, name: roleOf(account), rules: withoutRepeats(rulesOf(account, namespace)) }))
      .filter(({ rules }) => rules.length > 0)
    const isKnown = (name: string) => known.some(role => role.name === name)
    return {
      roles: [
        ...known.map(role => {
          const more = declared.find(({ name }) => name === role.name)
          return more ? { ...role, rules: withoutRepeats([...role.rules, ...more.rules]) } : role
        }),
        ...declared.filter(({ name }) => !isKnown(name)).map(({ name, rules }) => ({ name, rules })),
      ],
      bindings: declared
        .filter(({ name }) => !isKnown(name))
        .map(({ name, account }) =>
          bind(name, namespace === undefined ? 'ClusterRole' : 'Role', name, [serviceAccount(account)]),
        ),
    }
  }
  const clusterWide = rolesIn(undefined, policy.clusterRoles)
  const named = controllers.flatMap(({ rules }) => rules.flatMap(({ namespace }) => namespace ?? []))
  const allNamespaces = [...new Set([...policy.namespaces.map(({ namespace }) => namespace), ...named])]
  return {
    clusterRoles: clusterWide.roles,
    clusterRoleBindings: [...policy.clusterRoleBindings, ...clusterWide.bindings],
    namespaces: allNamespaces.map((namespace): DefaultNamespacePolicy => {
      const known = policy.namespaces.find(one => one.namespace === namespace)
      const { roles, bindings } = rolesIn(namespace, known?.roles ?? [])
      return { namespace, roles, bindings: [...(known?.bindings ?? []), ...bindings] }
    }),
  }
}

const policyRule = ({ namespace: _, since: __, until: ___, ...rule }: ControllerRule): PolicyRule =>
  structuredClone(rule) as PolicyRule

/** Loops that share an account may declare the same rule. */
function withoutRepeats(rules: readonly PolicyRule[]): PolicyRule[] {
  const seen = new Set<string>()
  return rules.filter(rule => seen.size < seen.add(JSON.stringify(Object.entries(rule).sort())).size)
}

/** Every request of a loop without a role would be refused: warn at start. */
export function warnOfMissingRoles(
  { clusterRoles, namespaces }: DefaultPolicy,
  controllers: readonly DeclaredController[],
  vendor: Vendor,
  logger: Logger,
): void {
  const known = new Set([...clusterRoles, ...namespaces.flatMap(({ roles }) => roles)].map(({ name }) => name))
  for (const { plugin, name, account } of controllers.filter(({ usesClient }) => usesClient)) {
    if (known.has(roleOf(account))) continue
    const user = serviceAccountUser(vendor.profile.namespaces.system, account).name
    const remedy = `add \`rules\` to its definition, or bind a role to ${user}`
    logger.warn(`control loop "${name}" of plugin "${plugin}" has no role: its requests will be refused`, { remedy })
  }
}
