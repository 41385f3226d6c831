import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiError, orchProfile, Vendor } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { refusedAccess } from './hostile-access-fixtures.js'
import { harmless } from './hostile-code-fixtures.js'
import { installedPlugins } from './plugin.js'
import { pluginCollection } from './plugins/resource.js'
import type { Plugin } from './plugins/schema.js'

const collection = pluginCollection(new Vendor(orchProfile))
const isolated = suite('plugins in processes of their own')

const folder = mkdtempSync(join(tmpdir(), 'orch-isolated-'))
const lines: string[] = []
let server: TestServer
let plugins: ResourceClient<Plugin>
let serial = 0

isolated.before(async () => {
  server = await startServer({
    plugins: ['namespaces', 'configuration', 'authentication', 'authorization'].map(name => `orch/plugins/${name}`),
    morePlugins: [installedPlugins],
    options: { pluginFolder: folder, isolatedPluginTimeout: '1500ms', isolatedPluginMemory: 64 },
    log: line => void lines.push(line),
  })
  plugins = server.client.resource<Plugin>(collection)
})
isolated.after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const conditionsOf = ({ status }: Plugin) =>
  Object.fromEntries((status?.conditions ?? []).map(({ type, status: value }) => [type, value]))

/**
 * A plugin whose control runs this code for the ConfigMaps that name it. The string that the code returns is the reason
 * for a rejection.
 */
const source = (name: string, code: string, more = '') => `
import { definePlugin, reject, services } from 'orch/sdk'
import * as childProcess from 'node:child_process'
import * as dgram from 'node:dgram'
import * as fs from 'node:fs'
import http from 'node:http'
import * as net from 'node:net'
import { Worker } from 'node:worker_threads'
const node = name => process.getBuiltinModule(name)
const withPatched = (object, name, value, run) => {
  const original = object[name]
  object[name] = value
  try { return run() } finally { object[name] = original }
}
const attempt = async (request) => { ${code} }
export default definePlugin({
  name: '${name}',
  ${more}
  register(to) {
    to.admission({
      name: 'Control-${name}',
      phase: 'mutate',
      sideEffects: 'none',
      matches: { resource: 'configmaps', operations: ['create'] },
      needs: { logger: services.logger },
      async review(request, { logger }) {
        globalThis.logger = logger
        if (request.object.data?.for !== '${name}') return
        const said = await attempt(request)
        return typeof said === 'string' ? reject(said) : said
      },
    })
  },
})
`

async function install(name: string, text: string, spec: object = {}): Promise<Plugin> {
  writeFileSync(join(folder, `${name}.ts`), text)
  await plugins.create({ metadata: { name }, spec: { package: `${name}.ts`, isolation: 'worker', ...spec } })
  return plugins.waitFor(name, ({ status }) => status?.observedGeneration === 1)
}

/** Creates a ConfigMap once, without retrying after a 503. */
async function trigger(name: string, data: Record<string, string> = {}): Promise<string> {
  const answer = await fetch(`${server.baseUrl}/api/v1/namespaces/default/configmaps`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ metadata: { name: `map-${++serial}` }, data: { ...data, for: name } }),
  })
  const { message = 'admitted' } = JSON.parse(await answer.text())
  return `${answer.status} ${message}`
}

async function whole(name: string, code: string, more: string, check: (name: string) => Promise<void>): Promise<void> {
  assert.is((await install(name, source(name, code, more))).status?.lastError, undefined)
  await check(name)
  // The server still serves.
  assert.match(await trigger('nobody'), /^201|^503/)
  await plugins.delete(name)
}

