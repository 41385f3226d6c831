import type { PermissionRequest } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { aBinding, acmeNames, aRole, rule } from '../testing/acme.js'
import { refusal, request, type World, world } from '../testing/escalation-world.js'
import { bindingWrite } from './binding-write.js'

const attacks = suite('escalation through bindings')
const { rbacGroup, roleBindings, clusterRoleBindings } = acmeNames
const secrets = rule('get', 'secrets')

const binds = (services: World, binding: object, rest: Partial<PermissionRequest<never>> = {}) => {
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

attacks('adding a subject to a binding is checked like creating it', async () => {
  const before = aBinding('b', 'power', [], 'farm')
  const error = await binds(world({ stored }), aBinding('b', 'power', toEve, 'farm'), {
    operation: 'update',
    pathName: 'b',
    stored: before as never,
  })
  assert.is(error?.code, 403)
})

attacks('an invalid reference is left to validation', async () => {
  const binding = {
    ...aBinding('b', 'power', toEve, 'farm'),
    roleRef: { apiGroup: rbacGroup, kind: 'Pod', name: 'power' },
  }
  assert.is(await binds(world({ stored }), binding), undefined)
})

attacks.run()
