import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { garbageCollection } from 'orch/plugins/garbage-collection'
import { namespaces } from 'orch/plugins/namespaces'
import { quotas } from 'orch/plugins/quotas'
import { type ApiObject, definePlugin, field, Kind, Struct, Text } from 'orch/sdk'
import { defineTypeSource } from 'orch/sdk/server'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { widgets } from './widgets.js'
import { type ServerUnderTest, withServer } from './with-server.js'

const group = 'sketches.test'
interface Sketch extends ApiObject {
  spec?: { plural?: string; kind?: string; fields?: string; note?: string }
}

/** Every Sketch describes a type: its names, and the fields of its objects as `name` or `name=default`. */
const sketches = definePlugin({
  name: 'sketches',
  register(to) {
    to.resource({
      group,
      kind: 'Sketch',
      resource: 'sketches',
      namespaced: false,
      versions: [
        {
          name: 'v1',
          schema: Kind('sketches.v1.Sketch', {
            spec: field(
              2,
              Struct('sketches.v1.SketchSpec', {
                plural: field(1, Text()),
                kind: field(2, Text()),
                fields: field(3, Text()),
                note: field(4, Text()),
              }),
            ),
          }),
        },
      ],
    })
    to.typeSource(
      defineTypeSource({
        name: 'sketches',
        from: { group, resource: 'sketches' },
        fingerprint: ({ spec }: Sketch) => JSON.stringify([spec?.plural, spec?.kind, spec?.fields]),
        types: ({ spec, metadata }: Sketch) => {
          if (spec?.fields === 'broken') throw new Error('cannot be drawn')
          return [
            {
              group: 'drawn.test',
              kind: spec?.kind ?? 'Thing',
              resource: spec?.plural ?? 'things',
              namespaced: true,
              unstructured: true,
              versions: [
                {
                  name: 'v1',
                  storedForm: String(metadata.generation),
                  get schema() {
                    return drawnSchema(spec?.kind ?? '', spec?.fields ?? '')
                  },
                },
              ],
            },
          ]
        },
      }),
    )
  },
})

function drawnSchema(kind: string, fields: string) {
  const names = fields.split(' ').map(text => text.split('=') as [string, string | undefined])
  const entries = names.map(([name, value], index) => [
    name,
    field(index + 1, Text(value === undefined ? {} : { default: value })),
  ])
  return Kind(`drawn.v1.${kind}`, {
    spec: field(2, Struct(`drawn.v1.${kind}Spec`, Object.fromEntries(entries))),
  })
}

const sketchPath = `/apis/${group}/v1/sketches`
const drawnPath = (plural: string) => `/apis/drawn.test/v1/namespaces/n/${plural}`
const sketch = (plural: string, fields: string, kind = `Kind${plural}`) => ({
  metadata: { name: plural },
  spec: { plural, kind, fields },
})
const named = (name: string, spec = {}) => ({ metadata: { name }, spec })

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const live = suite('types that are added and removed')
const serving = (run: (server: ServerUnderTest) => Promise<void>) => withServer({ plugins: [widgets, sketches] }, run)

live('are served as soon as their description is stored', () =>
  serving(async ({ ask }) => {
    assert.is((await ask('POST', drawnPath('cats'), named('tom'))).status, 404)
    assert.is((await ask('POST', sketchPath, sketch('cats', 'color=grey size'))).status, 201)
    const created = await ask('POST', drawnPath('cats'), named('tom', { size: 'xl', wings: 'two' }))
    assert.is(created.status, 201)
    assert.equal((created.json as ApiObject)['spec'], { color: 'grey', size: 'xl' })
    assert.is((created.json as ApiObject).kind, 'Kindcats')
    const listed = (await ask('GET', `/apis/drawn.test/v1`)).json as unknown as { resources: { name: string }[] }
    assert.equal(
      listed.resources.map(each => each.name),
      ['cats'],
    )
    assert.match((await ask('GET', '/apis')).text, 'drawn.test')
    assert.match((await ask('GET', '/openapi/v2')).text, 'drawn.v1.Kindcats')
    assert.match((await ask('GET', '/openapi/v3/apis/drawn.test/v1')).text, 'namespaces/{namespace}/cats')
  }),
)

