import {
  ApiError,
  type ApiObject,
  type Authorizer,
  type PermissionRequest,
  type StoreReader,
  type UserInfo,
} from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { LiveRoleIndex } from '../live-role-index.js'
import type { PolicyRule } from '../rules/schema.js'
import { aBinding, access, acmeNames, aRole, aUser, rule } from '../testing/acme.js'
import { MemoryCaches } from '../testing/memory-caches.js'
import { bindingWrite } from './binding-write.js'
import { clusterRoleWrite, roleWrite } from './role-write.js'

const attacks = suite('escalation')
const { rbacGroup, roles, clusterRoles, roleBindings, clusterRoleBindings } = acmeNames
const eve = aUser('eve', 'dev', 'system:authenticated')
const secrets = rule('get', 'secrets')

/** A world of roles and bindings in which eve holds `rules` in the namespace farm, or everywhere. */
function world({
  inFarm = [],
  everywhere = [],
  stored = [],
}: {
  inFarm?: PolicyRule[]
  everywhere?: PolicyRule[]
  stored?: ReturnType<typeof aRole>[]
}) {
  const caches = new MemoryCaches()
  const put = (object: ReturnType<typeof aRole>) =>
    caches.memory(object.metadata.namespace ? roles : clusterRoles).put(object as ApiObject)
  const index = new LiveRoleIndex(caches, acmeNames)
  for (const role of stored) put(role)
  put(aRole('eves', everywhere))
  put(aRole('eves', inFarm, 'farm'))
  caches.memory(clusterRoleBindings).put(aBinding('eves', 'eves', [{ kind: 'User', name: 'eve' }]) as ApiObject)
  caches.memory(roleBindings).put(aBinding('eves', 'eves', [{ kind: 'User', name: 'eve' }], 'farm') as ApiObject)
  caches.markReady()
  const authorizer = {
    allows: async (user: UserInfo, verb: string, target: Record<string, string>) =>
      index.decide({ ...access(user, verb, target.resource ?? ''), ...target }).decision === 'allow',
  } as unknown as Authorizer
  const reader = {
    get: async (collection: { group: string; resource: string }, namespace: string, name: string) =>
      caches.memory(collection).get(namespace, name),
  } as unknown as StoreReader
  return { index, authorizer, reader }
}

async function refusal(work: void | Promise<void>): Promise<ApiError | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}
const request = <T extends { metadata: { namespace?: string } }>(
  object: T,
  rest: Partial<PermissionRequest<never>> = {},
) =>
  ({
    user: eve,
    operation: 'create',
    namespace: object.metadata.namespace ?? '',
    pathName: '',
    object,
    stored: undefined,
    ...rest,
  }) as unknown as PermissionRequest<never>

const writesRole = (
  services: ReturnType<typeof world>,
  rules: PolicyRule[],
  rest: Partial<PermissionRequest<never>> = {},
) => refusal(roleWrite(roles).review(request(aRole('new', rules, 'farm'), rest), services))

const roleCases: Record<string, { held: PolicyRule[]; wanted: PolicyRule[]; refused: boolean }> = {
  'nobody writes a rule into a role that they do not hold': {
    held: [rule('get', 'pods')],
    wanted: [secrets],
    refused: true,
  },
  'anybody may write rules they hold': { held: [secrets], wanted: [secrets], refused: false },
  'a wildcard verb is more than every verb one holds': {
    held: [rule('get,list,watch,create,update,patch,delete', 'pods')],
    wanted: [rule('*', 'pods')],
    refused: true,
  },
  'a wildcard resource is more than the resources one holds': {
    held: [rule('get', 'pods,secrets')],
    wanted: [rule('get', '*')],
    refused: true,
  },
  'a wildcard group is more than the groups one holds': {
    held: [rule('get', 'pods')],
    wanted: [rule('get', 'pods', '*')],
    refused: true,
  },
  'rights on named objects do not allow granting all objects': {
    held: [rule('get', 'secrets', '', 'mine')],
    wanted: [secrets],
    refused: true,
  },
  'an empty list of names is no way around the names one holds': {
    held: [rule('get', 'secrets', '', 'mine')],
    wanted: [{ ...secrets, resourceNames: [] }],
    refused: true,
  },
  'rights on named objects can be passed on': {
    held: [rule('get', 'secrets', '', 'mine')],
    wanted: [rule('get', 'secrets', '', 'mine')],
    refused: false,
  },
  'a subresource of everything is more than one subresource': {
    held: [rule('get', 'pods/exec')],
    wanted: [rule('get', '*/exec')],
    refused: true,
  },
  'one rule of many is enough to refuse': {
    held: [rule('get', 'pods')],
    wanted: [rule('get', 'pods'), rule('get', 'pods'), secrets],
    refused: true,
  },
  'the verb escalate on the type allows everything': {
    held: [rule('escalate', 'roles', rbacGroup)],
    wanted: [rule('*', '*', '*')],
    refused: false,
  },
  'the right to all verbs on roles includes escalate': {
    held: [rule('*', 'roles', rbacGroup)],
    wanted: [secrets],
    refused: false,
  },
  'escalate on cluster roles says nothing about roles': {
    held: [rule('escalate', 'clusterroles', rbacGroup)],
    wanted: [secrets],
    refused: true,
  },
  'escalate for one name does not allow creating, when the name is not known yet': {
    held: [rule('escalate', 'roles', rbacGroup, 'new')],
    wanted: [secrets],
    refused: true,
  },
  'bind is not escalate': { held: [rule('bind', 'roles', rbacGroup)], wanted: [secrets], refused: true },
}
for (const [title, { held, wanted, refused }] of Object.entries(roleCases))
  attacks(title, async () => {
    const error = await writesRole(world({ inFarm: held }), wanted)
    assert.is(error !== undefined, refused)
    if (error !== undefined) assert.is(error.code, 403)
  })

