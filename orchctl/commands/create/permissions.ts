import type { FlagDefinition } from '../../arguments/flags.js'
import type { Call } from '../../command.js'
import { kindNamed } from '../../objects/targets.js'
import { UsageError } from '../../usage-error.js'
import { createCommand, pairsOf, vendorVersion } from './create-objects.js'

const ruleFlags: readonly FlagDefinition[] = [
  { name: 'verb', kind: 'list', value: 'VERB,...', description: 'what is allowed: get,list,watch' },
  { name: 'resource', kind: 'list', value: 'TYPE,...', description: 'on which types: pods,deployments.apps,pods/log' },
  { name: 'resource-name', kind: 'list', value: 'NAME', description: 'only on objects of these names' },
]

export const createRole = createCommand({
  name: 'create role',
  summary: 'Create a role: what is allowed in one namespace.',
  usage: 'NAME --verb VERB,... --resource TYPE,... [flags]',
  examples: [['Read Pods and their logs', 'create role viewer --verb=get,list,watch --resource=pods,pods/log']],
  flags: ruleFlags,
  async build(call) {
    return { apiVersion: await vendorVersion(call, 'rbac.authorization'), kind: 'Role', rules: await rulesOf(call) }
  },
})

export const createClusterRole = createCommand({
  name: 'create clusterrole',
  summary: 'Create a cluster role: what is allowed everywhere it is bound.',
  usage:
    'NAME (--verb VERB,... (--resource TYPE,... | --non-resource-url PATH,...) | --aggregation-rule LABELS) [flags]',
  examples: [
    ['Read nodes', 'create clusterrole nodes --verb=get,list --resource=nodes'],
    ['A path', 'create clusterrole health --verb=get --non-resource-url=/healthz'],
    [
      'Everything that roles with this label allow',
      'create clusterrole all --aggregation-rule=example.com/part-of=all',
    ],
  ],
  flags: [
    ...ruleFlags,
    { name: 'non-resource-url', kind: 'list', value: 'PATH,...', description: 'on which paths: /metrics, /logs/*' },
    {
      name: 'aggregation-rule',
      kind: 'list',
      value: 'KEY=VALUE',
      description: 'include the rules of roles with this label',
    },
  ],
  async build(call) {
    const { flags } = call
    const role = { apiVersion: await vendorVersion(call, 'rbac.authorization'), kind: 'ClusterRole' }
    const labels = flags.items('aggregation-rule')
    if (labels.length === 0) return { ...role, rules: await rulesOf(call) }
    if (flags.has('verb') || flags.has('resource') || flags.has('non-resource-url'))
      throw new UsageError('--aggregation-rule cannot be combined with flags that specify rules')
    const matchLabels = pairsOf(labels, 'aggregation-rule')
    return { ...role, aggregationRule: { clusterRoleSelectors: [{ matchLabels }] } }
  },
})

/** One rule for each API group, and one for paths. */
async function rulesOf(call: Call): Promise<object[]> {
  const { flags } = call
  const verbs = flags.items('verb').includes('*') ? ['*'] : [...new Set(flags.items('verb'))]
  if (verbs.length === 0) throw new UsageError('--verb is required: --verb=get,list,watch')
  const paths = flags.items('non-resource-url')
  const types = flags.items('resource')
  if (types.length === 0 && paths.length === 0) throw new UsageError('--resource is required: --resource=pods')
  const kinds = await (await call.session()).kinds()
  const groups = new Map<string, Set<string>>()
  for (const type of types) {
    const [name = '', ...parts] = type.split('/')
    const { group, resource } = name === '*' ? { group: '*', resource: '*' } : kindNamed(name, kinds)
    groups.set(group, (groups.get(group) ?? new Set()).add([resource, ...parts].join('/')))
  }
  const names = flags.items('resource-name')
  const resourceNames = names.length > 0 ? { resourceNames: names } : {}
  return [
    ...[...groups].map(([group, resources]) => ({
      apiGroups: [group],
      resources: [...resources],
      ...resourceNames,
      verbs,
    })),
    ...(paths.length > 0 ? [{ nonResourceURLs: paths, verbs }] : []),
  ]
}

const subjectFlags: readonly FlagDefinition[] = [
  { name: 'user', key: 'subject-user', kind: 'list', value: 'NAME', description: 'a user to bind' },
  { name: 'group', kind: 'list', value: 'NAME', description: 'a group to bind' },
  { name: 'serviceaccount', kind: 'list', value: 'NAMESPACE:NAME', description: 'a service account to bind' },
]
const clusterRoleFlag: FlagDefinition = {
  name: 'clusterrole',
  kind: 'text',
  value: 'NAME',
  description: 'the cluster role',
}

async function bindingOf(call: Call, kind: string) {
  const { flags } = call
  const apiVersion = await vendorVersion(call, 'rbac.authorization')
  const [apiGroup] = apiVersion.split('/')
  const [role, clusterRole] = [flags.text('role'), flags.text('clusterrole')]
  if ((role === undefined) === (clusterRole === undefined))
    throw new UsageError(
      kind === 'RoleBinding' ? 'give one of --clusterrole and --role' : '--clusterrole is required: --clusterrole=view',
    )
  const roleRef = { apiGroup, kind: role === undefined ? 'ClusterRole' : 'Role', name: role ?? clusterRole }
  const named = (flag: string, subject: string) =>
    flags.items(flag).map(name => ({ apiGroup, kind: subject, name }) as object)
  const accounts = flags.items('serviceaccount').map(text => {
    const [namespace = '', name = '', ...more] = text.split(':')
    if (namespace === '' || name === '' || more.length > 0)
      throw new UsageError(`--serviceaccount needs NAMESPACE:NAME, not "${text}"`)
    return { kind: 'ServiceAccount', name, namespace }
  })
  const subjects = [...named('subject-user', 'User'), ...named('group', 'Group'), ...accounts]
  return { apiVersion, kind, roleRef, ...(subjects.length > 0 ? { subjects } : {}) }
}

export const createRoleBinding = createCommand({
  name: 'create rolebinding',
  summary: 'Bind a role to users, groups and service accounts in one namespace.',
  usage: 'NAME (--clusterrole NAME | --role NAME) [--user NAME]... [--group NAME]... [--serviceaccount NS:NAME]...',
  examples: [['One account may read', 'create rolebinding readers --clusterrole=view --serviceaccount=web:builder']],
  flags: [clusterRoleFlag, { name: 'role', kind: 'text', value: 'NAME', description: 'the role' }, ...subjectFlags],
  build: call => bindingOf(call, 'RoleBinding'),
})

export const createClusterRoleBinding = createCommand({
  name: 'create clusterrolebinding',
  summary: 'Bind a cluster role to users, groups and service accounts in the whole cluster.',
  usage: 'NAME --clusterrole NAME [--user NAME]... [--group NAME]... [--serviceaccount NS:NAME]... [flags]',
  examples: [['A group may do everything', 'create clusterrolebinding admins --clusterrole=cluster-admin --group=ops']],
  flags: [clusterRoleFlag, ...subjectFlags],
  build: call => bindingOf(call, 'ClusterRoleBinding'),
})
