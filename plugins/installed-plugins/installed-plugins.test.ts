import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { orchProfile, Vendor } from 'orch/sdk'
import type { Client, ResourceClient } from 'orch/sdk/client'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { installedPlugins } from './plugin.js'
import { pluginCollection } from './plugins/resource.js'
import type { Plugin } from './plugins/schema.js'

const collection = pluginCollection(new Vendor(orchProfile))

const source = (word: string, more = '') => `
import { definePlugin, Type } from 'orch/sdk'
import { defineRoute } from 'orch/sdk/server'
export default definePlugin({
  name: 'greeter',
  options: Type.Object({ greeterMark: Type.Optional(Type.String({ maxLength: 2 })) }),
  register(to, { options }) {
    ${more}
    to.route(defineRoute({ path: '/greeting', access: 'public', handle: () => ({ body: '${word}' + (options.greeterMark ?? '') }) }))
  },
})
`
interface World {
  readonly server: TestServer
  readonly client: Client
  readonly plugins: ResourceClient<Plugin>
  readonly folder: string
  write(name: string, text: string): void
  install(spec: Plugin['spec']): Promise<Plugin>
  /** The object once its status is that of its current generation. */
  settled(generation: number): Promise<Plugin>
  greeting(): Promise<string>
}
async function inServer(test: (world: World) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'orch-plugins-'))
  const server = await startServer({
    plugins: ['namespaces', 'configuration', 'authentication', 'authorization'].map(name => `orch/plugins/${name}`),
    morePlugins: [installedPlugins],
    options: { pluginFolder: folder },
  })
  const plugins = server.client.resource<Plugin>(collection)
  try {
    await test({
      server,
      client: server.client,
      plugins,
      folder,
      write(name, text) {
        mkdirSync(join(folder, name, '..'), { recursive: true })
        writeFileSync(join(folder, name), text)
      },
      install: spec => plugins.create({ metadata: { name: 'hello' }, spec }),
      settled: generation => plugins.waitFor('hello', ({ status }) => (status?.observedGeneration ?? 0) >= generation),
      async greeting() {
        const answer = await fetch(`${server.baseUrl}/greeting`)
        return answer.status === 200 ? answer.text() : 'none'
      },
    })
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}
const conditionsOf = ({ status }: Plugin) =>
  Object.fromEntries((status?.conditions ?? []).map(({ type, status: value }) => [type, value]))

const installed = suite('plugins that are installed into a running server')

installed('serve, can be replaced, disabled and enabled, and are unloaded with their object', () =>
  inServer(async ({ write, install, settled, greeting, plugins }) => {
    write('greeter/package.json', '{"version":"1.2.3","type":"module"}')
    write('greeter/plugin.ts', source('hello'))
    assert.is(await greeting(), 'none')
    await install({ package: 'greeter' })
    const first = await settled(1)
    assert.equal(conditionsOf(first), { Loaded: 'True', Healthy: 'True' })
    assert.is(first.status?.version, '1.2.3')
    assert.is(first.status?.plugin, 'greeter')
    assert.equal(first.status?.contributes, ['routes: /greeting', 'flags: --greeter-mark'])
    assert.is(await greeting(), 'hello')

    await plugins.patch('hello', { spec: { options: { greeterMark: '!' } } })
    await settled(2)
    assert.is(await greeting(), 'hello!')

    // A changed package is read only when the object is written.
    write('greeter/plugin.ts', source('welcome'))
    assert.is(await greeting(), 'hello!')
    const again = await plugins.patch('hello', { metadata: { annotations: { again: '1' } } })
    const isOther = ({ status }: Plugin) => status?.integrity !== first.status?.integrity
    await plugins.waitFor('hello', isOther)
    assert.is(await greeting(), 'welcome!')
    assert.is(again.metadata?.generation, 2)

    await plugins.patch('hello', { spec: { enabled: false } })
    assert.equal(conditionsOf(await settled(3)), { Loaded: 'False', Healthy: 'True' })
    assert.is(await greeting(), 'none')
    await plugins.patch('hello', { spec: { enabled: true } })
    await settled(4)
    assert.is(await greeting(), 'welcome!')

    await plugins.delete('hello')
    while ((await greeting()) !== 'none') await new Promise(resolve => setTimeout(resolve, 5))
  }),
)

