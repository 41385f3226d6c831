import { createClient, type TransportRequest } from 'orch/sdk/client'
import { answer, fakeClock, fakeLogger } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DiscoveredTypes } from './discovered-types.js'
import { InformerCaches } from './informer-caches.js'

const documents: Record<string, object> = {
  '/api': { versions: ['v1'] },
  '/apis': { groups: [{ name: 'acme.test', versions: [{ version: 'v2' }, { version: 'v1' }] }] },
  '/api/v1': { resources: [{ name: 'boxes', kind: 'Box', namespaced: true, verbs: ['list', 'watch', 'delete'] }] },
  '/apis/acme.test/v2': {
    resources: [
      { name: 'things', kind: 'Thing', verbs: ['get', 'list'] },
      { name: 'things/status', kind: 'Thing', verbs: ['get'] },
      { name: 'reviews', kind: 'Review', verbs: ['create'] },
    ],
  },
  '/apis/acme.test/v1': { resources: [{ name: 'things', kind: 'Thing', verbs: ['get', 'list'] }] },
}
function clientOf(missing?: string) {
  const transport = async ({ path }: TransportRequest) =>
    path === missing ? answer(503, {}) : answer(200, documents[path] ?? {})
  return createClient({ transport, clock: fakeClock(), retries: { busy: 0, lost: 0 } })
}

const discovered = suite('the types of a server in another process')

discovered('are those of discovery: all versions of each, the preferred one first', async () => {
  const types = new DiscoveredTypes(() => true)
  await types.refresh(clientOf())
  assert.equal(
    types.all().map(({ resource }) => resource),
    ['boxes', 'things', 'reviews'],
  )
  const thing = types.find('acme.test', 'things')
  assert.equal(
    [thing?.version, thing?.servedVersions, thing?.subresources, thing?.virtual, thing?.namespaced],
    ['v2', ['v2', 'v1'], ['status'], false, false],
  )
  assert.is(types.findKind('acme.test', 'Review')?.virtual, true)
  assert.is(types.findKind('', 'Box')?.namespaced, true)
  assert.is(types.find('acme.test', 'boxes'), undefined)
})
discovered('are rejected if required ones are missing', async () => {
  const types = new DiscoveredTypes(() => true)
  await types.refresh(clientOf())
  const failure = await types.refresh(clientOf('/apis/acme.test/v1')).catch((error: Error) => error.message)
  assert.match(String(failure), /acme\.test\/v1/)
  assert.is(types.all().length, 3)
})
discovered('of unreachable extension servers are kept, and are reported as unavailable', async () => {
  const types = new DiscoveredTypes(groupVersion => groupVersion === 'v1')
  await types.refresh(clientOf())
  documents['/api/v1'] = { resources: [{ name: 'jars', kind: 'Jar', namespaced: true, verbs: ['list'] }] }
  await types.refresh(clientOf('/apis/acme.test/v2'))
  assert.equal(
    types.all().map(({ resource }) => resource),
    ['jars', 'things', 'reviews'],
  )
  assert.equal(types.unavailable, ['acme.test/v2'])
  await types.refresh(clientOf())
  assert.equal(types.unavailable, [])
})
discovered('a type that is not served has an empty cache that is ready at once', async () => {
  const types = new DiscoveredTypes(() => true)
  const caches = new InformerCaches({ client: clientOf(), clock: fakeClock(), logger: fakeLogger(), types })
  const cache = caches.of({ group: 'acme.test', resource: 'unicorns' })
  await cache.ready()
  assert.equal(cache.list(), [])
  await caches.close()
})

discovered.run()