/** All of them in one plugin; each request names the one to try. */
const calm = 'calm'
const attempts = {
  ...Object.fromEntries(
    Object.entries(refusedAccess).map(([title, [expression]]) => {
      const code = `const { file } = request.object.data, server = Number(request.object.data.server)
        try { await (${expression}); return 'done' } catch (error) { return String(error.code ?? error) }`
      return [title, [code]]
    }),
  ),
  ...harmless,
}
isolated('a plugin with all attempts is loaded', async () => {
  const codes = Object.entries(attempts).map(
    ([title, [code]]) => `${JSON.stringify(title)}: async request => { ${code} }`,
  )
  const code = `return ({ ${codes.join(',\n')} })[request.object.data.attempt](request)`
  assert.is((await install(calm, source(calm, code))).status?.lastError, undefined)
})
for (const [title, [, told]] of Object.entries(refusedAccess))
  isolated(`${title} is denied and reported`, async () => {
    const target = { file: join(server.dataDir, 'pki', 'ca.key'), server: String(process.pid) }
    assert.match(await trigger(calm, { ...target, attempt: title }), /ERR_ACCESS_DENIED/)
    const says = ({ status }: Plugin) => told.test(status?.lastError?.message ?? '')
    assert.is(conditionsOf(await plugins.waitFor(calm, says))['Healthy'], 'False')
  })
for (const [title, [, answer]] of Object.entries(harmless))
  isolated(`${title}: has no effect on the server`, async () => {
    assert.match(await trigger(calm, { attempt: title }), answer)
    assert.is(Reflect.get({}, 'polluted'), undefined)
    assert.type(Array.prototype.map, 'function')
    assert.match(await trigger('nobody'), /^201|^50\d/)
  })
isolated('the plugin is unloaded, whatever it has done to its process', async () => {
  await plugins.delete(calm)
  while (!/^201/.test(await trigger('nobody'))) await new Promise(resolve => setTimeout(resolve, 20))
})

isolated('failures are ignored if the plugin says so', () =>
  whole('ignored', 'process.exit(1)', "failurePolicy: 'Ignore',", async name => {
    assert.match(await trigger(name), /^201/)
    await plugins.waitFor(name, ({ status }) => JSON.stringify(status).includes('exited with code 1'))
  }),
)

isolated('a plugin that fails to register is not loaded, and the status has the reason', async () => {
  const text = source('stuck', '').replace('register(to) {', "register(to) { throw new Error('not today');")
  const { status } = await install('stuck', text)
  assert.match(status?.lastError?.message ?? '', /failed to register: not today/)
  assert.match(status?.lastError?.stack ?? '', /not today(?:.|\n)*stuck\.ts:\d+/)
  await plugins.delete('stuck')
  const route = source('router', '').replace(
    'to.admission({',
    "to.route({ path: '/x', handle: () => ({}) }); to.admission({",
  )
  assert.match(
    (await install('router', route)).status?.lastError?.message ?? '',
    /brings a route, which a plugin in a process of its own cannot/,
  )
  await plugins.delete('router')
})

isolated('a version that requests more permissions is not loaded until they are accepted', async () => {
  const asking = (permissions: string) => source('asking', "return 'sees ' + process.env.HOME", permissions)
  const first = await install('asking', asking("permissions: { environment: ['LANG'] },"))
  assert.equal(first.status?.permissions, ['environment LANG'])
  writeFileSync(join(folder, 'asking.ts'), asking("permissions: { environment: ['LANG', 'HOME'] },"))
  await plugins.patch('asking', { spec: { reload: '1' } })
  const waiting = await plugins.waitFor('asking', ({ status }) => status?.observedGeneration === 2)
  assert.match(waiting.status?.lastError?.message ?? '', /permissions that were not accepted: environment HOME/)
  assert.match(await trigger('asking'), /sees undefined/)
  await plugins.patch('asking', { spec: { permissions: ['environment HOME'] } })
  await plugins.waitFor('asking', ({ status }) => status?.observedGeneration === 3)
  assert.match(await trigger('asking'), new RegExp(`sees ${process.env['HOME']}`))
  await plugins.delete('asking')
})

