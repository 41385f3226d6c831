import { type ApiObject, definePlugin, field, internalError, Kind, Struct, Text } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { withServer } from './with-server.js'

const group = 'mirrors.test'
const schemaOf = (version: string, side: string) =>
  Kind(`mirrors.${version}.Mirror`, {
    spec: field(2, Struct(`mirrors.${version}.MirrorSpec`, { [side]: field(1, Text()), note: field(2, Text()) })),
  })

/** What v1 calls left, v2 calls right. The conversion is asynchronous and may fail. */
function mirrors(storage: 'v1' | 'v2', calls: string[] = [], defaults: (mirror: ApiObject) => void = () => {}) {
  return definePlugin({
    name: 'mirrors',
    register(to) {
      to.resource({
        group,
        kind: 'Mirror',
        resource: 'mirrors',
        namespaced: true,
        unstructured: true,
        versions: [
          { name: 'v2', schema: schemaOf('v2', 'right'), storage: storage === 'v2' },
          { name: 'v1', schema: schemaOf('v1', 'left'), storage: storage === 'v1', defaults },
        ],
        async conversion(objects, from, next) {
          calls.push(`${objects.length} ${from} to ${next}`)
          await new Promise(resolve => setTimeout(resolve, 1))
          return objects.map(object => {
            const { note, left, right } = (object['spec'] ?? {}) as Record<string, string>
            if (note === 'cracked') throw internalError('the glass is broken')
            const moved = next === 'v2' ? { right: left } : { left: right }
            return { metadata: object.metadata, spec: { ...moved, ...(note === undefined ? {} : { note }) } }
          })
        },
      })
    },
  })
}

const path = (version: string, name = '') =>
  `/apis/${group}/${version}/namespaces/n/mirrors${name === '' ? '' : `/${name}`}`
const specOf = (answer: { json: unknown }) => (answer.json as ApiObject)['spec']
const mirror = (name: string, spec: object) => ({ metadata: { name }, spec })
const merge = { 'content-type': 'application/merge-patch+json' }

const outside = suite('objects that are converted by a webhook')

outside('are read and written through every version', () =>
  withServer({ plugins: [mirrors('v1')] }, async ({ ask }) => {
    const created = await ask('POST', path('v2'), mirror('a', { right: 'door' }))
    assert.is(created.status, 201)
    assert.equal(specOf(created), { right: 'door' })
    assert.equal(specOf(await ask('GET', path('v1', 'a'))), { left: 'door' })
    assert.equal(specOf(await ask('PATCH', path('v2', 'a'), { spec: { right: 'wall' } }, merge)), { right: 'wall' })
    const current = (await ask('GET', path('v2', 'a'))).json as unknown as ApiObject
    assert.equal(current.apiVersion, `${group}/v2`)
    assert.is(current.metadata.generation, 2)
    const put = await ask('PUT', path('v2', 'a'), { ...current, spec: { right: 'hall' } })
    assert.equal([put.status, specOf(put)], [200, { right: 'hall' }])
    assert.equal(specOf(await ask('GET', path('v1', 'a'))), { left: 'hall' })
    const same = await ask('PATCH', path('v2', 'a'), { spec: { right: 'hall' } }, merge)
    assert.equal(same.json.metadata['resourceVersion'], put.json.metadata['resourceVersion'], 'nothing was written')
    assert.is((await ask('DELETE', path('v2', 'a'))).status, 200)
    assert.is((await ask('GET', path('v1', 'a'))).status, 404)
  }),
)

outside('have only the defaults of the version that they were sent in when they are converted', async () => {
  const seen: unknown[] = []
  const fill = (object: ApiObject) => {
    seen.push(structuredClone(object['spec']))
    const spec = object['spec'] as Record<string, string>
    spec['left'] ??= 'default'
  }
  await withServer({ plugins: [mirrors('v1', [], fill)] }, async ({ ask }) => {
    const created = await ask('POST', path('v2'), { metadata: { generateName: 'a' }, spec: { right: 'door' } })
    assert.equal([created.status, specOf(created)], [201, { right: 'door' }])
    assert.equal(
      specOf(await ask('PATCH', path('v2', created.json.metadata['name']), { spec: { right: 'wall' } }, merge)),
      {
        right: 'wall',
      },
    )
    assert.not(
      seen.some(spec => 'right' in (spec as object)),
      'defaults of v1 were applied to an object of v2',
    )
    assert.equal(specOf(await ask('POST', path('v1'), mirror('b', {}))), { left: 'default' })
  })
})

