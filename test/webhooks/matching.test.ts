import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startWorld } from './start-world.js'
import type { WebhookWorld } from './webhook-world.js'

const matching = suite('matching of requests by webhooks')
let world: WebhookWorld
const called = async (path = '/town/a') => (await world.webhook.takeCalls(path)).length
const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } }
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'none' }

/** Dry runs, so that every case may write the same objects. */
const requests = {
  'create config map': () => world.create('town', 'new', {}, '?dryRun=All'),
  'update config map': () =>
    world.send('PUT', '/api/v1/namespaces/town/configmaps/old?dryRun=All', {
      metadata: { name: 'old' },
      data: { k: 'v' },
    }),
  'delete config map': () => world.send('DELETE', '/api/v1/namespaces/town/configmaps/old?dryRun=All'),
  'create volume': () => world.send('POST', '/api/v1/persistentvolumes?dryRun=All', { metadata: { name: 'pv' }, spec }),
  'update claim': () =>
    world.send(
      'PATCH',
      '/api/v1/namespaces/town/persistentvolumeclaims/claim?dryRun=All',
      { metadata: { labels: { a: 'b' } } },
      'application/merge-patch+json',
    ),
  'update claim status': () =>
    world.send(
      'PATCH',
      '/api/v1/namespaces/town/persistentvolumeclaims/claim/status?dryRun=All',
      { status: { phase: 'Lost' } },
      'application/merge-patch+json',
    ),
  'create class': () =>
    world.send('POST', '/apis/storage.orch.io/v1/storageclasses?dryRun=All', {
      metadata: { name: 'c' },
      provisioner: 'acme.test/p',
    }),
  'create namespace': () => world.send('POST', '/api/v1/namespaces?dryRun=All', { metadata: { name: 'new' } }),
} as const
type RequestName = keyof typeof requests

const rule = (changes: object) => ({
  operations: ['*'],
  apiGroups: ['*'],
  apiVersions: ['*'],
  resources: ['*'],
  ...changes,
})
const all = Object.keys(requests) as RequestName[]
const except = (...names: RequestName[]) => all.filter(name => !names.includes(name))

const rules: Record<string, [object, RequestName[]]> = {
  'everything but subresources': [{}, except('update claim status')],
  'everything with subresources': [{ resources: ['*/*'] }, all],
  'one operation': [
    { operations: ['CREATE'] },
    ['create config map', 'create volume', 'create class', 'create namespace'],
  ],
  'two operations': [{ operations: ['UPDATE', 'DELETE'] }, ['update config map', 'delete config map', 'update claim']],
  'the operation nobody does here': [{ operations: ['CONNECT'] }, []],
  'the core group': [{ apiGroups: [''] }, except('create class', 'update claim status')],
  'a named group': [{ apiGroups: ['storage.orch.io'] }, ['create class']],
  'a version that is not served': [{ apiVersions: ['v7'] }, []],
  'one resource': [{ resources: ['configmaps'] }, ['create config map', 'update config map', 'delete config map']],
  'one subresource': [{ resources: ['persistentvolumeclaims/status'] }, ['update claim status']],
  'a resource and all its subresources': [
    { resources: ['persistentvolumeclaims/*'] },
    ['update claim', 'update claim status'],
  ],
  'one subresource of all resources': [{ resources: ['*/status'] }, ['update claim status']],
  'namespaced objects': [
    { scope: 'Namespaced' },
    ['create config map', 'update config map', 'delete config map', 'update claim'],
  ],
  'cluster-scoped objects, Namespaces among them': [
    { scope: 'Cluster' },
    ['create volume', 'create class', 'create namespace'],
  ],
}

