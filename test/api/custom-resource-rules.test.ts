import { customResources } from 'orch/plugins/custom-resources'
import { namespaces } from 'orch/plugins/namespaces'
import { webhooks } from 'orch/plugins/webhooks'
import type { ApiError, ApiObject } from 'orch/sdk'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

/** Rules for custom resources of the reference whose violation would silently lose data. */
const rules = suite('custom resources')

let server: TestServer
rules.before(async () => {
  server = await startServer({ plugins: [namespaces, webhooks, customResources] })
})
rules.after(() => server.stop())

const group = 'example.com'
type Json = Record<string, unknown>
const definitions = () =>
  server.client.resource<ApiObject>({
    group: 'apiextensions.orch.io',
    version: 'v1',
    resource: 'customresourcedefinitions',
  })
const objectsOf = (plural: string, version = 'v1') =>
  server.client.resource<ApiObject>({ group, version, resource: plural })
const open = { type: 'object', 'x-orch-preserve-unknown-fields': true }
const version = (name: string, spec: Json = open, more: Json = {}) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object', properties: { spec, status: open } } },
  ...more,
})
async function define(plural: string, kind: string, versions: Json[], more: Json = {}): Promise<void> {
  await definitions().create({
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: 'Namespaced', names: { plural, kind }, versions, ...more },
  })
  const isEstablished = ({ status }: ApiObject) => JSON.stringify(status).includes('InitialNamesAccepted')
  await definitions().waitFor(`${plural}.${group}`, isEstablished, { timeoutMs: 20_000 })
}
const failure = (work: Promise<unknown>): Promise<{ code: number; message: string }> =>
  work.then(
    () => ({ code: 0, message: '' }),
    (error: ApiError) => error,
  )
const ask = (method: string, path: string, body: unknown, contentType = 'application/json') =>
  fetch(`${server.baseUrl}/apis/${group}/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${server.token}`, 'content-type': contentType },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

rules('without kind or apiVersion are rejected; the client of the sdk adds both', async () => {
  await define('plains', 'Plain', [version('v1')])
  const send = async (body: Json) => (await ask('POST', 'namespaces/default/plains', body)).status
  assert.is(await send({ metadata: { name: 'a' } }), 400)
  assert.is(await send({ kind: 'Plain', metadata: { name: 'a' } }), 400)
  assert.is(await send({ apiVersion: `${group}/v1`, metadata: { name: 'a' } }), 400)
  assert.is(await send({ apiVersion: `${group}/v1`, kind: 'Plain', metadata: { name: 'a' } }), 201)
  const made = await objectsOf('plains')
    .in('default')
    .create({ metadata: { name: 'b' } })
  assert.is(made['kind'], 'Plain')
})

rules('in versions without conversion show only the fields that both have', async () => {
  const number = { type: 'integer' }
  const first = { type: 'object', properties: { size: number, old: number } }
  const second = { type: 'object', properties: { size: number, fresh: { type: 'string', default: 'new' } } }
  await define('pairs', 'Pair', [version('v1', first), version('v2', second)])
  await objectsOf('pairs')
    .in('default')
    .create({ metadata: { name: 'a' }, spec: { size: 1, old: 2 } })
  // Reads apply the defaults of the storage version, as in Kubernetes; those of v2 apply to writes through v2.
  const seen = { size: 1 }
  assert.equal((await objectsOf('pairs', 'v2').in('default').get('a'))['spec'], seen)
  const { items } = await objectsOf('pairs', 'v2').list()
  assert.equal(
    items.map(item => item['spec']),
    [seen],
  )
  assert.equal((await objectsOf('pairs').in('default').get('a'))['spec'], { size: 1, old: 2 })
})

rules('have defaults that satisfy their own rules, or none', async () => {
  const rule = { rule: 'self > 5', message: 'must be more than five' }
  const sized = (value: number) => ({
    type: 'object',
    properties: { size: { type: 'integer', default: value, 'x-orch-validations': [rule] } },
  })
  const { code, message } = await failure(define('rules', 'Rule', [version('v1', sized(3))]))
  assert.is(code, 422)
  assert.match(message, /properties\[size\].default.*must be more than five/)
  await define('rules', 'Rule', [version('v1', sized(7))])
})