attacks('a refusal says who tried to grant what, and names the object', async () => {
  const error = await writesRole(world({}), [rule('get,list', 'secrets')])
  assert.is(
    error?.message,
    `roles.${rbacGroup} "new" is forbidden: user "eve" (groups=["dev" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}`,
  )
  assert.equal(error?.details, { name: 'new', group: rbacGroup, kind: 'roles' })
})

attacks('escalate for one name allows updating that role', async () => {
  const services = world({ inFarm: [rule('escalate', 'roles', rbacGroup, 'new')] })
  const update = { operation: 'update', pathName: 'new', stored: aRole('new', [], 'farm') } as never
  assert.is(await writesRole(services, [secrets], update), undefined)
  assert.is((await writesRole(services, [secrets], { ...(update as object), pathName: 'old' }))?.code, 403)
})

attacks('an update is judged by all its rules, also those that were there before', async () => {
  const stored = {
    ...aRole('new', [secrets], 'farm'),
    metadata: { name: 'new', namespace: 'farm', labels: { a: 'b' } },
  }
  const error = await writesRole(world({}), [secrets], {
    operation: 'update',
    pathName: 'new',
    stored: stored as never,
  })
  assert.is(error?.code, 403)
})

attacks('an update that only releases the object for removal grants nothing', async () => {
  const stored = { ...aRole('new', [secrets], 'farm'), metadata: { name: 'new', namespace: 'farm', finalizers: ['x'] } }
  const update = { operation: 'update', pathName: 'new', stored: stored as never } as const
  assert.is(await writesRole(world({}), [secrets], update), undefined)
})

attacks('rights in one namespace cannot be granted in another', async () => {
  const services = world({ inFarm: [secrets] })
  const error = await refusal(roleWrite(roles).review(request(aRole('new', [secrets], 'town')), services))
  assert.is(error?.code, 403)
})

attacks('rights in a namespace cannot become cluster-wide', async () => {
  const services = world({ inFarm: [rule('*', '*', '*')] })
  const error = await refusal(clusterRoleWrite(clusterRoles).review(request(aRole('new', [secrets])), services))
  assert.is(error?.code, 403)
})

attacks('members of system:masters may grant anything, also without a single binding', async () => {
  const root = aUser('root', 'system:masters')
  assert.is(await writesRole(world({}), [rule('*', '*', '*')], { user: root }), undefined)
})

const aggregated = (name: string, rules: PolicyRule[] | null = null) => ({
  metadata: { name },
  rules,
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
})
const writesClusterRole = (
  services: ReturnType<typeof world>,
  object: object,
  rest: Partial<PermissionRequest<never>> = {},
) => refusal(clusterRoleWrite(clusterRoles).review(request(object as ReturnType<typeof aRole>, rest), services))

attacks('an aggregation rule takes the right to everything, even with no rule written', async () => {
  const error = await writesClusterRole(world({ everywhere: [rule('get,list,create', '*', '*')] }), aggregated('new'))
  assert.match(error?.message ?? '', 'must have cluster-admin privileges to use an aggregationRule')
  const all = [rule('*', '*', '*'), { verbs: ['*'], nonResourceURLs: ['*'] }]
  assert.is(await writesClusterRole(world({ everywhere: all }), aggregated('new')), undefined)
})

