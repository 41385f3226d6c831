import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ApiError } from '../resource/api-errors.js'
import { Kind } from '../resource/meta.js'
import { defineResource } from '../resource/resource.js'
import { required, Struct, Text } from '../resource/schema.js'
import { answer, FakeApi } from '../testing/fake-api.js'
import { fakeClock } from '../testing/fake-clock.js'
import type { Transport, TransportRequest } from './client.js'
import { createClient } from './create-client.js'
import { ConnectionError } from './error-answers.js'

const widgets = { group: 'acme.test', version: 'v1', resource: 'widgets' }
const path = '/apis/acme.test/v1/namespaces/a/widgets'

/** Returns the given responses in order, and records the requests. */
function scripted(...answers: (() => ReturnType<typeof answer>)[]) {
  const sent: TransportRequest[] = []
  const transport: Transport = async request => {
    sent.push(request)
    return (answers[sent.length - 1] ?? answers.at(-1) ?? (() => answer(200, {})))()
  }
  return { sent, transport }
}
async function failure(work: Promise<unknown>): Promise<ApiError> {
  try {
    await work
  } catch (error) {
    assert.instance(error, ApiError)
    return error as ApiError
  }
  throw new Error('expected a failure')
}

const client = suite('client')

client(
  'a name that cannot be a path segment is rejected before anything is sent, and find returns undefined for it',
  async () => {
    const { sent, transport } = scripted()
    const collection = createClient({ transport }).resource(widgets)
    for (const name of ['a/b', '../x', '..', '.', 'a%2fb', '']) {
      const inA = collection.in('a')
      const object = { metadata: { name } }
      assert.is(await inA.find(name), undefined)
      const refused = [
        () => inA.get(name),
        () => inA.update(object),
        () => inA.patch(name, {}),
        () => inA.delete(name),
        () => inA.getSubresource(name, 'scale'),
        () => inA.getSubresource('x', 'scale/../y'),
        () => inA.createSubresource(name, 'token', {}),
        () => (name === '' ? inA.get(name) : collection.in(name).list()),
      ]
      for (const refuse of refused) assert.is((await failure(refuse())).code, 400, name)
    }
    assert.equal(sent, [])
  },
)

client('every verb has its path, query and body', async () => {
  const { sent, transport } = scripted()
  const inA = createClient({ transport }).resource(widgets).in('a')
  const object = { metadata: { name: 'x', namespace: 'a' } }
  await inA.get('x')
  await inA.create(object, { dryRun: true, fieldManager: 'me', fieldValidation: 'Strict' })
  await inA.update(object)
  await inA.updateSubresource('status', object)
  await inA.createSubresource('x', 'token', { spec: 1 })
  await inA.patch('x', [], { type: 'json', subresource: 'status' })
  await inA.apply(object, { fieldManager: 'me', force: true })
  await inA.delete('x', { propagationPolicy: 'Foreground', dryRun: true })
  await inA.deleteCollection({ labelSelector: 'a in (b, c)' })
  assert.equal(
    sent.map(one => `${one.method} ${one.path}`),
    [
      `GET ${path}/x`,
      `POST ${path}?dryRun=All&fieldManager=me&fieldValidation=Strict`,
      `PUT ${path}/x`,
      `PUT ${path}/x/status`,
      `POST ${path}/x/token`,
      `PATCH ${path}/x/status`,
      `PATCH ${path}/x?fieldManager=me&force=true`,
      `DELETE ${path}/x`,
      `DELETE ${path}?labelSelector=a%20in%20(b%2C%20c)`,
    ],
  )
  assert.is(sent[5]?.headers['content-type'], 'application/json-patch+json')
  assert.is(sent[6]?.headers['content-type'], 'application/apply-patch+yaml')
  assert.equal(JSON.parse(String(sent[7]?.body)), {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    propagationPolicy: 'Foreground',
    dryRun: ['All'],
  })
})

