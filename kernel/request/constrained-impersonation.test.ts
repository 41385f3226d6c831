import { type Authorizer, kubernetesProfile, type UserInfo, Vendor } from 'orch/sdk'
import type { AccessAttributes } from 'orch/sdk/identity'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rejects } from '../../test/support/rejects.js'
import { ConstrainedImpersonation, type RequestedUser } from './constrained-impersonation.js'

const vendor = new Vendor(kubernetesProfile)
const listPods = (user: UserInfo): AccessAttributes => ({
  user,
  verb: 'list',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'farm',
  name: '',
})
const wanted = (more: Partial<RequestedUser>): RequestedUser => ({
  name: 'jane',
  uid: '',
  groups: [],
  extra: {},
  ...more,
})
const ann: UserInfo = { name: 'ann', groups: ['dev'] }

/** Impersonation by somebody who may do what is in `rights`, written as `verb group/resource namespace/name`. */
function impersonation(rights: readonly string[]) {
  const authorizer = {
    async authorize(access: AccessAttributes) {
      if (access.path !== undefined) return { decision: 'noOpinion' }
      const { verb, group, resource, subresource, name } = access
      const asked = `${verb} ${group && `${group}/`}${resource}${subresource && `/${subresource}`}${name && ` ${name}`}`
      return { decision: rights.includes(asked) ? 'allow' : 'noOpinion' }
    },
  } as unknown as Authorizer
  return new ConstrainedImpersonation(authorizer, vendor)
}
const detailsOf = async (promise: Promise<unknown>) =>
  ((await rejects(promise)) as unknown as { details: { kind?: string; name?: string } }).details.kind ?? ''

const constrained = suite('constrained impersonation')

constrained('needs the right for the user and the right for what is done as that user', async () => {
  const user = 'impersonate:user-info authentication.k8s.io/users jane'
  const on = 'impersonate-on:user-info:list pods'
  const { constraint, groups } = await impersonation([user, on]).decide(wanted({}), listPods(ann))
  assert.equal([constraint, groups], ['impersonate:user-info', []])
  assert.is(await detailsOf(impersonation([on]).decide(wanted({}), listPods(ann))), 'users')
  assert.is(await detailsOf(impersonation([user]).decide(wanted({}), listPods(ann))), 'pods')
})

constrained('plain rights go on counting, for everything', async () => {
  const { constraint } = await impersonation(['impersonate users jane']).decide(wanted({}), listPods(ann))
  assert.is(constraint, undefined)
})

constrained('nobody becomes a member of the masters, and keys of extra values have a domain', async () => {
  const rights = [
    'impersonate:user-info authentication.k8s.io/users jane',
    'impersonate:user-info authentication.k8s.io/groups system:masters',
    'impersonate:user-info authentication.k8s.io/userextras/scopes view',
    'impersonate:user-info authentication.k8s.io/userextras/acme.com/project p',
    'impersonate-on:user-info:list pods',
  ]
  const decide = (more: Partial<RequestedUser>) => impersonation(rights).decide(wanted(more), listPods(ann))
  assert.is(await detailsOf(decide({ groups: ['system:masters'] })), 'groups')
  assert.is(await detailsOf(decide({ extra: { scopes: ['view'] } })), 'userextras')
  assert.is((await decide({ extra: { 'acme.com/project': ['p'] } })).constraint, 'impersonate:user-info')
})

constrained('an account may act as the agent of its own node only', async () => {
  const rights = [
    'impersonate:associated-node authentication.k8s.io/nodes *',
    'impersonate-on:associated-node:list pods',
  ]
  const extra = { 'authentication.kubernetes.io/node-name': ['n1'] }
  const agent = { name: 'system:serviceaccount:farm:agent', groups: [], extra }
  const decide = (name: string, user: UserInfo) => impersonation(rights).decide(wanted({ name }), listPods(user))
  assert.equal((await decide('system:node:n1', agent)).groups, ['system:nodes'])
  await rejects(decide('system:node:n2', agent))
  await rejects(decide('system:node:n1', { ...agent, extra: {} }))
  await rejects(decide('system:node:n1', { ...agent, name: 'ann' }))
})

constrained('service accounts and nodes are no users: the right for users does not count for them', async () => {
  const name = 'system:serviceaccount:farm:robot'
  const rights = [`impersonate:user-info authentication.k8s.io/users ${name}`, 'impersonate-on:user-info:list pods']
  await rejects(impersonation(rights).decide(wanted({ name }), listPods(ann)))
  const own = [
    'impersonate:serviceaccount authentication.k8s.io/serviceaccounts robot',
    'impersonate-on:serviceaccount:list pods',
  ]
  const { groups } = await impersonation(own).decide(wanted({ name }), listPods(ann))
  assert.equal(groups, ['system:serviceaccounts', 'system:serviceaccounts:farm'])
})

constrained('of many groups, the right for all of them is enough', async () => {
  const rights = [
    'impersonate:user-info authentication.k8s.io/users jane',
    'impersonate:user-info authentication.k8s.io/groups *',
    'impersonate-on:user-info:list pods',
  ]
  const decide = (groups: string[]) => impersonation(rights).decide(wanted({ groups }), listPods(ann))
  assert.equal((await decide(['a', 'b', 'c', 'd'])).groups, ['a', 'b', 'c', 'd'])
  await rejects(decide(['a', 'b', 'c']))
})

constrained.run()