const causesOf = async (schema: Json, spec: Json = {}, more: Json = {}): Promise<string[]> => {
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more }]
  const names = { plural: 'wrongs', kind: 'Wrong' }
  const object = {
    metadata: { name: `wrongs.${group}` },
    spec: { group, scope: 'Namespaced', names, versions, ...spec },
  }
  const error = await definitions()
    .create(object, { dryRun: true })
    .then(
      () => undefined,
      (thrown: ApiError) => thrown,
    )
  const causes = (error?.details?.causes ?? []) as { reason?: string; field?: string }[]
  return causes
    .map(({ reason, field }) => `${reason} ${field}`.replaceAll('spec.validation.openAPIV3Schema', 'schema'))
    .sort()
}

const wrongSchemas: Record<string, [schema: Json, causes: string[]]> = {
  'fields of logical junctors are also specified outside of them': [
    {
      type: 'object',
      properties: { spec: open },
      anyOf: [{ properties: { spec: { required: ['x'] }, gone: { minLength: 1 } } }],
    },
    ['FieldValueRequired schema.properties[gone]'],
  ],
  'junctors may declare int-or-string': [
    { type: 'object', properties: { port: { type: 'string', anyOf: [{ type: 'integer' }, { type: 'string' }] } } },
    [],
  ],
  'lists of schemas are invalid, and so may be each of them': [
    { type: 'object', properties: { list: { type: 'array', items: [{ type: 'text' }] } } },
    [
      'FieldValueForbidden schema.properties[list].items',
      'FieldValueNotSupported schema.properties[list].items[0].type',
    ],
  ],
}
for (const [title, [schema, causes]] of Object.entries(wrongSchemas))
  rules(`have schemas in which ${title}`, async () => {
    const found = await causesOf(schema)
    for (const cause of causes) assert.ok(found.includes(cause), `${cause} is not among ${found.join(', ')}`)
    if (causes.length === 0) assert.equal(found, [])
  })

rules(
  'preserve unknown fields only by their schema; defaults and conversion exclude spec.preserveUnknownFields',
  async () => {
    const schema = { type: 'object', properties: { spec: { type: 'object', default: {} } } }
    const found = await causesOf(schema, { preserveUnknownFields: true })
    assert.equal(found, [
      'FieldValueInvalid spec.preserveUnknownFields',
      'FieldValueInvalid spec.preserveUnknownFields',
    ])
  },
)

rules('report one error for a deprecation warning without deprecation', async () => {
  const found = await causesOf({ type: 'object' }, {}, { deprecationWarning: '' })
  assert.equal(found, ['FieldValueInvalid spec.versions[0].deprecationWarning'])
})

rules('keep versions in storedVersions while objects are stored in them', async () => {
  await define('olds', 'Old', [version('v1'), version('v2')])
  await objectsOf('olds')
    .in('default')
    .create({ metadata: { name: 'a' } })
  const name = `olds.${group}`
  const found = await definitions().get(name)
  const spec = found['spec'] as { versions: Json[] }
  const versions = spec.versions.map(each => ({ ...each, storage: each['name'] === 'v2' }))
  await definitions().update({ ...found, spec: { ...spec, versions } })
  const writeStored = async (storedVersions: string[]) => {
    const latest = await definitions().get(name)
    const status = { ...(latest['status'] as Json), storedVersions }
    return failure(definitions().updateSubresource('status', { ...latest, status }))
  }
  assert.is((await writeStored([])).code, 422)
  assert.match((await writeStored(['v2'])).message, /still stored in/)
  assert.is((await writeStored(['v1'])).code, 0, 'no object is stored in the storage version yet')
  await objectsOf('olds')
    .in('default')
    .patch('a', { spec: { moved: true } })
  assert.is((await writeStored(['v2'])).code, 0)
})

const scaled = (plural: string, kind: string) =>
  define(plural, kind, [
    version('v1', open, {
      subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
    }),
  ])

