import type { DeclaredController } from 'orch/sdk'
import { fakeLogger } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acme, rule } from '../testing/acme.js'
import { warnOfMissingRoles, withDeclaredRoles } from './declared-roles.js'
import { defaultPolicy } from './default-policy.js'

const declared = suite('roles that control loops declare')
const aLoop = (changes: Partial<DeclaredController>): DeclaredController => ({
  plugin: 'town',
  name: 'mayor',
  account: 'mayor',
  rules: [],
  usesClient: true,
  ...changes,
})
const { system } = acme.profile.namespaces

declared('become a cluster role that is bound to the account of the loop', () => {
  const policy = withDeclaredRoles(defaultPolicy(acme), [aLoop({ rules: [rule('get', 'pods')] })], acme)
  const role = policy.clusterRoles.find(({ name }) => name === 'system:controller:mayor')
  assert.equal(role?.rules, [rule('get', 'pods')])
  const binding = policy.clusterRoleBindings.find(({ name }) => name === 'system:controller:mayor')
  assert.equal(binding?.subjects, [{ kind: 'ServiceAccount', name: 'mayor', namespace: system }])
})

declared('of loops that share an account, and with a default role, are joined', () => {
  const account = 'token-cleaner'
  const loops = [
    aLoop({ account, rules: [{ ...rule('get', 'pods'), namespace: system }] }),
    aLoop({ name: 'b', account, rules: [{ ...rule('get', 'nodes'), namespace: system }] }),
  ]
  const before = defaultPolicy(acme).namespaces.find(({ namespace }) => namespace === system)
  const after = withDeclaredRoles(defaultPolicy(acme), loops, acme).namespaces.find(one => one.namespace === system)
  assert.is(after?.roles.length, before?.roles.length)
  assert.is(after?.bindings.length, before?.bindings.length)
  const rules = after?.roles.find(({ name }) => name === 'system:controller:token-cleaner')?.rules
  assert.equal(rules?.slice(-2), [rule('get', 'pods'), rule('get', 'nodes')])
})

declared('a loop without a role is reported, unless it makes no requests', () => {
  const logger = fakeLogger()
  const loops = [
    aLoop({}),
    aLoop({ name: 'quiet', account: 'quiet', usesClient: false }),
    aLoop({ name: 'known', account: 'node-controller' }),
  ]
  warnOfMissingRoles(withDeclaredRoles(defaultPolicy(acme), loops, acme), loops, acme, logger)
  assert.equal(
    logger.lines.map(({ level, message }) => `${level} ${message}`),
    ['warn control loop "mayor" of plugin "town" has no role: its requests will be refused'],
  )
})

declared.run()
