import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ReviewedRequest, SeenCall } from './behaviour.js'
import { startWorld } from './start-world.js'
import type { WebhookWorld } from './webhook-world.js'

const fields = suite('admission reviews')
let world: WebhookWorld
const configMaps = '/api/v1/namespaces/fields/configmaps'

async function only(path = '/fields/a'): Promise<SeenCall> {
  const calls = await world.webhook.takeCalls(path)
  assert.is(calls.length, 1)
  return calls[0] as SeenCall
}
const request = async (): Promise<ReviewedRequest> => (await only()).review.request

fields('the server and the webhook start', async () => {
  // What a loop does with the Pods of a replication controller is no request of these tests.
  world = await startWorld({ options: { controllers: ['*', '-replicationcontroller'] } })
  await world.namespace('fields')
  await world.configure('Validating', 'all', [world.hook('fields', 'a')])
})
fields('comes as a POST of JSON to the path, with the timeout in the query', async () => {
  await world.create('fields', 'posted')
  const { headers, query, review } = await only()
  assert.is(headers['content-type'], 'application/json')
  assert.is(query, 'timeout=5s')
  assert.equal([review.kind, review.apiVersion], ['AdmissionReview', 'admission.orch.io/v1'])
})
fields('names kind, resource, object and operation of a create', async () => {
  await world.create('fields', 'made', { data: { k: '1' } }, '?fieldManager=me')
  const seen = await request()
  const kind = { group: '', version: 'v1', kind: 'ConfigMap' }
  const resource = { group: '', version: 'v1', resource: 'configmaps' }
  assert.equal([seen['kind'], seen['requestKind']], [kind, kind])
  assert.equal([seen['resource'], seen['requestResource']], [resource, resource])
  assert.equal([seen.name, seen.namespace, seen.operation, seen['dryRun']], ['made', 'fields', 'CREATE', false])
  assert.equal(Object.keys(seen.object ?? {}).slice(0, 2), ['kind', 'apiVersion'])
  assert.equal(seen.object?.['data'], { k: '1' })
  assert.is(seen.oldObject, null)
  assert.equal(seen['options'], { kind: 'CreateOptions', apiVersion: 'meta.orch.io/v1', fieldManager: 'me' })
  assert.not('subResource' in seen)
})
fields('has the user', async () => {
  await world.create('fields', 'who')
  const { username, groups } = (await request())['userInfo'] as { username: string; groups: string[] }
  assert.is(username, 'test-administrator')
  assert.ok(groups.includes('system:authenticated'))
})
fields('has another uid for every call', async () => {
  await world.create('fields', 'u1')
  const first = await request()
  await world.create('fields', 'u2')
  assert.is.not((await request()).uid, first.uid)
})
fields('carries the old object and UpdateOptions for an update, a patch and an apply', async () => {
  await world.create('fields', 'changed', { data: { k: '1' } })
  await request()
  const writes: [string, unknown, string, string?][] = [
    ['PUT', { metadata: { name: 'changed' }, data: { k: '2' } }, ''],
    ['PATCH', { data: { k: '3' } }, '', 'application/merge-patch+json'],
    [
      'PATCH',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'changed' }, data: { k: '4' } },
      '?fieldManager=applier&force=true',
      'application/apply-patch+yaml',
    ],
  ]
  for (const [i, [method, body, query, type]] of writes.entries()) {
    assert.is((await world.send(method, `${configMaps}/changed${query}`, body, type)).status, 200)
    const seen = await request()
    assert.is(seen.operation, 'UPDATE')
    assert.equal([seen.oldObject?.['data'], seen.object?.['data']], [{ k: String(i + 1) }, { k: String(i + 2) }])
    assert.equal((seen['options'] as { kind: string }).kind, 'UpdateOptions')
    assert.not('force' in (seen['options'] as object))
  }
})
fields('carries only the old object for a deletion, with its options', async () => {
  await world.create('fields', 'gone')
  await request()
  await world.send('DELETE', `${configMaps}/gone`, { gracePeriodSeconds: 0, propagationPolicy: 'Background' })
  const seen = await request()
  assert.equal([seen.operation, seen.name, seen.object], ['DELETE', 'gone', null])
  assert.is(seen.oldObject?.metadata['name'], 'gone')
  assert.equal(seen['options'], {
    kind: 'DeleteOptions',
    apiVersion: 'meta.orch.io/v1',
    gracePeriodSeconds: 0,
    propagationPolicy: 'Background',
  })
})
fields('comes once for every object of a deletecollection, without a name in the request', async () => {
  for (const name of ['d1', 'd2']) await world.create('fields', name, { metadata: { labels: { go: 'now' } } })
  await world.webhook.takeCalls('/fields/a')
  await world.send('DELETE', `${configMaps}?labelSelector=go%3Dnow`)
  const calls = await world.webhook.takeCalls('/fields/a')
  assert.equal(calls.map(({ review }) => review.request.oldObject?.metadata['name']).sort(), ['d1', 'd2'])
  for (const { review } of calls) assert.is(review.request.name, undefined)
})
fields('is marked as a dry run', async () => {
  await world.create('fields', 'dry', {}, '?dryRun=All')
  const seen = await request()
  assert.is(seen['dryRun'], true)
  assert.equal((seen['options'] as { dryRun: string[] }).dryRun, ['All'])
})
fields('shows a mutating webhook the object as it was sent, a validating one as it will be stored', async () => {
  await world.configure('Mutating', 'early', [world.hook('fields', 'm')])
  await world.send('POST', configMaps, { metadata: { generateName: 'gen-' } })
  const early = (await only('/fields/m')).review.request
  assert.equal(
    [early.name, early.object?.metadata['namespace'], early.object?.metadata['uid']],
    Array(3).fill(undefined),
  )
  assert.is(early.object?.metadata['creationTimestamp'], null)
  const late = await request()
  assert.match(String(late.name), /^gen-/)
  assert.equal(late.object?.metadata['name'], late.name)
  assert.is(late.object?.metadata['namespace'], 'fields')
  assert.ok(late.object?.metadata['uid'])
  await world.removeConfiguration('Mutating', 'early')
})
fields('names the subresource', async () => {
  const rule = { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['persistentvolumes/status'] }
  await world.configure('Validating', 'status', [world.hook('fields', 's', { rules: [rule], namespaceSelector: {} })])
  const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } }
  await world.mustSend('POST', '/api/v1/persistentvolumes', { metadata: { name: 'pv' }, spec })
  const type = 'application/merge-patch+json'
  await world.send('PATCH', '/api/v1/persistentvolumes/pv/status', { status: { phase: 'Available' } }, type)
  // The server's own control loop writes the status, too.
  const byClient = ({ review }: SeenCall) =>
    (review.request['userInfo'] as { username: string }).username === 'test-administrator'
  const [seen] = (await world.webhook.takeCalls('/fields/s')).filter(byClient).map(({ review }) => review.request)
  assert.ok(seen)
  assert.equal([seen.subResource, seen['requestSubResource'], seen.namespace], ['status', 'status', undefined])
})
fields('is about the namespace itself when a Namespace is written', async () => {
  const rule = { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['namespaces'], scope: 'Cluster' }
  await world.configure('Validating', 'ns', [
    world.hook('fields', 'n', { rules: [rule], namespaceSelector: { matchLabels: { watched: 'yes' } } }),
  ])
  await world.namespace('unwatched')
  await world.namespace('watched', { watched: 'yes' })
  const seen = (await only('/fields/n')).review.request
  assert.equal([seen.name, seen.namespace, seen.operation], ['watched', 'watched', 'CREATE'])
})
fields('says how long a Pod has left when it is deleted, and only once that it ends', async () => {
  const rule = { operations: ['DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }
  await world.configure('Validating', 'pods', [world.hook('fields', 'pods', { rules: [rule] })])
  const spec = { nodeName: 'n', automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }] }
  await world.mustSend('POST', '/api/v1/namespaces/fields/pods', { metadata: { name: 'ending' }, spec })
  for (const query of ['', '', '?gracePeriodSeconds=60', '?gracePeriodSeconds=0'])
    await world.mustSend('DELETE', `/api/v1/namespaces/fields/pods/ending${query}`)
  const calls = await world.webhook.takeCalls('/fields/pods')
  const graceOf = ({ review }: SeenCall) => (review.request['options'] as Record<string, unknown>)['gracePeriodSeconds']
  assert.equal(calls.map(graceOf), [30, 0])
})
fields('says which Namespace is deleted, and only once that it ends', async () => {
  const rule = { operations: ['DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['namespaces'] }
  await world.configure('Validating', 'ns', [
    world.hook('fields', 'gone', { rules: [rule], namespaceSelector: { matchLabels: { ending: 'yes' } } }),
  ])
  await world.namespace('ending', { ending: 'yes' })
  const finalizers = ['acme.test/kept']
  await world.send('PUT', '/api/v1/namespaces/ending/finalize', {
    metadata: { name: 'ending', labels: { ending: 'yes' } },
    spec: { finalizers },
  })
  for (const _ of [1, 2]) await world.mustSend('DELETE', '/api/v1/namespaces/ending')
  const { options, oldObject } = (await only('/fields/gone')).review.request
  assert.equal((options as Record<string, unknown>)['preconditions'], { uid: oldObject?.metadata['uid'] })
})
fields('has the kind of the action for an action', async () => {
  const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods/eviction'] }
  await world.configure('Validating', 'evict', [world.hook('fields', 'e', { rules: [rule] })])
  const spec = { containers: [{ name: 'c', image: 'i' }] }
  await world.mustSend('POST', '/api/v1/namespaces/fields/pods', { metadata: { name: 'p' }, spec })
  await world.send('POST', '/api/v1/namespaces/fields/pods/p/eviction?dryRun=All', {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: 'p', namespace: 'fields' },
  })
  const seen = (await only('/fields/e')).review.request
  assert.equal(seen['kind'], { group: 'policy', version: 'v1', kind: 'Eviction' })
  assert.equal(seen['resource'], { group: '', version: 'v1', resource: 'pods' })
  assert.equal([seen.object?.kind, seen.object?.apiVersion, seen['dryRun']], ['Eviction', 'policy/v1', true])
})
fields('has old and new of what an action changes', async () => {
  const rule = {
    operations: ['UPDATE'],
    apiGroups: [''],
    apiVersions: ['v1'],
    resources: ['replicationcontrollers/scale'],
  }
  await world.configure('Validating', 'scale', [world.hook('fields', 'sc', { rules: [rule] })])
  const controllers = '/api/v1/namespaces/fields/replicationcontrollers'
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
  const made = await world.mustSend('POST', controllers, {
    metadata: { name: 'rc' },
    spec: { replicas: 1, selector: { a: 'b' }, template },
  })
  await world.mustSend('PUT', `${controllers}/rc/scale`, {
    metadata: { name: 'rc', namespace: 'fields' },
    spec: { replicas: 3 },
  })
  const { oldObject, object, subResource } = (await only('/fields/sc')).review.request
  assert.equal([oldObject?.kind, object?.kind, subResource], ['Scale', 'Scale', 'scale'])
  assert.equal([oldObject?.['spec'], object?.['spec']], [{ replicas: 1 }, { replicas: 3 }])
  // Who looks at a scale can tell which object it was, and which version of it.
  const { uid, resourceVersion } = made.body['metadata'] as Record<string, string>
  assert.equal([oldObject?.metadata['uid'], oldObject?.metadata['resourceVersion']], [uid, resourceVersion])
  await world.send('PATCH', `${controllers}/rc/scale`, { spec: { replicas: 4 } }, 'application/merge-patch+json')
  const patched = (await only('/fields/sc')).review.request
  assert.ok(patched.object?.metadata['resourceVersion'])
  assert.is(patched.object?.metadata['resourceVersion'], patched.oldObject?.metadata['resourceVersion'])
})
fields('is about an action alone, not about what the action does to its object', async () => {
  const resources = ['pods', 'replicationcontrollers']
  const rule = { operations: ['UPDATE', 'DELETE'], apiGroups: [''], apiVersions: ['v1'], resources }
  await world.configure('Validating', 'main', [world.hook('fields', 'main', { rules: [rule] })])
  const inNamespace = '/api/v1/namespaces/fields'
  const containers = [{ name: 'c', image: 'i' }]
  const pod = { metadata: { name: 'bound' }, spec: { automountServiceAccountToken: false, containers } }
  await world.mustSend('POST', `${inNamespace}/pods`, pod)
  await world.mustSend('POST', `${inNamespace}/pods/bound/binding`, {
    metadata: { name: 'bound' },
    target: { kind: 'Node', name: 'n' },
  })
  await world.mustSend('PUT', `${inNamespace}/replicationcontrollers/rc/scale`, {
    metadata: { name: 'rc', namespace: 'fields' },
    spec: { replicas: 2 },
  })
  await world.mustSend('POST', `${inNamespace}/pods/bound/eviction`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: 'bound', namespace: 'fields' },
  })
  assert.equal(await world.webhook.takeCalls('/fields/main'), [])
  await world.mustSend('DELETE', `${inNamespace}/replicationcontrollers/rc`)
  assert.is((await only('/fields/main')).review.request.operation, 'DELETE')
})
fields('is of version v1beta1 for a webhook that knows no other', async () => {
  await world.configure('Validating', 'all', [
    world.hook('fields', 'a', { admissionReviewVersions: ['v7', 'v1beta1'] }),
  ])
  await world.create('fields', 'older')
  assert.is((await only()).review.apiVersion, 'admission.orch.io/v1beta1')
})
fields('the server and the webhook stop', () => world.stop())

fields.run()