matching('the server and the webhook start', async () => {
  world = await startWorld()
  await world.namespace('town', { size: 'big' })
  await world.namespace('village', { size: 'small' })
  await world.create('town', 'old')
  await world.mustSend('POST', '/api/v1/namespaces/town/persistentvolumeclaims', {
    metadata: { name: 'claim' },
    spec: claim,
  })
})
for (const [title, [changes, expected]] of Object.entries(rules))
  matching(`a rule for ${title}`, async () => {
    await world.configure('Validating', 'rules', [
      world.hook('town', 'a', { rules: [rule(changes)], namespaceSelector: {} }),
    ])
    const matched: string[] = []
    for (const name of all) {
      await called()
      const { status, body } = await requests[name]()
      assert.ok(status < 300, `${name}: ${JSON.stringify(body)}`)
      if ((await called()) > 0) matched.push(name)
    }
    assert.equal(
      matched,
      all.filter(name => expected.includes(name)),
    )
  })
matching('several rules: one that matches is enough, and the webhook is called once', async () => {
  const other = rule({ apiGroups: ['acme.test'] })
  await world.configure('Validating', 'rules', [
    world.hook('town', 'a', { rules: [other, rule({}), rule({ operations: ['CREATE'] })], namespaceSelector: {} }),
  ])
  await called()
  await requests['create config map']()
  assert.is(await called(), 1)
})
matching('webhooks never see configurations of webhooks', async () => {
  await world.configure('Validating', 'rules', [
    world.hook('town', 'a', { rules: [rule({ resources: ['*/*'] })], namespaceSelector: {} }),
  ])
  await called()
  await world.configure('Validating', 'other', [])
  await world.configure('Mutating', 'other', [])
  assert.is(await called(), 0)
})

matching('the object selector looks at the new and at the old object', async () => {
  await world.configure('Validating', 'rules', [
    world.hook('town', 'a', {
      objectSelector: { matchExpressions: [{ key: 'watch', operator: 'In', values: ['me'] }] },
    }),
  ])
  const put = (labels: object) =>
    world.send('PUT', '/api/v1/namespaces/town/configmaps/s', { metadata: { name: 's', labels } })
  await world.create('town', 's')
  assert.is(await called(), 0, 'without the label')
  await put({ watch: 'me' })
  assert.is(await called(), 1, 'the new one has it')
  await put({})
  assert.is(await called(), 1, 'the old one has it')
  await put({ other: 'label' })
  assert.is(await called(), 0, 'neither has it')
  await put({ watch: 'me' })
  await called()
  await world.send('DELETE', '/api/v1/namespaces/town/configmaps/s')
  assert.is(await called(), 1, 'the deleted one has it')
})
matching('the namespace selector looks at the namespace of the object', async () => {
  await world.configure('Validating', 'rules', [
    world.hook('town', 'a', { namespaceSelector: { matchLabels: { size: 'big' } } }),
  ])
  await world.create('village', 'x', {}, '?dryRun=All')
  assert.is(await called(), 0)
  await requests['create config map']()
  assert.is(await called(), 1)
})
matching('the namespace selector looks at a Namespace itself, as it will be', async () => {
  await world.configure('Validating', 'rules', [
    world.hook('town', 'a', { rules: [rule({})], namespaceSelector: { matchLabels: { size: 'big' } } }),
  ])
  const relabel = (size: string) =>
    world.send(
      'PATCH',
      '/api/v1/namespaces/village?dryRun=All',
      { metadata: { labels: { size } } },
      'application/merge-patch+json',
    )
  await relabel('tiny')
  assert.is(await called(), 0)
  await relabel('big')
  assert.is(await called(), 1)
})
matching('the namespace selector leaves out no other cluster-scoped object', async () => {
  await world.configure('Validating', 'rules', [
    world.hook('town', 'a', { rules: [rule({})], namespaceSelector: { matchLabels: { no: 'match' } } }),
  ])
  await requests['create volume']()
  assert.is(await called(), 1)
})
matching('a change of a configuration counts for the next request', async () => {
  for (const round of [1, 2, 3]) {
    await world.configure('Validating', 'rules', [world.hook('town', 'a')])
    await requests['create config map']()
    assert.is(await called(), 1, `round ${round}`)
    await world.removeConfiguration('Validating', 'rules')
    await requests['create config map']()
    assert.is(await called(), 0, `round ${round}`)
  }
})
matching('the server and the webhook stop', () => world.stop())

matching.run()
