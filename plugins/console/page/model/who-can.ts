import { type Anything, requestJson } from './api.js'
import { settings } from './session.js'

/** The subjects that stored roles and bindings permit something. */

export interface Holder {
  readonly subject: string
  readonly verbs: readonly string[]
  /** The role, and the binding that grants it. */
  readonly role: string
  readonly binding: string
}

interface Target {
  readonly group: string
  readonly resource: string
  readonly namespace: string
  readonly name: string
}

export async function whoCan(target: Target): Promise<Holder[]> {
  const root = `/apis/${settings.value.groups.roles}/v1`
  const list = async (path: string): Promise<Anything[]> => (await requestJson(`${root}${path}`)).items
  const within = target.namespace && `/namespaces/${encodeURIComponent(target.namespace)}`
  const [clusterRoles, clusterBindings, roles, bindings] = await Promise.all([
    list('/clusterroles'),
    list('/clusterrolebindings'),
    within ? list(`${within}/roles`) : [],
    within ? list(`${within}/rolebindings`) : [],
  ])
  const verbsOf = (role: Anything): string[] => [
    ...new Set(
      ((role?.rules ?? []) as Anything[]).filter(rule => covers(rule, target)).flatMap(rule => rule.verbs as string[]),
    ),
  ]
  return [...clusterBindings, ...bindings].flatMap((binding: Anything) => {
    const { kind, name } = binding.roleRef
    const role = (kind === 'ClusterRole' ? clusterRoles : roles).find((each: Anything) => each.metadata.name === name)
    const verbs = verbsOf(role)
    if (verbs.length === 0) return []
    return ((binding.subjects ?? []) as Anything[]).map(subject => ({
      subject: `${subject.kind} ${subject.namespace ? `${subject.namespace}/` : ''}${subject.name}`,
      verbs,
      role: `${kind} ${name}`,
      binding: `${binding.metadata.namespace ? 'RoleBinding' : 'ClusterRoleBinding'} ${binding.metadata.name}`,
    }))
  })
}

function covers(rule: Anything, { group, resource, name }: Target): boolean {
  const has = (list: readonly string[] | undefined, value: string) =>
    list?.some(each => each === '*' || each === value) ?? false
  return (
    has(rule.apiGroups, group) &&
    has(rule.resources, resource) &&
    (!rule.resourceNames?.length || rule.resourceNames.includes(name))
  )
}