installed("that fail leave the previous version serving; the status has the stack of the author's code", () =>
  inServer(async ({ write, install, settled, greeting, plugins }) => {
    write('good.ts', source('good'))
    write('bad.ts', source('bad', "throw new Error('no words today')"))
    const sha512 = createHash('sha512').update(source('good')).digest('base64')
    await install({ package: 'good.ts', integrity: `sha512-${sha512}` })
    await settled(1)
    assert.is(await greeting(), 'good')
    const failures: [object, RegExp][] = [
      [{ package: 'bad.ts', integrity: null }, /failed to register: no words today/],
      [{ package: 'good.ts', options: { greeterMark: '!!!' } }, /greeterMark/],
      [{ options: { other: true } }, /no such option/],
      [{ options: null, integrity: `sha256-${'A'.repeat(43)}=` }, /spec.integrity: the package has another hash/],
      [{ integrity: null, package: 'missing.ts' }, /there is no "missing.ts" in the plugin folder/],
    ]
    let generation = 1
    for (const [spec, message] of failures) {
      await plugins.patch('hello', { spec })
      const told = await settled(++generation)
      assert.equal(conditionsOf(told), { Loaded: 'True', Healthy: 'False' })
      assert.match(told.status?.lastError?.message ?? '', message)
      if (generation === 2) assert.match(told.status?.lastError?.stack ?? '', /no words today(?:.|\n)*bad\.ts:\d+/)
      assert.is(await greeting(), 'good')
    }
    await plugins.patch('hello', { spec: { package: 'good.ts' } })
    const well = await settled(++generation)
    assert.is(well.status?.lastError, undefined)
    assert.equal(conditionsOf(well), { Loaded: 'True', Healthy: 'True' })
  }),
)

installed('must be inside the plugin folder, and must not be in the config', () =>
  inServer(async ({ folder, write, install, settled, plugins }) => {
    const outside = mkdtempSync(join(tmpdir(), 'orch-outside-'))
    try {
      writeFileSync(join(outside, 'plugin.ts'), source('outside'))
      for (const path of ['../x.ts', '/etc/passwd', 'a/../../b'])
        await install({ package: path }).then(
          () => assert.unreachable(path),
          (error: Error) => assert.match(error.message, /spec\.package/),
        )
      symlinkSync(outside, join(folder, 'linked'))
      await install({ package: 'linked' })
      assert.match((await settled(1)).status?.lastError?.message ?? '', /is outside the plugin folder/)
      write('fixed.ts', source('x').replace("'greeter'", "'namespaces'"))
      await plugins.patch('hello', { spec: { package: 'fixed.ts' } })
      assert.match((await settled(2)).status?.lastError?.message ?? '', /ORCH_PLUGIN_FIXED/)
    } finally {
      rmSync(outside, { recursive: true })
    }
  }),
)

installed('that require another plugin are loaded once that is loaded', () =>
  inServer(async ({ write, install, settled, plugins }) => {
    write('first.ts', source('first').replace("'greeter',", "'greeter', requires: ['light'],"))
    write(
      'second.ts',
      "import { definePlugin } from 'orch/sdk'\nexport default definePlugin({ name: 'light', register() {} })",
    )
    await install({ package: 'first.ts' })
    assert.match((await settled(1)).status?.lastError?.message ?? '', /ORCH_PLUGIN_REQUIREMENT_MISSING/)
    await plugins.create({ metadata: { name: 'light' }, spec: { package: 'second.ts' } })
    const well = await plugins.waitFor('hello', ({ status }) => status?.lastError === undefined)
    assert.equal(conditionsOf(well), { Loaded: 'True', Healthy: 'True' })
    assert.is(well.status?.servers, undefined)
  }),
)

