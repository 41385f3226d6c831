import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const roles = 'rbac.authorization.orch.io'

const counts = suite<{ server: TestServer }>('counts of objects')
counts.before(async context => {
  const server = await startServer({ options: { storageEngine: 'memory' } })
  context.server = server
  const at = (resource: string, group = '', version = 'v1') => server.client.resource({ group, version, resource })
  await at('namespaces').create({ metadata: { name: 'shop' } })
  for (const name of ['a', 'b', 'c']) await at('configmaps').in('shop').create({ metadata: { name } })
  await at('roles', roles)
    .in('shop')
    .create({ metadata: { name: 'hidden' } })
  const rules = [
    { nonResourceURLs: ['/console/counts'], verbs: ['get'] },
    { apiGroups: [''], resources: ['configmaps'], verbs: ['list'] },
  ]
  await at('clusterroles', roles).create({ metadata: { name: 'counter' }, rules } as never)
  await at('clusterrolebindings', roles).create({
    metadata: { name: 'counter' },
    roleRef: { apiGroup: roles, kind: 'ClusterRole', name: 'counter' },
    subjects: [{ apiGroup: roles, kind: 'User', name: 'counter' }],
  } as never)
})
counts.after(({ server }) => server.stop())

const ask = (server: TestServer, token: string, namespace: string) =>
  fetch(`${server.baseUrl}/console/counts?namespace=${encodeURIComponent(namespace)}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
const countsOf = async (server: TestServer, token: string, namespace: string) =>
  (await (await ask(server, token, namespace)).json()) as Record<string, number>

counts('are of a namespace, or of all; types without namespaces are counted in both', async ({ server }) => {
  const ofShop = await countsOf(server, server.token, 'shop')
  assert.is(ofShop[`roles.${roles}`], 1)
  assert.is(ofShop['deployments.apps'], 0)
  assert.ok(ofShop['configmaps.']! >= 3)
  assert.ok(ofShop[`clusterroles.${roles}`]! > 10)
  const ofAll = await countsOf(server, server.token, '')
  assert.ok(ofAll['configmaps.']! > ofShop['configmaps.']!)
  assert.is(ofAll['namespaces.'], ofShop['namespaces.'])
})

counts('are only of types that the user may list', async ({ server }) => {
  const { token = '' } = await server.addUser({ name: 'counter' })
  assert.equal(Object.keys(await countsOf(server, token, 'shop')), ['configmaps.'])
})

counts('are for those who may get the path', async ({ server }) => {
  const { token = '' } = await server.addUser({ name: 'nobody' })
  assert.is((await ask(server, token, '')).status, 403)
})

counts('of a namespace that cannot exist are of types without namespaces', async ({ server }) => {
  const found = await countsOf(server, server.token, '../kube-system')
  assert.is(found['configmaps.'], undefined)
  assert.ok(found['namespaces.']! > 0)
})

counts.run()