attacks('removing an aggregation rule takes the right to everything too', async () => {
  const error = await writesClusterRole(
    world({}),
    { metadata: { name: 'agg' }, rules: null },
    {
      operation: 'update',
      pathName: 'agg',
      stored: aggregated('agg') as never,
    },
  )
  assert.is(error?.code, 403)
})

attacks('a label that feeds an aggregated role needs the rights it would feed', async () => {
  const stored = { metadata: { name: 'part' }, rules: [secrets] }
  const sent = { metadata: { name: 'part', labels: { a: 'b' } }, rules: [secrets] }
  const error = await writesClusterRole(world({}), sent, {
    operation: 'update',
    pathName: 'part',
    stored: stored as never,
  })
  assert.is(error?.code, 403)
})

const binds = (services: ReturnType<typeof world>, binding: object, rest: Partial<PermissionRequest<never>> = {}) => {
  const object = binding as ReturnType<typeof aBinding>
  const collection = object.metadata.namespace ? roleBindings : clusterRoleBindings
  return refusal(bindingWrite(acmeNames, collection).review(request(object, rest), services))
}
const toEve = [{ kind: 'User', name: 'eve' }]
const power = aRole('power', [secrets], 'farm')
const clusterPower = aRole('cluster-power', [secrets])
const stored = [power, clusterPower]

attacks('nobody binds a role whose rules they do not hold', async () => {
  const error = await binds(
    world({ stored, inFarm: [rule('*', 'rolebindings', rbacGroup)] }),
    aBinding('b', 'power', toEve, 'farm'),
  )
  assert.is(error?.code, 403)
  assert.equal(error?.details, { name: 'b', group: rbacGroup, kind: 'rolebindings' })
})

attacks('binding a role whose rules one holds is allowed, to anybody', async () => {
  const binding = aBinding('b', 'power', [{ kind: 'Group', name: 'others' }], 'farm')
  assert.is(await binds(world({ stored, inFarm: [secrets] }), binding), undefined)
})

attacks('the verb bind for a role allows binding it and no other', async () => {
  const services = world({
    stored: [...stored, aRole('more', [secrets], 'farm')],
    inFarm: [rule('bind', 'roles', rbacGroup, 'power')],
  })
  assert.is(await binds(services, aBinding('b', 'power', toEve, 'farm')), undefined)
  assert.is((await binds(services, aBinding('b', 'more', toEve, 'farm')))?.code, 403)
})

attacks('bind inside a namespace does not allow a cluster-wide binding', async () => {
  const services = world({ stored, inFarm: [rule('bind', 'clusterroles', rbacGroup)] })
  assert.is(await binds(services, aBinding('b', 'cluster-power', toEve, 'farm', 'ClusterRole')), undefined)
  assert.is((await binds(services, aBinding('b', 'cluster-power', toEve)))?.code, 403)
})

attacks('bind on roles says nothing about cluster roles of the same name', async () => {
  const services = world({ stored: [aRole('power', [secrets]), power], inFarm: [rule('bind', 'roles', rbacGroup)] })
  assert.is((await binds(services, aBinding('b', 'power', toEve, 'farm', 'ClusterRole')))?.code, 403)
})

attacks('escalate is not bind', async () => {
  const services = world({ stored, inFarm: [rule('escalate', 'roles', rbacGroup)] })
  assert.is((await binds(services, aBinding('b', 'power', toEve, 'farm')))?.code, 403)
})

attacks('an aggregated role is bound by the rules it has collected', async () => {
  const services = world({ stored: [aRole('agg', [secrets])] })
  assert.is((await binds(services, aBinding('b', 'agg', toEve)))?.code, 403)
})

attacks('a role that does not exist cannot be bound in advance', async () => {
  const error = await binds(world({}), aBinding('b', 'later', toEve, 'farm'))
  assert.equal([error?.code, error?.details], [404, { name: 'later', group: rbacGroup, kind: 'roles' }])
})

attacks('adding a subject to a binding is judged like making it', async () => {
  const before = aBinding('b', 'power', [], 'farm')
  const error = await binds(world({ stored }), aBinding('b', 'power', toEve, 'farm'), {
    operation: 'update',
    pathName: 'b',
    stored: before as never,
  })
  assert.is(error?.code, 403)
})

attacks('a reference that validation refuses is left to validation', async () => {
  const binding = {
    ...aBinding('b', 'power', toEve, 'farm'),
    roleRef: { apiGroup: rbacGroup, kind: 'Pod', name: 'power' },
  }
  assert.is(await binds(world({ stored }), binding), undefined)
})

attacks.run()
