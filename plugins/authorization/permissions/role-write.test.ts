import type { PermissionRequest } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PolicyRule } from '../rules/schema.js'
import { acmeNames, aRole, aUser, rule } from '../testing/acme.js'
import { refusal, request, type World, world } from '../testing/escalation-world.js'
import { clusterRoleWrite, roleWrite } from './role-write.js'

const attacks = suite('escalation through roles')
const { rbacGroup, roles, clusterRoles } = acmeNames
const secrets = rule('get', 'secrets')

const writesRole = (services: World, rules: PolicyRule[], rest: Partial<PermissionRequest<never>> = {}) =>
  refusal(roleWrite(roles).review(request(aRole('new', rules, 'farm'), rest), services))

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
  'an empty list of names does not bypass the names that a user holds': {
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

attacks('the error names the user, the rules and the object', async () => {
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

attacks('an update is checked by all its rules, including existing ones', async () => {
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
const writesClusterRole = (services: World, object: object, rest: Partial<PermissionRequest<never>> = {}) =>
  refusal(clusterRoleWrite(clusterRoles).review(request(object as ReturnType<typeof aRole>, rest), services))

attacks('an aggregation rule requires full rights, even without rules', async () => {
  const error = await writesClusterRole(world({ everywhere: [rule('get,list,create', '*', '*')] }), aggregated('new'))
  assert.match(error?.message ?? '', 'must have cluster-admin privileges to use an aggregationRule')
  const all = [rule('*', '*', '*'), { verbs: ['*'], nonResourceURLs: ['*'] }]
  assert.is(await writesClusterRole(world({ everywhere: all }), aggregated('new')), undefined)
})

attacks('an aggregation rule that selects nothing is left to validation', async () => {
  const nothing = { ...aggregated('new'), aggregationRule: { clusterRoleSelectors: [] } }
  assert.is(await writesClusterRole(world({ everywhere: [rule('create', '*', '*')] }), nothing), undefined)
})

attacks('removing an aggregation rule also requires full rights', async () => {
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

attacks('adding a label that an aggregated role selects requires the rights of the role', async () => {
  const stored = { metadata: { name: 'part' }, rules: [secrets] }
  const sent = { metadata: { name: 'part', labels: { a: 'b' } }, rules: [secrets] }
  const error = await writesClusterRole(world({}), sent, {
    operation: 'update',
    pathName: 'part',
    stored: stored as never,
  })
  assert.is(error?.code, 403)
})

attacks('a role with billions of rights is rejected immediately, with a message of bounded length', async () => {
  const words = (prefix: string) => Array.from({ length: 29 }, (_, at) => `${prefix}${at}`)
  const wide = { verbs: words('verb'), apiGroups: words('group'), resources: words('resource') }
  const services = world({ inFarm: [rule('get,list,create', '*'), rule('*', 'deployments', 'apps')] })
  const cpu = process.cpuUsage()
  const error = await writesRole(
    services,
    Array.from({ length: 700 }, () => wide),
  )
  const ms = process.cpuUsage(cpu).user / 1000
  assert.is(error?.code, 403)
  assert.ok((error?.message.length ?? 0) < 70_000, `${error?.message.length} characters`)
  assert.ok(ms < 250, `${ms} ms`)
})

attacks.run()
