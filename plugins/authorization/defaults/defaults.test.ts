import { type ApiObject, kubernetesProfile, profileAtVersion, type ResourceCatalogue, Vendor } from 'orch/sdk'
import { createClient } from 'orch/sdk/client'
import { answer, FakeApi, fakeClock, fakeLogger } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { authorizationNames } from '../names.js'
import { acme, acmeNames, rule } from '../testing/acme.js'
import { defaultPolicy } from './default-policy.js'
import { PolicyInstaller } from './policy-installer.js'
import { newBinding, newRole, repairedBinding, repairedRole, type StoredBinding, type StoredRole } from './reconcile.js'

const defaults = suite('default roles and bindings')
const { rbacGroup, autoUpdateAnnotation, bootstrappingLabel } = acmeNames

defaults('contain the names of the vendor and of no other', () => {
  const text = JSON.stringify(defaultPolicy(acme))
  for (const foreign of ['k8s.io', 'kubernetes', 'kube-', 'kubelet', 'orch.io']) assert.not.match(text, foreign)
  const names = defaultPolicy(acme).clusterRoles.map(({ name }) => name)
  assert.ok(names.includes('system:certificates.api.acme.test:apiserver-client-approver'))
})

defaults('are those of Kubernetes for that vendor, beside what loops declare', () => {
  const { clusterRoles, clusterRoleBindings, namespaces } = defaultPolicy(
    new Vendor(profileAtVersion(kubernetesProfile, '1.23')!),
  )
  const count = [clusterRoles.length, clusterRoleBindings.length]
  assert.equal(count, [38, 19])
  assert.equal(
    namespaces.map(({ roles, bindings }) => [roles.length, bindings.length]),
    [
      [6, 6],
      [1, 1],
    ],
  )
  assert.ok(clusterRoles.some(({ name }) => name === 'system:kube-scheduler'))
})

defaults('have unique names, and every binding has its role', () => {
  const { clusterRoles, clusterRoleBindings, namespaces } = defaultPolicy(acme)
  const scopes = [{ roles: clusterRoles, bindings: clusterRoleBindings }, ...namespaces]
  for (const { roles, bindings } of scopes) {
    const names = roles.map(({ name }) => name)
    assert.is(new Set(names).size, names.length)
    for (const { roleRef } of bindings) assert.ok(names.includes(roleRef.name), roleRef.name)
  }
})

const wantedRole = { name: 'r', rules: [rule('get,list', 'pods')], labels: { into: 'all' } }
const storedRole = (more: Partial<StoredRole> = {}): StoredRole => ({ ...newRole(wantedRole, acmeNames), ...more })

defaults('a correct role is not changed', () => {
  assert.is(repairedRole(storedRole(), wantedRole, acmeNames), undefined)
})

defaults('missing rules are added, additional ones are kept', () => {
  const repaired = repairedRole(
    storedRole({ rules: [rule('get', 'pods'), rule('get', 'nodes')] }),
    wantedRole,
    acmeNames,
  )
  assert.equal(repaired?.rules, [rule('get', 'pods'), rule('get', 'nodes'), rule('list', 'pods')])
})

defaults('equivalent rules are sufficient', () => {
  assert.is(repairedRole(storedRole({ rules: [rule('*', '*', '*')] }), wantedRole, acmeNames), undefined)
})

defaults('missing labels and annotations are added, changed ones are kept', () => {
  const metadata = { name: 'r', labels: { into: 'mine' } }
  const repaired = repairedRole(storedRole({ metadata }), wantedRole, acmeNames)
  assert.equal(repaired?.metadata.labels, { into: 'mine', [bootstrappingLabel]: 'rbac-defaults' })
  assert.equal(repaired?.metadata.annotations, { [autoUpdateAnnotation]: 'true' })
})

defaults('a role that is protected by its annotation is never touched', () => {
  const metadata = { name: 'r', annotations: { [autoUpdateAnnotation]: 'false' } }
  assert.is(repairedRole(storedRole({ metadata, rules: [] }), wantedRole, acmeNames), undefined)
})