installed('report failed health checks, and serve their log', () =>
  inServer(async ({ write, install, settled, server }) => {
    write(
      'moody.ts',
      `import { definePlugin, services } from 'orch/sdk'
       export default definePlugin({
         name: 'moody',
         register(to) {
           to.onStart({
             name: 'mood',
             needs: { logger: services.logger },
             run({ logger }) {
               logger.info('good morning', { mood: 'grey', token: 'abc' })
               logger.warn('rain', { error: new Error('wet') })
             },
           })
           to.healthCheck({ name: 'mood', check() { throw new Error('do not ask') } })
         },
       })`,
    )
    await install({ package: 'moody.ts' })
    const told = await settled(1)
    assert.equal(conditionsOf(told), { Loaded: 'True', Healthy: 'False' })
    assert.is(told.status?.lastError, undefined)
    const [entry] = told.status?.servers ?? []
    assert.equal([entry?.reason, entry?.message], ['Unhealthy', 'health check "mood" fails: do not ask'])

    const path = `/apis/${collection.group}/${collection.version}/plugins/hello/log`
    const log = async (query = '') => {
      const answer = await fetch(server.baseUrl + path + query, {
        headers: { authorization: `Bearer ${server.token}` },
      })
      const text = await answer.text()
      assert.is(answer.status, 200, text)
      return text
    }
    assert.match(await log(), /^\d{4}-\d\d-\d\dT[\d:.]+Z INFO {2}good morning .*mood=grey .*token="?\[hidden\]/)
    assert.match(await log(), /\n\d{4}-\S+ WARN {2}rain .*error=.*wet/)
    assert.match(await log('?tailLines=1'), /^\S+ WARN/)
  }),
)

const loopSource = (verb: string) => `
import { definePlugin, services } from 'orch/sdk'
export default definePlugin({
  name: 'writer',
  register(to) {
    to.controller({
      name: 'live-writer',
      needs: { client: services.client },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['${verb}'] }],
      async start({ client }) {
        const maps = client.resource({ group: '', version: 'v1', resource: 'configmaps' }).in('default')
        const answer = await maps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'written' } }).then(
          () => 'written',
          error => error.reason,
        )
        if (answer !== 'written') throw new Error('the loop was refused: ' + answer)
        return async () => {}
      },
    })
  },
})
`

installed('have control loops with exactly the permissions that they declare', () =>
  inServer(async ({ write, install, settled, plugins, client }) => {
    write('writer.ts', loopSource('get'))
    await install({ package: 'writer.ts' })
    const refused = await settled(1)
    assert.equal(conditionsOf(refused), { Loaded: 'False', Healthy: 'False' })
    assert.match(refused.status?.lastError?.message ?? '', /the loop was refused: Forbidden/)
    write('writer.ts', loopSource('create'))
    await plugins.patch('hello', { spec: { reload: 'again' } })
    assert.equal(conditionsOf(await settled(2)), { Loaded: 'True', Healthy: 'True' })
    const maps = client.resource({ group: '', version: 'v1', resource: 'configmaps' }).in('default')
    assert.is((await maps.get('written')).metadata.name, 'written')
  }),
)

installed('require cluster-admin', () =>
  inServer(async ({ server }) => {
    const roles = server.client.resource({
      group: 'rbac.authorization.orch.io',
      version: 'v1',
      resource: 'clusterroles',
    })
    const named: string[] = []
    for await (const role of roles.each()) {
      const rules = (role['rules'] ?? []) as { apiGroups?: string[]; verbs: string[]; resources?: string[] }[]
      const isMeant = rules.some(
        ({ apiGroups = [], verbs, resources = [] }) =>
          [collection.group, '*'].some(group => apiGroups.includes(group)) &&
          ['plugins', '*'].some(resource => resources.includes(resource)) &&
          ['create', 'update', 'patch', '*'].some(verb => verbs.includes(verb)),
      )
      if (isMeant) named.push(role.metadata.name ?? '')
    }
    // These two act on objects of every type: one collects garbage, the other empties namespaces.
    const ofLoops = ['system:controller:generic-garbage-collector', 'system:controller:namespace-controller']
    assert.equal(
      named.filter(name => !ofLoops.includes(name)),
      ['cluster-admin'],
    )
    const somebody = await server.addUser({ name: 'somebody' })
    await somebody.client
      .resource<Plugin>(collection)
      .create({ metadata: { name: 'mine' }, spec: { package: 'x.ts' } })
      .then(
        () => assert.unreachable(),
        (error: Error) => assert.match(error.message, /forbidden/),
      )
  }),
)

installed.run()