rules('are scaled by concurrent applies, but not by a strategic merge patch', async () => {
  await scaled('rows', 'Row')
  await objectsOf('rows')
    .in('default')
    .create({ metadata: { name: 'a' }, spec: { n: 1 } })
  const apply = (replicas: number) =>
    ask(
      'PATCH',
      `namespaces/default/rows/a/scale?fieldManager=m${replicas}&force=true`,
      { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a' }, spec: { replicas } },
      'application/apply-patch+yaml',
    )
  const codes = await Promise.all(Array.from({ length: 60 }, (_, index) => apply(index + 1)))
  assert.equal([...new Set(codes.map(({ status }) => status))], [200])
  const patch = { spec: { replicas: 3 } }
  const strategic = 'application/strategic-merge-patch+json'
  assert.is((await ask('PATCH', 'namespaces/default/rows/a/scale', patch, strategic)).status, 415)
})

rules('that are cluster-scoped cannot be selected by namespace', async () => {
  await define('globes', 'Globe', [version('v1')], { scope: 'Cluster' })
  assert.is((await ask('GET', 'globes?fieldSelector=metadata.namespace%3Da', undefined)).status, 400)
  assert.is((await ask('GET', 'globes?fieldSelector=metadata.name%3Da', undefined)).status, 200)
})

rules('may embed complete objects with their own metadata', async () => {
  const embedded = {
    type: 'object',
    'x-orch-embedded-resource': true,
    properties: { metadata: { type: 'object', properties: { name: { type: 'string' } } } },
  }
  await define('holders', 'Holder', [version('v1', { type: 'object', properties: { template: embedded } })])
  const template = { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'x', namespace: 'y' } }
  const body = { apiVersion: `${group}/v1`, kind: 'Holder', metadata: { name: 'a' }, spec: { template } }
  const answer = await ask('POST', 'namespaces/default/holders?fieldValidation=Strict', body)
  assert.is(answer.status, 201, await answer.clone().text())
  assert.equal(((await answer.json()) as { spec: Json }).spec, { template })
})

rules('have OpenAPI that marks values of any type in definitions', async () => {
  const headers = { authorization: `Bearer ${server.token}`, accept: 'application/json' }
  const document = (await (await fetch(`${server.baseUrl}/openapi/v2`, { headers })).json()) as {
    definitions: Record<string, Json>
  }
  const names = Object.keys(document.definitions).filter(name => /\.JSON$|JSONSchemaPropsOr/.test(name))
  assert.is(names.length, 4)
  for (const name of names) assert.is(document.definitions[name]?.['type'], undefined, name)
})

rules('are applied with fields that the schema does not mention where it says nothing; they are pruned', async () => {
  const closed = { type: 'object', properties: { a: { type: 'string' } } }
  const spec = {
    type: 'object',
    properties: {
      template: { type: 'object', properties: { metadata: { type: 'object' }, name: { type: 'string' } } },
      tags: { type: 'object', 'x-orch-map-type': 'atomic' },
      loose: { ...open, properties: { inner: closed, list: { type: 'array', items: closed } } },
      closed,
      at: { type: 'string', format: 'date-time' },
    },
  }
  await define('frames', 'Frame', [version('v1', spec)])
  const apply = async (name: string, value: Json) => {
    const body = { apiVersion: `${group}/v1`, kind: 'Frame', metadata: { name }, spec: value }
    const path = `namespaces/default/frames/${name}?fieldManager=tests`
    const answer = await ask('PATCH', path, body, 'application/apply-patch+yaml')
    return [answer.status, ((await answer.json()) as { spec?: Json }).spec]
  }
  const labels = { labels: { a: 'b' } }
  assert.equal(await apply('a', { template: { metadata: labels, name: 'n' } }), [
    201,
    { template: { metadata: {}, name: 'n' } },
  ])
  assert.equal(await apply('b', { tags: { a: 1 } }), [201, { tags: {} }])
  const inner = { a: 'x', b: 'y' }
  assert.equal(await apply('c', { loose: { inner, list: [inner], c: 1 } }), [
    201,
    { loose: { inner: { a: 'x' }, list: [{ a: 'x' }], c: 1 } },
  ])
  assert.is((await apply('d', { closed: inner }))[0], 400)
  // A value of a format is judged by the schema, which names the field.
  assert.is((await apply('e', { at: 5 }))[0], 422)
  assert.equal(await apply('f', { at: '2024-01-01T00:00:00Z' }), [201, { at: '2024-01-01T00:00:00Z' }])
})

rules.run()
