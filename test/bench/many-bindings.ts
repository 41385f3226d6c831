import { Connection, type Target } from './connection.js'

/** The number of roles and bindings. */
export const roleCount = 1000
export const bindingCount = 10_000
const connections = 16
/** Bindings are spread over this many namespaces; every tenth binding is cluster-wide. */
const namespaceCount = 50
const userCount = 2500
const groupCount = 600

const group = 'rbac.authorization.k8s.io'
const rbac = `/apis/${group}/v1`
const namespaceOf = (n: number) => `many-${n % namespaceCount}`

interface Creation {
  readonly path: string
  readonly body: object
}

const namespace = (n: number): Creation => ({
  path: '/api/v1/namespaces',
  body: { metadata: { name: namespaceOf(n) } },
})
/** Typical roles: a few rules, mostly for the same few types. */
const role = (n: number): Creation => ({
  path: `${rbac}/clusterroles`,
  body: {
    metadata: { name: `role-${n}` },
    rules: [
      { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods', 'services', `things-${n % 100}`] },
      { verbs: ['*'], apiGroups: ['apps', `team-${n}.example.com`], resources: ['deployments', 'widgets'] },
      { verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: [`secret-${n}`] },
    ],
  },
})
const subject = (n: number) =>
  n % 2 === 0
    ? { kind: 'User', apiGroup: group, name: `user-${n % userCount}` }
    : { kind: 'Group', apiGroup: group, name: `group-${n % groupCount}` }
const binding = (n: number): Creation => {
  const isClusterWide = n % 10 === 0
  return {
    path: isClusterWide ? `${rbac}/clusterrolebindings` : `${rbac}/namespaces/${namespaceOf(n)}/rolebindings`,
    body: {
      metadata: { name: `binding-${n}` },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: `role-${n % roleCount}` },
      subjects: [subject(n), subject(n + 7)],
    },
  }
}

/** The permissions of the measured user: its own role, bound to one of its groups, after the other bindings. */
const rightsOf = (user: string): Creation[] => [
  {
    path: `${rbac}/clusterroles`,
    body: {
      metadata: { name: user },
      rules: [{ verbs: ['*'], apiGroups: [''], resources: ['configmaps', 'namespaces'] }],
    },
  },
  {
    path: `${rbac}/clusterrolebindings`,
    body: {
      metadata: { name: user },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: user },
      subjects: [{ kind: 'Group', apiGroup: group, name: `${user}-team` }],
    },
  },
]

/** Groups of the measured user: two that 17 cluster-wide bindings name each, and the one with its permissions. */
export const groupsOf = (user: string): string[] => ['group-7', 'group-17', `${user}-team`]

const numbered = (count: number, make: (n: number) => Creation) => Array.from({ length: count }, (_, n) => make(n))

/** Fills a server with roles and bindings, and lets `user` work with ConfigMaps. */
export async function createManyBindings(target: Target, user: string): Promise<void> {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(target)))
  try {
    for (const stage of [
      numbered(namespaceCount, namespace),
      numbered(roleCount, role),
      [...numbered(bindingCount, binding), ...rightsOf(user)],
    ])
      await Promise.all(open.map((connection, lane) => createAll(connection, stage, lane)))
  } finally {
    for (const connection of open) connection.close()
  }
}

/** Each connection creates every 16th object. */
async function createAll(connection: Connection, stage: readonly Creation[], lane: number): Promise<void> {
  for (let n = lane; n < stage.length; n += connections) {
    const { path, body } = stage[n]!
    const { status } = await connection.request('POST', path, { body: JSON.stringify(body) })
    if (status !== 201) throw new Error(`POST ${path}: ${status}`)
  }
}
