import { isDeepStrictEqual } from 'node:util'
import { type ApiObject, orchProfile, Vendor } from 'orch/sdk'
import { createClient } from 'orch/sdk/client'
import { FakeApi, fakeClock, fakeLogger, fakeMetrics, startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { authorization } from '../plugin.js'
import { acme, acmeNames, rule } from '../testing/acme.js'
import { clusterRoleAggregation } from './controller.js'

const aggregation = suite('cluster role aggregation')
const path = `/apis/${acmeNames.rbacGroup}/v1/clusterroles`

const role = (name: string, rules: ReturnType<typeof rule>[] | null, more: object = {}): ApiObject => ({
  metadata: { name },
  rules,
  ...more,
})
const labelled = (
  name: string,
  into: string,
  rules: ReturnType<typeof rule>[] | null,
  more: object = {},
): ApiObject => ({
  ...role(name, rules, more),
  metadata: { name, labels: { into } },
})
const collects = (...into: string[]) => ({
  aggregationRule: { clusterRoleSelectors: into.map(value => ({ matchLabels: { into: value } })) },
})

async function running(...roles: ApiObject[]) {
  const api = new FakeApi()
  const clock = fakeClock()
  for (const one of roles) api.put(path, one)
  const client = createClient({ transport: api.transport, clock })
  const given = { client, clock, logger: fakeLogger(), metrics: fakeMetrics(), vendor: new Vendor(orchProfile) }
  const stop = await clusterRoleAggregation(acmeNames).start(given)
  await clock.advance(100)
  const rulesOf = async (name: string) => (await client.resource(acmeNames.clusterRoles).get(name))['rules']
  return { api, clock, rulesOf, stop }
}

aggregation('fills a role with the rules of the roles it selects, by name, each rule once', async () => {
  const { rulesOf, stop } = await running(
    role('all', null, collects('all')),
    labelled('b', 'all', [rule('get', 'pods'), rule('list', 'pods')]),
    labelled('a', 'all', [rule('list', 'pods')]),
    labelled('c', 'other', [rule('delete', 'pods')]),
  )
  assert.equal(await rulesOf('all'), [rule('list', 'pods'), rule('get', 'pods')])
  await stop()
})

aggregation('follows changes', async () => {
  const { api, clock, rulesOf, stop } = await running(
    role('all', null, collects('all')),
    labelled('a', 'all', [rule('list', 'pods')]),
  )
  api.put(path, labelled('a', 'all', [rule('get', 'pods')]))
  await clock.advance(100)
  assert.equal(await rulesOf('all'), [rule('get', 'pods')])
  await stop()
})

aggregation('removes what it collected when nothing is left, and keeps rules that others wrote', async () => {
  const server = await startServer({ plugins: ['orch/plugins/namespaces', authorization], vendor: acme.profile })
  try {
    const roles = server.client.resource(acmeNames.clusterRoles)
    await roles.create(role('filled', null, collects('filled')))
    await roles.create(labelled('part', 'filled', [rule('list', 'pods')]))
    await roles.create(role('written', [rule('get', 'pods')], collects('nothing')))
    await roles.waitFor('filled', found => isDeepStrictEqual(found['rules'], [rule('list', 'pods')]))
    await roles.delete('part')
    await roles.waitFor('filled', found => found['rules'] === null)
    assert.equal((await roles.get('written'))['rules'], [rule('get', 'pods')])
  } finally {
    await server.stop()
  }
})

aggregation('passes rules on through roles that are aggregated themselves', async () => {
  const { rulesOf, stop } = await running(
    role('outer', null, collects('outer')),
    labelled('inner', 'outer', null, collects('inner')),
    labelled('leaf', 'inner', [rule('get', 'pods')]),
  )
  assert.equal(await rulesOf('outer'), [rule('get', 'pods')])
  await stop()
})

aggregation('removes manually added rules from an aggregated role', async () => {
  const { rulesOf, stop } = await running(
    role('all', [rule('*', '*', '*')], collects('all')),
    labelled('a', 'all', [rule('get', 'pods')]),
  )
  assert.equal(await rulesOf('all'), [rule('get', 'pods')])
  await stop()
})

aggregation('does not add the rules of a role to itself', async () => {
  const { rulesOf, stop } = await running(
    labelled('self', 'self', [rule('get', 'secrets')], collects('self')),
    labelled('part', 'self', [rule('get', 'pods')]),
  )
  assert.equal(await rulesOf('self'), [rule('get', 'pods')])
  await stop()
})

aggregation('writes nothing when nothing has to change', async () => {
  const { api, stop } = await running(
    role('all', [rule('get', 'pods')], collects('all')),
    labelled('a', 'all', [rule('get', 'pods')]),
    role('plain', [rule('get', 'secrets')]),
  )
  assert.equal(
    api.requests.filter(request => /^(PUT|PATCH)/.test(request)),
    [],
  )
  await stop()
})

aggregation('two roles that aggregate each other converge', async () => {
  const { api, clock, rulesOf, stop } = await running(
    labelled('a', 'b', [rule('get', 'pods')], collects('a')),
    labelled('b', 'a', [rule('get', 'secrets')], collects('b')),
  )
  await clock.advance(10_000)
  assert.equal(await rulesOf('a'), await rulesOf('b'))
  const writes = api.requests.filter(request => /^(PUT|PATCH)/.test(request)).length
  assert.ok(writes < 5, `${writes} writes`)
  await stop()
})

aggregation('three roles that aggregate each other in a cycle are throttled', async () => {
  const { api, clock, stop } = await running(
    labelled('a', 'c', [rule('get', 'pods')], collects('a')),
    labelled('b', 'a', [rule('get', 'secrets')], collects('b')),
    labelled('c', 'b', [rule('get', 'nodes')], collects('c')),
  )
  for (let second = 0; second < 60; second++) await clock.advance(1000)
  const writes = api.requests.filter(request => /^(PUT|PATCH)/.test(request)).length
  assert.ok(writes < 500, `${writes} writes in a minute`)
  await stop()
})

aggregation.run()