client('an object carries its own namespace when the collection names none', async () => {
  const { sent, transport } = scripted()
  await createClient({ transport })
    .resource(widgets)
    .update({ metadata: { name: 'x', namespace: 'b' } })
  assert.is(sent[0]?.path, '/apis/acme.test/v1/namespaces/b/widgets/x')
})

client('a name cannot change the path', async () => {
  const { sent, transport } = scripted()
  await createClient({ transport }).resource({ group: '', version: 'v1', resource: 'things' }).get('x?y#z')
  assert.is(sent[0]?.path, '/api/v1/things/x%3Fy%23z')
})

client('a Status becomes an ApiError with code, reason and details', async () => {
  const status = {
    kind: 'Status',
    code: 422,
    reason: 'Invalid',
    message: 'no',
    details: { causes: [{ field: 'spec' }] },
  }
  const { transport } = scripted(() => answer(422, status))
  const error = await failure(createClient({ transport }).resource(widgets).create({ metadata: {} }))
  assert.equal([error.code, error.reason, error.message], [422, 'Invalid', 'no'])
  assert.equal(error.details, { causes: [{ field: 'spec' }] })
})

client('a response that is not a Status becomes an error with an excerpt', async () => {
  const { transport } = scripted(() => answer(502, 'bad gateway'))
  const error = await failure(createClient({ transport }).request({ method: 'GET', path: '/x', headers: {} }))
  assert.is(error.code, 502)
  assert.match(error.message, 'bad gateway')
})

client('find distinguishes a missing object from a path that is not served', async () => {
  const api = new FakeApi()
  assert.is(await createClient({ transport: api.transport }).resource(widgets).in('a').find('x'), undefined)
  const { transport } = scripted(() => answer(404, { kind: 'Status', code: 404, reason: 'NotFound', details: {} }))
  assert.is((await failure(createClient({ transport }).resource(widgets).find('x'))).code, 404)
})

client('a request to a busy server is retried after Retry-After, whatever the verb', async () => {
  const clock = fakeClock()
  const busy = () => answer(429, { kind: 'Status', code: 429 }, { 'retry-after': '3' })
  const { sent, transport } = scripted(busy, busy, () => answer(201, { metadata: { name: 'x' } }))
  const created = createClient({ transport, clock })
    .resource(widgets)
    .create({ metadata: { name: 'x' } })
  await clock.advance(2_900)
  assert.is(sent.length, 1)
  await clock.advance(3_200)
  assert.is((await created).metadata.name, 'x')
  assert.is(sent.length, 3)
  assert.is(clock.pending, 0)
})

client('a 429 without Retry-After is not retried', async () => {
  const clock = fakeClock()
  const { sent, transport } = scripted(() => answer(429, { kind: 'Status', code: 429, reason: 'TooManyRequests' }))
  assert.is((await failure(createClient({ transport, clock }).resource(widgets).get('x'))).code, 429)
  assert.equal([sent.length, clock.pending], [1, 0])
})

client('a server that stays busy is eventually an error', async () => {
  const clock = fakeClock()
  const { transport } = scripted(() => answer(503, { kind: 'Status', code: 503, reason: 'ServiceUnavailable' }))
  const failed = failure(
    createClient({ transport, clock, retries: { busy: 2 } })
      .resource(widgets)
      .get('x'),
  )
  await clock.advance(60_000)
  assert.is((await failed).code, 503)
})

client('after a lost connection only idempotent requests are retried', async () => {
  const clock = fakeClock()
  let attempts = 0
  const transport: Transport = async () => {
    attempts++
    throw new ConnectionError('reset')
  }
  const things = createClient({ transport, clock }).resource(widgets)
  const read = failure(things.get('x'))
  await clock.advance(60_000)
  assert.instance(await read, ConnectionError)
  assert.is(attempts, 4)
  attempts = 0
  await failure(things.create({ metadata: {} }))
  await failure(things.patch('x', {}))
  assert.is(attempts, 2)
})

