import { monitorEventLoopDelay } from 'node:perf_hooks'
import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
import { readYaml } from 'orch/sdk/files'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withServer } from './with-server.js'

const yaml = suite('large YAML over HTTP')
const all = '/api/v1/namespaces/default/configmaps'
const plugins = [namespaces, configuration]
const asYaml = { 'content-type': 'application/yaml' }
const apply = { 'content-type': 'application/apply-patch+yaml' }

/** Runs code in the process of the server, and returns how long its event loop was blocked at most. */
async function longestHold(run: () => Promise<void>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 5 })
  delays.enable()
  await new Promise(resolve => setTimeout(resolve, 20))
  await run()
  delays.disable()
  return delays.max / 1e6
}
const fill = (piece: string) => piece.repeat(Math.floor(3_000_000 / piece.length))

yaml('hostile bodies are rejected by every verb, and other requests are not delayed', () =>
  withServer({ plugins }, async ({ ask }) => {
    const bodies = [fill('}'), fill(']'), `[${fill(',')}`, fill('- a\n'), `a: {${fill('a,')}}`, fill('- &a [1]\n')]
    const held = await longestHold(async () => {
      for (const body of bodies) assert.is((await ask('POST', all, body, asYaml)).status, 400)
      const [body] = bodies
      assert.is((await ask('PUT', `${all}/x`, body, asYaml)).status, 400)
      assert.is((await ask('DELETE', `${all}/x`, body, asYaml)).status, 400)
      assert.is((await ask('PATCH', `${all}/x?fieldManager=me`, body, apply)).status, 400)
    })
    assert.ok(held < 1500, `the event loop was blocked for ${held} ms`)
  }),
)

yaml('large manifests are written and applied, and duplicate keys are reported', () =>
  withServer({ plugins }, async ({ ask }) => {
    const lines = Array.from({ length: 8000 }, (_, index) => `  k${index}: "0644"`)
    const body = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n${lines.join('\n')}\n  k1: "twice"\n`
    const strict = await ask('POST', `${all}?fieldValidation=Strict`, body, asYaml)
    assert.is(strict.status, 400)
    assert.match(strict.text, 'line 8005: key \\"k1\\" already set in map')
    const created = await ask('POST', all, body, asYaml)
    assert.is(created.status, 201)
    const applied = await ask('PATCH', `${all}/b?fieldManager=me`, body.replace('name: a', 'name: b'), apply)
    assert.is(applied.status, 201)
    for (const name of ['a', 'b']) {
      const { text } = await ask('GET', `${all}/${name}`, undefined, { accept: 'application/yaml' })
      const { data } = readYaml(text).documents[0] as { data: Record<string, string> }
      assert.equal([Object.keys(data).length, data['k1'], data['k7999']], [8000, 'twice', '0644'])
    }
  }),
)

yaml('lists of every length are written item by item, with their metadata', () =>
  withServer({ plugins }, async ({ ask }) => {
    type List = { kind: string; items: { metadata: { name: string } }[]; metadata: object }
    const textOf = (query: string) => ask('GET', `${all}${query}`, undefined, { accept: 'application/yaml' })
    const lists = async (query = '') => readYaml((await textOf(query)).text).documents[0] as List
    const json = async (query = '') => (await ask('GET', `${all}${query}`)).json as unknown as List
    assert.equal(await lists(), await json())
    const value = 'some text, [with] {brackets}: and more\n'.repeat(20_000)
    let written = ''
    const held = await longestHold(async () => {
      for (let index = 0; index < 12; index++)
        await ask('POST', all, { metadata: { name: `m${index}` }, data: { value, index: `${index}` } })
      written = (await textOf('')).text
    })
    assert.equal(readYaml(written).documents[0], await json())
    assert.equal(await lists('?limit=1'), { ...(await json('?limit=1')), metadata: (await lists('?limit=1')).metadata })
    assert.match(JSON.stringify((await lists('?limit=1')).metadata), 'continue')
    assert.equal((await lists('?limit=1')).items.length, 1)
    assert.equal(await lists('?labelSelector=none%3Dsuch'), await json('?labelSelector=none%3Dsuch'))
    assert.ok(held < 1500, `the event loop was blocked for ${held} ms`)
  }),
)

yaml.run()