live('are not served as soon as their description is deleted, and their watches end', () =>
  serving(async ({ ask, baseUrl, token }) => {
    await ask('POST', sketchPath, sketch('cats', 'color'))
    await ask('POST', drawnPath('cats'), named('tom'))
    const watch = await fetch(`${baseUrl}${drawnPath('cats')}?watch=1`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const ended = watch.text()
    assert.is((await ask('DELETE', `${sketchPath}/cats`)).status, 200)
    assert.is((await ask('GET', drawnPath('cats'))).status, 404)
    assert.is((await ask('GET', '/apis/drawn.test/v1')).status, 404)
    assert.not.match((await ask('GET', '/openapi/v2')).text, 'drawn.v1.Kindcats')
    assert.match(await ended, '"type":"ADDED"')
  }),
)

live('keep their watches while no relevant change is made', () =>
  serving(async ({ ask, clientOf }) => {
    await ask('POST', sketchPath, sketch('cats', 'color'))
    const client = clientOf()
    const stop = new AbortController()
    const seen: string[] = []
    const cats = client.resource({ group: 'drawn.test', version: 'v1', resource: 'cats' }).in('n')
    const watching = (async () => {
      for await (const event of cats.watch({ signal: stop.signal })) seen.push(event.type)
    })().catch(() => {})
    await ask('POST', drawnPath('cats'), named('one'))
    await eventually('the first event', () => seen.length === 1)
    const merge = { 'content-type': 'application/merge-patch+json' }
    await ask('PATCH', `${sketchPath}/cats`, { spec: { note: 'drawn by hand' } }, merge)
    await ask('POST', drawnPath('cats'), named('two'))
    await eventually('the second event', () => seen.length === 2)
    stop.abort()
    await watching
  }),
)

live('read their objects with the current schema, whenever they were stored', () =>
  serving(async ({ ask }) => {
    await ask('POST', sketchPath, sketch('cats', 'color size'))
    await ask('POST', drawnPath('cats'), named('tom', { color: 'red', size: 'xl' }))
    const merge = { 'content-type': 'application/merge-patch+json' }
    await ask('PATCH', `${sketchPath}/cats`, { spec: { fields: 'color mood=calm' } }, merge)
    await ask('POST', drawnPath('cats'), named('tim', { color: 'black' }))
    const specOf = (object: unknown) => (object as { spec: object }).spec
    assert.equal(specOf((await ask('GET', `${drawnPath('cats')}/tom`)).json), { color: 'red', mood: 'calm' })
    const { items } = (await ask('GET', drawnPath('cats'))).json
    assert.equal(items.map(specOf), [
      { color: 'black', mood: 'calm' },
      { color: 'red', mood: 'calm' },
    ])
    const version = (await ask('GET', `${drawnPath('cats')}/tom`)).json.metadata['resourceVersion']
    // Only the representation changes, but the object is rewritten.
    const stored = await ask('PATCH', `${drawnPath('cats')}/tom`, {}, merge)
    assert.not.equal(stored.json.metadata['resourceVersion'], version)
  }),
)

live('are read and written only as JSON and YAML', () =>
  serving(async ({ ask }) => {
    await ask('POST', sketchPath, sketch('cats', 'color'))
    await ask('POST', drawnPath('cats'), named('tom'))
    const strategic = { 'content-type': 'application/strategic-merge-patch+json' }
    assert.is((await ask('PATCH', `${drawnPath('cats')}/tom`, {}, strategic)).status, 415)
    const protobuf = 'application/vnd.orch.protobuf'
    assert.is((await ask('POST', drawnPath('cats'), 'x', { 'content-type': protobuf })).status, 400)
    assert.is((await ask('GET', drawnPath('cats'), undefined, { accept: protobuf })).status, 406)
    const both = await ask('GET', drawnPath('cats'), undefined, { accept: `${protobuf}, application/json` })
    assert.is(both.headers.get('content-type'), 'application/json')
  }),
)

live('cannot take names that are in use, and an invalid description removes nothing', () =>
  serving(async ({ ask }) => {
    await ask('POST', sketchPath, sketch('cats', 'color'))
    await ask('POST', sketchPath, { ...sketch('cats', 'size', 'Lion'), metadata: { name: 'lions' } })
    assert.equal(
      ((await ask('POST', drawnPath('cats'), named('tom', { color: 'red', size: 'xl' }))).json as ApiObject)['spec'],
      {
        color: 'red',
      },
    )
    const merge = { 'content-type': 'application/merge-patch+json' }
    await ask('PATCH', `${sketchPath}/cats`, { spec: { fields: 'broken' } }, merge)
    assert.is((await ask('GET', `${drawnPath('cats')}/tom`)).status, 200)
  }),
)

live('are immediately covered by garbage collection, quotas and namespace deletion', () =>
  withServer({ plugins: [namespaces, quotas, garbageCollection, widgets, sketches] }, async ({ ask }) => {
    await ask('POST', '/api/v1/namespaces', { metadata: { name: 'n' } })
    await ask('POST', '/api/v1/namespaces/n/resourcequotas', {
      metadata: { name: 'few' },
      spec: { hard: { 'count/cats.drawn.test': '2' } },
    })
    await ask('POST', sketchPath, sketch('cats', 'color'))
    const owner = await eventually('the quota to be counted', async () => {
      const created = await ask('POST', drawnPath('cats'), named('tom'))
      return created.status === 201 && created
    })
    const { uid } = owner.json.metadata
    const ownerReferences = [{ apiVersion: 'drawn.test/v1', kind: 'Kindcats', name: 'tom', uid }]
    assert.is((await ask('POST', drawnPath('cats'), { metadata: { name: 'kitten', ownerReferences } })).status, 201)
    assert.is((await ask('POST', drawnPath('cats'), named('third'))).status, 403)
    await ask('DELETE', `${drawnPath('cats')}/tom`)
    const isGone = async () => (await ask('GET', `${drawnPath('cats')}/kitten`)).status === 404
    await eventually('the kitten to be deleted with its owner', isGone)
    await ask('DELETE', '/api/v1/namespaces/n/resourcequotas/few')
    const last = await ask('POST', drawnPath('cats'), named('last'))
    const ofLast = [{ ...ownerReferences[0], name: 'last', uid: last.json.metadata['uid'] }]
    assert.is(
      (await ask('POST', drawnPath('cats'), { metadata: { name: 'orphan', ownerReferences: ofLast } })).status,
      201,
    )
    await ask('DELETE', `${drawnPath('cats')}/last`, { propagationPolicy: 'Orphan' })
    await eventually(
      'the owner to be deleted',
      async () => (await ask('GET', `${drawnPath('cats')}/last`)).status === 404,
    )
    const orphan = (await ask('GET', `${drawnPath('cats')}/orphan`)).json as unknown as ApiObject
    assert.equal(orphan.metadata.ownerReferences ?? [], [])
    await ask('DELETE', '/api/v1/namespaces/n')
    await eventually(
      'the namespace to be deleted',
      async () => (await ask('GET', '/api/v1/namespaces/n')).status === 404,
    )
    assert.equal((await ask('GET', '/apis/drawn.test/v1/cats')).json.items, [])
  }),
)

live('are served again after a restart', async () => {
  const folder = temporaryFolder()
  const options = { plugins: [widgets, sketches], dataDir: folder.path }
  await withServer(options, async ({ ask }) => {
    await ask('POST', sketchPath, sketch('cats', 'color'))
    await ask('POST', drawnPath('cats'), named('tom', { color: 'red' }))
  })
  await withServer(options, async ({ ask }) => {
    assert.is((await ask('GET', `${drawnPath('cats')}/tom`)).status, 200)
  })
  folder.remove()
})

live('leak no memory', () =>
  serving(async ({ ask }) => {
    const comeAndGo = async (times: number) => {
      for (let i = 0; i < times; i++) {
        await ask('POST', sketchPath, sketch(`cats${i % 7}`, 'color=grey size'))
        await ask('GET', drawnPath(`cats${i % 7}`))
        await ask('DELETE', `${sketchPath}/cats${i % 7}`)
      }
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    const before = await comeAndGo(100)
    const after = await comeAndGo(300)
    // The compiled code of 300 types would take more.
    assert.ok(after - before < 4e6, `${after - before} bytes more`)
  }),
)

live.run()
