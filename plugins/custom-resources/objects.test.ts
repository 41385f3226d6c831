import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { customResources } from './plugin.js'

const server = await startServer({
  vendor: 'kubernetes',
  plugins: ['orch/plugins/namespaces', 'orch/plugins/webhooks', customResources],
})
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const collection = '/apis/example.com/v1/widgets'

interface Answer {
  readonly status: number
  readonly json: Record<string, never> & { details?: { kind?: string; causes?: { reason: string; field: string }[] } }
}
async function ask(method: string, path: string, body?: object, type = 'application/json'): Promise<Answer> {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': type }
  const answer = await fetch(server.baseUrl + path, { method, headers, body: body && JSON.stringify(body) })
  const text = await answer.text()
  return { status: answer.status, json: text.startsWith('{') ? JSON.parse(text) : {} }
}
const merge = (path: string, body: object) => ask('PATCH', path, body, 'application/merge-patch+json')
const causesOf = ({ json }: Answer) => json.details?.causes?.map(({ reason, field }) => `${reason} ${field}`)

const spec = (tags: object) => ({
  type: 'object',
  properties: {
    tags: { type: 'array', items: { type: 'string' }, ...tags },
    inner: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    at: { type: 'string' },
  },
})
const versionOf = (tags: object) => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: spec(tags) } } },
  additionalPrinterColumns: [{ name: 'At', type: 'date', jsonPath: '.spec.at' }],
})
const definition = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [versionOf({})],
  },
}
const widget = (name: string, more: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name },
  ...more,
})
async function untilServed(path = collection): Promise<void> {
  const end = Date.now() + 60_000
  while ((await ask('GET', path)).status !== 200) assert.ok(Date.now() < end, 'the type is served in time')
}

const objects = suite('objects of custom resources')
objects.before(async () => {
  assert.is((await ask('POST', definitions, definition)).status, 201)
  await untilServed()
})
objects.after(() => server.stop())

objects('must have the kind and version of the path', async () => {
  const { kind: _, ...unnamed } = widget('a')
  assert.is((await ask('POST', collection, unnamed)).status, 400)
  assert.is((await ask('POST', collection, { metadata: { name: 'a' } })).status, 400)
  // The version is checked first.
  assert.is((await ask('POST', collection, { ...widget('b'), apiVersion: 'v1', kind: 'List' })).status, 400)
  const other = await ask('POST', collection, { ...widget('b'), kind: 'Other' })
  assert.equal([other.status, causesOf(other)], [422, ['FieldValueInvalid kind']])
})

objects('keep their kind and version when they are patched', async () => {
  await ask('POST', collection, widget('p'))
  const kind = await merge(`${collection}/p`, { kind: 'Other' })
  assert.equal([kind.status, causesOf(kind), kind.json.details?.kind], [422, ['FieldValueInvalid kind'], 'Other'])
  const version = await merge(`${collection}/p`, { apiVersion: 'example.com/v2' })
  assert.equal([version.status, causesOf(version)], [422, ['FieldValueInvalid apiVersion']])
  const none = await merge(`${collection}/p`, { kind: null })
  assert.equal([none.status, causesOf(none)], [422, ['FieldValueInvalid patch']])
})

objects(
  'keep their namespace when they are patched: another one is refused as in an update, not as an error of the patch',
  async () => {
    const names = { plural: 'parts', kind: 'Part' }
    const spec = { ...definition.spec, scope: 'Namespaced', names }
    assert.is((await ask('POST', definitions, { metadata: { name: 'parts.example.com' }, spec })).status, 201)
    const parts = '/apis/example.com/v1/namespaces/default/parts'
    await untilServed(parts)
    assert.is((await ask('POST', parts, { ...widget('p'), kind: 'Part' })).status, 201)
    const moved = await merge(`${parts}/p`, { metadata: { namespace: 'other' } })
    assert.equal([moved.status, causesOf(moved)], [400, undefined])
  },
)

objects('are not checked by rules if their annotations are too long', async () => {
  const names = { plural: 'ruled', kind: 'Ruled' }
  const rule = { type: 'object', 'x-kubernetes-validations': [{ rule: 'false', message: 'never' }] }
  const versions = [{ ...versionOf({}), schema: { openAPIV3Schema: { type: 'object', properties: { spec: rule } } } }]
  const spec = { ...definition.spec, names, versions }
  assert.is((await ask('POST', definitions, { metadata: { name: 'ruled.example.com' }, spec })).status, 201)
  const ruled = '/apis/example.com/v1/ruled'
  await untilServed(ruled)
  const causesWith = async (annotations: object) =>
    causesOf(
      await ask('POST', ruled, { ...widget('r'), kind: 'Ruled', metadata: { name: 'r', annotations }, spec: {} }),
    )
  assert.equal(await causesWith({}), ['FieldValueInvalid spec'])
  assert.equal(await causesWith({ long: 'x'.repeat(256 * 1024) }), [
    'FieldValueTooLong metadata.annotations',
    'FieldValueInvalid <nil>',
  ])
})

objects('embedded in objects must have a valid kind and version', async () => {
  const causes = async (inner: object) => causesOf(await ask('POST', collection, widget('e', { spec: { inner } })))
  assert.equal(await causes({}), ['FieldValueRequired spec.inner.apiVersion', 'FieldValueRequired spec.inner.kind'])
  assert.equal(await causes({ apiVersion: '', kind: '' }), [
    'FieldValueInvalid spec.inner.apiVersion',
    'FieldValueInvalid spec.inner.kind',
  ])
  const metadata = { name: 'a/b', namespace: 'A', annotations: { 'a b': '' }, finalizers: ['x y'] }
  assert.equal(await causes({ apiVersion: 'v1', kind: 'Pod', metadata }), [
    'FieldValueInvalid spec.inner.metadata.name',
    'FieldValueInvalid spec.inner.metadata.namespace',
    'FieldValueInvalid spec.inner.metadata.annotations',
    'FieldValueInvalid spec.inner.metadata.finalizers',
  ])
})

objects('with an invalid time show <invalid> in a date column', async () => {
  await ask('POST', collection, widget('t1', { spec: { at: '2020-01-01' } }))
  await ask('POST', collection, widget('t2', { spec: { at: '' } }))
  const headers = { authorization: `Bearer ${server.token}`, accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
  const table = await (await fetch(server.baseUrl + collection, { headers })).json()
  const cells = new Map((table as { rows: { cells: string[] }[] }).rows.map(({ cells: [name, at] }) => [name, at]))
  assert.equal([cells.get('t1'), cells.get('t2')], ['<invalid>', '<unknown>'])
})

objects('may keep duplicate items that the schema did not forbid when they were stored', async () => {
  const made = await ask('POST', collection, widget('twice', { spec: { tags: ['a', 'a'] } }))
  assert.is(made.status, 201)
  const unique = versionOf({ 'x-kubernetes-list-type': 'set' })
  const changed = await merge(`${definitions}/widgets.example.com`, { spec: { versions: [unique] } })
  assert.is(changed.status, 200)
  await untilServed()
  assert.is((await merge(`${collection}/twice`, { metadata: { labels: { l: 'x' } } })).status, 200)
  assert.is((await merge(`${collection}/twice`, { spec: { tags: ['a', 'b'] } })).status, 200)
  const again = await merge(`${collection}/twice`, { spec: { tags: ['b', 'b'] } })
  assert.equal([again.status, causesOf(again)], [422, ['FieldValueDuplicate spec.tags[1]']])
})

objects.run()