const typed = `
import { definePlugin, defineResource, embedded, field, invalidValue, Kind, nameColumn, pathColumn, services, strategyForSpec, Struct, Text } from 'orch/sdk'
const Lamp = Kind('lamps.v1.Lamp', {
  spec: embedded(2, Struct('lamps.v1.LampSpec', { color: field(1, Text()), mood: field(2, Text()) })),
  status: embedded(3, Struct('lamps.v1.LampStatus', { seen: field(1, Text()) })),
})
const shadeOf = ({ spec }) => {
  if (spec.color === 'white') throw new Error('no shade')
  return 'dark ' + spec.color
}
const validate = ({ spec }) => (spec.color === 'black' ? [invalidValue('spec.color', spec.color, 'must shine')] : [])
export default definePlugin({
  name: 'lamps',
  register(to) {
    to.resource(defineResource({
      group: 'lamps.test', kind: 'Lamp', resource: 'lamps', namespaced: false,
      versions: [{ name: 'v1', schema: Lamp }],
      strategy: strategyForSpec({
        prepareForCreate(draft, { user }) { draft.spec.mood = 'made by ' + user.name },
        validate, validateUpdate: validate,
        warnings: ({ spec }) => (spec.color === 'red' ? ['red is hot'] : []),
      }),
      columns: [nameColumn, pathColumn({ name: 'Color', type: 'string', description: 'x', jsonPath: '.spec.color' }), { name: 'Shade', type: 'string', description: 'x', cell: shadeOf }],
    }))
    to.controller({
      name: 'lamp-loop',
      needs: { client: services.client },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'watch'] }],
      async start({ client }) {
        const maps = client.resource({ group: '', version: 'v1', resource: 'configmaps' }).in('default')
        await maps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'by-the-loop' } })
        const refused = await client.resource({ group: '', version: 'v1', resource: 'secrets' }).in('default').list().catch(e => e.reason)
        await maps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'by-the-loop-' + refused.toLowerCase() } })
        return async () => {}
      },
    })
  },
})
`
isolated('strategies of types run in the plugin process, and loops have their permissions', async () => {
  const { status } = await install('lamps', typed)
  assert.is(status?.lastError?.message, undefined)
  const lamps = server.client.resource<{ metadata: { name: string }; spec: Record<string, string> }>({
    group: 'lamps.test',
    version: 'v1',
    resource: 'lamps',
  })
  const made = await lamps.create({ metadata: { name: 'a' }, spec: { color: 'blue' } })
  assert.match(made.spec['mood'] ?? '', /^made by /)
  const black = (error: unknown) =>
    assert.ok(error instanceof ApiError && error.code === 422 && /must shine/.test(error.message))
  await lamps.create({ metadata: { name: 'b' }, spec: { color: 'black' } }).then(() => assert.unreachable(), black)
  await lamps.patch('a', { spec: { color: 'black' } }).then(() => assert.unreachable(), black)
  await lamps.create({ metadata: { name: 'c' }, spec: { color: 'white' } })
  const shades = async (path: string) => {
    const accept = `application/json;as=Table;v=v1;g=${new Vendor(orchProfile).metaGroup}`
    const headers = { authorization: `Bearer ${server.token}`, accept }
    const text = await (await fetch(`${server.baseUrl}/apis/lamps.test/v1/lamps${path}`, { headers })).text()
    const tables = text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    return tables.flatMap(table => (table.object ?? table).rows.map((row: { cells: string[] }) => row.cells[2]))
  }
  assert.equal(await shades(''), ['dark blue', '<unknown>'])
  assert.equal(await shades('/a'), ['dark blue'])
  assert.equal(await shades('?watch=true&timeoutSeconds=1'), ['dark blue', '<unknown>'])
  const maps = server.client.resource({ group: '', version: 'v1', resource: 'configmaps' }).in('default')
  await maps.waitFor('by-the-loop-forbidden', () => true)
  await plugins.delete('lamps')
})

isolated(
  'a review in flight while the plugin is replaced or removed is answered by the process that it started in',
  async () => {
    const slow = (answer: string) => `await new Promise(resolve => setTimeout(resolve, 1000)); return '${answer}'`
    await install('steady', source('steady', slow('the first version')))
    const first = trigger('steady')
    await new Promise(resolve => setTimeout(resolve, 100))
    writeFileSync(join(folder, 'steady-2.ts'), source('steady', slow('the second version')))
    await plugins.patch('steady', { spec: { package: 'steady-2.ts' } })
    await plugins.waitFor('steady', ({ status }) => status?.observedGeneration === 2)
    assert.match(await first, /^403.*the first version/)
    const second = trigger('steady')
    await new Promise(resolve => setTimeout(resolve, 100))
    await plugins.delete('steady')
    assert.match(await second, /^403.*the second version/)
    assert.match(await trigger('steady'), /^201/)
  },
)

isolated.run()