defaults('an aggregated role keeps its aggregated rules, and its selectors are restored', () => {
  const wanted = { name: 'r', rules: [], collects: { into: 'r' } }
  const collected = { ...newRole(wanted, acmeNames), rules: [rule('get', 'pods')] }
  assert.is(repairedRole(collected, wanted, acmeNames), undefined)
  const repaired = repairedRole({ ...collected, aggregationRule: { clusterRoleSelectors: [] } }, wanted, acmeNames)
  assert.equal(repaired?.aggregationRule, { clusterRoleSelectors: [{ matchLabels: { into: 'r' } }] })
  assert.equal(repaired?.rules, [rule('get', 'pods')])
})

defaults('selectors of a role that is not aggregated are removed', () => {
  const collecting = storedRole({ aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } })
  assert.not.ok('aggregationRule' in (repairedRole(collecting, wantedRole, acmeNames) ?? { aggregationRule: 1 }))
})

const subject = (name: string) => ({ kind: 'Group', apiGroup: rbacGroup, name })
const wantedBinding = {
  name: 'b',
  roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: 'r' },
  subjects: [subject('a'), subject('b')],
}
const storedBinding = (more: Partial<StoredBinding> = {}): StoredBinding => ({
  ...newBinding(wantedBinding, acmeNames),
  ...more,
})

defaults('missing subjects are added, additional ones are kept', () => {
  assert.is(repairedBinding(storedBinding(), wantedBinding, acmeNames), undefined)
  const repaired = repairedBinding(storedBinding({ subjects: [subject('b'), subject('c')] }), wantedBinding, acmeNames)
  assert.equal(repaired?.binding.subjects, [subject('b'), subject('c'), subject('a')])
  assert.is(repaired?.recreate, false)
})

defaults('a binding to another role is recreated', () => {
  const stored = storedBinding({ roleRef: { ...wantedBinding.roleRef, name: 'other' } })
  assert.is(repairedBinding(stored, wantedBinding, acmeNames)?.recreate, true)
})

function setUp() {
  const api = new FakeApi()
  const clock = fakeClock()
  const logger = fakeLogger()
  const client = createClient({ transport: api.transport, clock })
  const resources = {
    find: () => ({ group: '', resource: 'namespaces', version: 'v1' }),
  } as unknown as ResourceCatalogue
  const installer = () => new PolicyInstaller(defaultPolicy(acme), acmeNames, { client, clock, logger, resources })
  return { api, clock, client, logger, installer }
}
const namesIn = async (list: Promise<{ items: ApiObject[] }>) => (await list).items.map(one => one.metadata.name)

defaults('the first start creates everything, the second writes nothing', async () => {
  const { api, client, installer } = setUp()
  const first = installer()
  await first.run()
  assert.ok(first.isDone)
  const { clusterRoles, clusterRoleBindings, roles, roleBindings, namespaces } = authorizationNames(acme)
  const policy = defaultPolicy(acme)
  const count = async (collection: typeof roles) => (await namesIn(client.resource(collection).list())).length
  assert.is(await count(clusterRoles), policy.clusterRoles.length)
  assert.is(await count(clusterRoleBindings), policy.clusterRoleBindings.length)
  assert.is(await count(roles), 7)
  assert.is(await count(roleBindings), 7)
  assert.ok(
    (await namesIn(client.resource(roles).in(namespaces.public).list())).includes('system:controller:bootstrap-signer'),
  )
  const before = api.requests.length
  await installer().run()
  assert.equal(
    api.requests.slice(before).filter(request => !request.startsWith('GET')),
    [],
  )
})

defaults('failed writes at start are retried, and the server is not ready until they succeed', async () => {
  const { api, clock, logger, installer } = setUp()
  api.intercept = ({ method, path }) =>
    method === 'POST' && path.includes('clusterroles')
      ? answer(500, { kind: 'Status', message: 'a webhook is down' })
      : undefined
  const first = installer()
  await first.run()
  assert.not.ok(first.isDone)
  assert.ok(logger.lines.some(({ level, message }) => level === 'error' && message.includes('cluster-admin')))
  api.intercept = undefined
  await clock.advance(5000)
  assert.ok(first.isDone)
})

defaults('stopping ends the attempts', async () => {
  const { api, clock, installer } = setUp()
  api.intercept = ({ method }) => (method === 'POST' ? answer(500, {}) : undefined)
  const first = installer()
  await first.run()
  first.stop()
  assert.is(clock.pending, 0)
})

defaults.run()