outside('are converted in batches in lists and watches, in order', async () => {
  const calls: string[] = []
  await withServer({ plugins: [mirrors('v1', calls)] }, async ({ ask, clientOf }) => {
    for (let i = 0; i < 20; i++) await ask('POST', path('v1'), mirror(`m${10 + i}`, { left: String(i) }))
    calls.length = 0
    const { items } = (await ask('GET', path('v2'))).json as unknown as { items: ApiObject[] }
    assert.equal(
      items.map(each => (each['spec'] as { right: string }).right),
      [...Array(20).keys()].map(String),
    )
    assert.equal(calls, ['20 v1 to v2'])
    const stop = new AbortController()
    const seen: string[] = []
    const watching = (async () => {
      const events = clientOf().resource({ group, version: 'v2', resource: 'mirrors' }).in('n')
      for await (const { type, object } of events.watch({ signal: stop.signal }))
        seen.push(`${type} ${(object as unknown as { spec: { right: string } }).spec.right}`)
    })().catch(() => {})
    await eventually('the state', () => seen.length === 20)
    calls.length = 0
    const changes = Array.from({ length: 20 }, (_, i) =>
      ask('PATCH', path('v1', `m${10 + i}`), { spec: { left: `new ${i}` } }, merge),
    )
    await Promise.all(changes)
    await eventually('the changes', () => seen.length === 40)
    assert.equal(new Set(seen.slice(20)).size, 20)
    assert.ok(calls.length < 20, `${calls.length} calls for 20 events`)
    stop.abort()
    await watching
  })
})

outside('stay unchanged if the conversion fails, and the error has the reason', () =>
  withServer({ plugins: [mirrors('v1')] }, async ({ ask }) => {
    assert.is((await ask('POST', path('v1'), mirror('a', { left: 'x', note: 'cracked' }))).status, 201)
    const refused = await ask('GET', path('v2', 'a'))
    assert.equal([refused.status, /the glass is broken/.test(refused.text)], [500, true])
    assert.is((await ask('GET', path('v2'))).status, 500)
    assert.is((await ask('POST', path('v2'), mirror('b', { right: 'x', note: 'cracked' }))).status, 500)
    const { items } = (await ask('GET', path('v1'))).json
    assert.equal(
      items.map(each => each.metadata['name']),
      ['a'],
    )
  }),
)

outside(
  'are read in their stored version after the storage version changes, and rewritten in the new one',
  async () => {
    const folder = temporaryFolder()
    const dataDir = folder.path
    await withServer({ plugins: [mirrors('v1')], dataDir }, async ({ ask }) => {
      await ask('POST', path('v1'), mirror('a', { left: 'door' }))
      await ask('POST', path('v1'), mirror('b', { left: 'wall' }))
    })
    const calls: string[] = []
    await withServer({ plugins: [mirrors('v2', calls)], dataDir }, async ({ ask }) => {
      assert.equal(specOf(await ask('GET', path('v1', 'a'))), { left: 'door' })
      assert.equal(calls, [])
      assert.equal(specOf(await ask('GET', path('v2', 'a'))), { right: 'door' })
      // An empty change rewrites it in the current storage version.
      await ask('PATCH', path('v2', 'a'), {}, merge)
      calls.length = 0
      assert.equal(specOf(await ask('GET', path('v2', 'a'))), { right: 'door' })
      assert.equal(calls, [])
      const { items } = (await ask('GET', path('v2'))).json as unknown as { items: ApiObject[] }
      assert.equal(
        items.map(each => each['spec']),
        [{ right: 'door' }, { right: 'wall' }],
      )
      assert.equal(calls, ['1 v1 to v2'])
    })
    folder.remove()
  },
)

outside('are applied through several versions: a manager keeps its fields, and others get conflicts', () =>
  withServer({ plugins: [mirrors('v1')] }, async ({ ask }) => {
    const apply = (version: string, manager: string, spec: object, force = false) =>
      ask(
        'PATCH',
        `${path(version, 'a')}?fieldManager=${manager}&force=${force}`,
        { apiVersion: `${group}/${version}`, kind: 'Mirror', metadata: { name: 'a' }, spec },
        { 'content-type': 'application/apply-patch+yaml' },
      )
    assert.is((await apply('v1', 'one', { left: 'door', note: 'n' })).status, 201)
    const moved = await apply('v2', 'one', { right: 'wall', note: 'n' })
    assert.equal([moved.status, specOf(moved)], [200, { right: 'wall', note: 'n' }])
    assert.equal(specOf(await ask('GET', path('v1', 'a'))), { left: 'wall', note: 'n' })
    assert.is((await apply('v1', 'two', { left: 'roof' })).status, 409)
    assert.is((await apply('v2', 'two', { right: 'roof' })).status, 409)
    const same = await apply('v1', 'two', { left: 'wall' })
    assert.is(same.status, 200)
    const forced = await apply('v1', 'two', { left: 'roof' }, true)
    assert.equal([forced.status, specOf(forced)], [200, { left: 'roof', note: 'n' }])
    assert.is((await apply('v2', 'one', { right: 'wall', note: 'n' })).status, 409)
    const withdrawn = await apply('v2', 'one', {})
    assert.equal([withdrawn.status, specOf(withdrawn)], [200, { right: 'roof' }])
    const patched = await ask('PATCH', path('v2', 'a'), { spec: { right: 'hall' } }, merge)
    assert.equal(specOf(patched), { right: 'hall' })
    assert.is((await apply('v1', 'two', { left: 'roof' })).status, 409)
  }),
)

outside.run()
