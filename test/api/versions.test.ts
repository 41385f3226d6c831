import { type ApiObject, definePlugin, field, Kind, ListOf, Struct, Text } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withServer } from './with-server.js'

const old = '/apis/widgets.test/v1beta1/namespaces/n/widgets'

const versions = suite('a type in two versions')

versions('an object that is written in one version can be read in the other', () =>
  withServer({}, async ({ ask, path }) => {
    const made = await ask('POST', old, { metadata: { name: 'a' }, spec: { paint: 'red', size: 3 } })
    assert.is(made.status, 201)
    assert.equal(made.json['spec'], { paint: 'red', size: 3 })
    const read = await ask('GET', `${path}/a`)
    assert.equal(read.json['spec'], { color: 'red', size: 3 })
    assert.is(read.json['apiVersion'], 'widgets.test/v1')
  }),
)

versions('lists, patches and updates use the version of the path', () =>
  withServer({}, async ({ ask, path }) => {
    await ask('POST', path, { metadata: { name: 'a' }, spec: { color: 'red' } })
    const list = await ask('GET', old)
    assert.is(list.json['apiVersion'], 'widgets.test/v1beta1')
    assert.equal((list.json.items[0] as never as { spec: unknown }).spec, { paint: 'red' })
    const patched = await ask(
      'PATCH',
      `${old}/a`,
      { spec: { paint: 'blue' } },
      { 'content-type': 'application/merge-patch+json' },
    )
    assert.equal(patched.json['spec'], { paint: 'blue' })
    assert.equal((await ask('GET', `${path}/a`)).json['spec'], { color: 'blue' })
  }),
)

versions('a deprecated version warns, and is counted', () =>
  withServer({}, async ({ ask }) => {
    const answer = await ask('GET', old)
    assert.match(
      answer.headers.get('warning') ?? '',
      /299 - "widgets.test\/v1beta1 Widget is deprecated.*use widgets.test\/v1 Widget"/,
    )
    const metrics = await ask('GET', '/metrics')
    assert.match(
      metrics.text,
      /apiserver_requested_deprecated_apis\{group="widgets.test",version="v1beta1",.*removed_release="2.0"\} 1/,
    )
  }),
)

versions('a disabled version is not served, but its objects are kept', () =>
  withServer({ options: { runtimeConfig: { 'widgets.test/v1beta1': 'false' } } }, async ({ ask, path }) => {
    assert.is((await ask('GET', old)).status, 404)
    assert.is((await ask('GET', path)).status, 200)
  }),
)

versions('a watch uses the version of the path', () =>
  withServer({}, async ({ ask, path, clientOf }) => {
    await ask('POST', path, { metadata: { name: 'a' }, spec: { color: 'red' } })
    const client = clientOf()
    const watched = client.resource<{ metadata: object; spec: unknown }>({
      group: 'widgets.test',
      version: 'v1beta1',
      resource: 'widgets',
    })
    for await (const event of watched.in('n').watch({ timeoutSeconds: 5 })) {
      assert.equal(event.object.spec, { paint: 'red' })
      break
    }
    await client.close()
  }),
)

interface Shelf extends ApiObject {
  spec?: { boards?: { width: string }[] }
}
const board = (version: string) =>
  ListOf(Struct(`shelves.${version}.Board`, { width: field(1, Text({ maxLength: 8 })) }))
const shelfOf = (version: string) =>
  Kind(`shelves.${version}.Shelf`, {
    spec: field(2, Struct(`shelves.${version}.Spec`, { boards: field(1, board(version)) })),
  })
/** Accesses nested fields, as conversions of real types do. */
const converted = ({ spec, ...rest }: Shelf) => ({
  ...rest,
  spec: { boards: (spec?.boards ?? []).map(({ width }) => ({ width })) },
})
const shelves = definePlugin({
  name: 'shelves',
  register: to =>
    to.resource({
      group: 'shelves.test',
      kind: 'Shelf',
      resource: 'shelves',
      namespaced: true,
      versions: [
        { name: 'v1', schema: shelfOf('v1'), storage: true },
        { name: 'v1beta1', schema: shelfOf('v1beta1'), toStorage: converted, fromStorage: converted },
      ],
    }),
})

versions('a null that is applied in one version does not reach the conversion to another', () =>
  withServer({ plugins: [shelves] }, async ({ ask }) => {
    const path = (version: string) => `/apis/shelves.test/${version}/namespaces/n/shelves`
    const shelf = (boards: unknown[]) => ({
      apiVersion: 'shelves.test/v1beta1',
      kind: 'Shelf',
      metadata: { name: 'a' },
      spec: { boards },
    })
    assert.is(
      (await ask('POST', path('v1'), { metadata: { name: 'a' }, spec: { boards: [{ width: '1' }] } })).status,
      201,
    )
    const apply = (boards: unknown[]) =>
      ask('PATCH', `${path('v1beta1')}/a?fieldManager=one&force=true`, shelf(boards), {
        'content-type': 'application/apply-patch+yaml',
      })
    assert.is((await apply([{ width: '2' }])).status, 200)
    const answer = await apply([{ width: '3' }, null])
    assert.is(answer.status, 200, answer.text)
    assert.equal(answer.json['spec'], { boards: [{ width: '3' }, {}] })
  }),
)

versions('a body with thousands of errors is rejected in two versions as fast as in one', () =>
  withServer({ plugins: [shelves] }, async ({ ask }) => {
    const boards = Array.from({ length: 19_990 }, () => ({ width: 'x'.repeat(9) }))
    const cpu = process.cpuUsage()
    const path = '/apis/shelves.test/v1beta1/namespaces/n/shelves'
    const answer = await ask('POST', path, { metadata: { name: 'a' }, spec: { boards } })
    const { user, system } = process.cpuUsage(cpu)
    assert.equal([answer.status, (answer.json['details'] as never as { causes: [] }).causes.length], [422, 100])
    assert.ok(user + system < 2_000_000, `${user + system} us`)
  }),
)

versions('ownership follows a field from one version to the other', () =>
  withServer({}, async ({ ask, path }) => {
    const apply = { 'content-type': 'application/apply-patch+yaml' }
    const body = { apiVersion: 'widgets.test/v1beta1', kind: 'Widget', metadata: { name: 'a' }, spec: { paint: 'red' } }
    assert.is((await ask('PATCH', `${old}/a?fieldManager=one`, body, apply)).status, 201)
    const newer = { apiVersion: 'widgets.test/v1', kind: 'Widget', metadata: { name: 'a' }, spec: { color: 'blue' } }
    const conflict = await ask('PATCH', `${path}/a?fieldManager=two`, newer, apply)
    assert.is(conflict.status, 409)
    // The conflict names the field in the version of its owner.
    assert.match(conflict.text, /spec\.paint/)
  }),
)

versions.run()
