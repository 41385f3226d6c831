import { orchProfile, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type ServerUnderTest, withServer } from './with-server.js'

const { metaGroup } = new Vendor(orchProfile)
const view = (as: string) => ({ accept: `application/json;as=${as};g=${metaGroup};v=v1` })
const patchType = (name: string) => ({ 'content-type': `application/${name}-patch+json` })
const widget = { metadata: { name: 'a' }, spec: { color: 'red' } }
const withWidget = (run: (server: ServerUnderTest) => Promise<void>) =>
  withServer({}, async server => {
    assert.is((await server.ask('POST', server.path, widget)).status, 201)
    await run(server)
  })

const forms = suite('representations of requests and responses')

forms('a patch that is not an object is rejected; only a list could have been a merge patch', () =>
  withWidget(async ({ ask, path }) => {
    const answers = async (type: string) => {
      const codes: number[] = []
      for (const body of ['[]', 'null', '5', '"x"', '{}'])
        codes.push((await ask('PATCH', `${path}/a`, body, patchType(type))).status)
      return codes
    }
    assert.equal(await answers('merge'), [422, 400, 400, 400, 200])
    assert.equal(await answers('strategic-merge'), [400, 400, 400, 400, 200])
  }),
)

forms('a patch may remove the namespace, which is restored, but not change it', () =>
  withWidget(async ({ ask, path }) => {
    const move = (namespace: string | null) =>
      ask('PATCH', `${path}/a`, { metadata: { namespace } }, patchType('merge'))
    const kept = await move(null)
    assert.equal([kept.status, kept.json.metadata['namespace']], [200, 'n'])
    assert.is((await move('elsewhere')).status, 400)
  }),
)

forms('an object can be requested as PartialObjectMetadata, a list as a list of them', () =>
  withWidget(async ({ ask, path }) => {
    const status = async (where: string, as: string) => (await ask('GET', where, undefined, view(as))).status
    assert.is(await status(`${path}/a`, 'PartialObjectMetadata'), 200)
    assert.is(await status(`${path}/a`, 'PartialObjectMetadataList'), 406)
    assert.is(await status(path, 'PartialObjectMetadataList'), 200)
    assert.is(await status(path, 'PartialObjectMetadata'), 406)
  }),
)

forms('discovery has no Table form and is sent in another accepted form', () =>
  withWidget(async ({ ask }) => {
    const { accept } = view('Table')
    assert.is((await ask('GET', '/apis', undefined, { accept })).status, 406)
    assert.is((await ask('GET', '/apis', undefined, { accept: `${accept},application/json` })).status, 200)
  }),
)

forms('YAML round-trips unchanged', () =>
  withWidget(async ({ ask, path }) => {
    const notes = { yes: 'no', mode: '0644', day: '2020-01-01', none: '~', clock: '12:30:45' }
    const headers = { accept: 'application/yaml', 'content-type': 'application/yaml' }
    const made = await ask('POST', path, JSON.stringify({ metadata: { name: 'b' }, spec: { notes } }), headers)
    assert.is(made.status, 201)
    assert.is((await ask('PUT', `${path}/b`, made.text, headers)).status, 200)
    const { json } = await ask('GET', `${path}/b`)
    assert.equal((json as unknown as { spec: { notes: object } }).spec.notes, notes)
  }),
)

forms('a watch is a stream of JSON or Protobuf: YAML is rejected', () =>
  withWidget(async ({ ask, path }) => {
    const watch = `${path}?watch=1&timeoutSeconds=1`
    assert.is((await ask('GET', watch, undefined, { accept: 'application/yaml' })).status, 406)
    assert.match((await ask('GET', watch, undefined, { accept: 'application/json' })).text, '"type":"ADDED"')
  }),
)

forms.run()