client('warnings of the server are passed on', async () => {
  const texts: string[] = []
  const { transport } = scripted(() =>
    answer(200, {}, { warning: '299 - "old \\"api\\"", 299 - "second", 199 - "other"' }),
  )
  await createClient({ transport, onWarning: text => texts.push(text) })
    .resource(widgets)
    .get('x')
  assert.equal(texts, ['old "api"', 'second'])
})

client('an aborted request rejects with the reason', async () => {
  const abort = new AbortController()
  const transport: Transport = () => new Promise(() => {})
  const pending = createClient({ transport }).request({ method: 'GET', path: '/', headers: {}, signal: abort.signal })
  abort.abort(new Error('enough'))
  let message = ''
  await pending.catch(error => {
    message = (error as Error).message
  })
  assert.is(message, 'enough')
})

client('a defined type is addressed by its definition and typed by its schema', async () => {
  const Widget = Kind('acme.v1.Widget', {
    spec: required(2, Struct('acme.v1.WidgetSpec', { size: required(1, Text()) })),
  })
  const definition = defineResource({
    group: 'acme.test',
    kind: 'Widget',
    resource: 'widgets',
    namespaced: true,
    versions: [{ name: 'v2', schema: Widget }],
  })
  const { sent, transport } = scripted(() => answer(201, { metadata: { name: 'x' }, spec: { size: 'big' } }))
  const created = await createClient({ transport })
    .of(definition)
    .in('a')
    .create({ metadata: { name: 'x' }, spec: { size: 'big' } })
  const size: string = created.spec.size
  assert.is(size, 'big')
  assert.is(sent[0]?.path, '/apis/acme.test/v2/namespaces/a/widgets')
  assert.is(JSON.parse(String(sent[0]?.body)).kind, 'Widget')
  assert.is(JSON.parse(String(sent[0]?.body)).apiVersion, 'acme.test/v2')
})

client('kinds are found by discovery, and versions by preference', async () => {
  const kind = (name: string, more = {}) => ({ name, kind: 'Widget', namespaced: true, verbs: ['get'], ...more })
  const pages: Record<string, unknown> = {
    '/api': { versions: ['v1'] },
    '/api/v1': { resources: [{ name: 'pods', kind: 'Pod', singularName: '', shortNames: ['po'] }] },
    '/apis': {
      groups: [
        { name: 'acme.test', versions: [{ version: 'v2' }, { version: 'v1' }], preferredVersion: { version: 'v1' } },
        { name: 'broken.test', versions: [{ version: 'v1' }] },
      ],
    },
    '/apis/acme.test/v1': { resources: [kind('widgets', { shortNames: ['wd'] }), kind('widgets/status')] },
    '/apis/acme.test/v2': { resources: [kind('widgets')] },
  }
  const asked: string[] = []
  const transport: Transport = async request => {
    asked.push(request.path)
    return request.path in pages ? answer(200, pages[request.path]) : answer(500, {})
  }
  const api = createClient({ transport })
  const kinds = await api.kinds()
  assert.is(kinds.find('Widget')?.version, 'v1')
  assert.is(kinds.find('Widget', 'acme.test/v2')?.version, 'v2')
  assert.equal(kinds.find('Widget')?.subresources, ['status'])
  for (const name of ['widgets', 'Widget', 'wd', 'widgets.acme.test', 'widget.v1.acme.test'])
    assert.is(kinds.findByName(name)?.version, 'v1', name)
  assert.is(kinds.findByName('widgets.v2.acme.test')?.version, 'v2')
  assert.is(kinds.findByName('nothing'), undefined)
  assert.equal(kinds.unavailable, ['broken.test/v1'])
  await api
    .resource({ ...widgets, version: '' })
    .in('a')
    .get('x')
    .catch(() => {})
  assert.is(asked.at(-1), `${path}/x`)
})
client.run()
