import { followRule, permissionLines } from './permission-templates.js'
import type { PluginNames } from './plugin-names.js'

/** Kinds of plugins without a type: each is one file with one contribution, and its test. */
export interface PluginKind {
  /** Its contribution, for the list of kinds. */
  readonly brings: string
  /** Why it cannot run in a separate process. */
  readonly whyNotIsolated?: string
  readonly plugin: (names: PluginNames) => string
  readonly test: (names: PluginNames) => string
}

const configMaps = `{ group: '', version: 'v1', resource: 'configmaps' }`

/** A test that starts a server with the plugin and its dependencies. */
const testWith = (
  { plugin, variable, isIsolated }: PluginNames,
  title: string,
  body: string,
  more: { readonly imports?: string } = {},
) => `import assert from 'node:assert/strict'
import { test } from 'node:test'
${isIsolated ? "import { fileURLToPath } from 'node:url'\n" : ''}import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
${more.imports ?? ''}import { startServer } from 'orch/sdk/testing'
${isIsolated ? isolatedEntry(variable) : importedPlugin(variable)}
test('${plugin}: ${title}', async () => {
  const server = await startServer({ plugins: [namespaces, configuration, ${variable}Plugin] })
  try {
${body}
  } finally {
    await server.stop()
  }
})
`

/** The entry of a plugin in a separate process, for tests. */
export const isolatedEntry = (variable: string) => `
const ${variable}Plugin = { plugin: fileURLToPath(new URL('plugin.ts', import.meta.url)), isolation: 'worker' } as const
`

/** The import of a plugin that runs in the server. */
export const importedPlugin = (variable: string) => `import { ${variable}Plugin } from './plugin.js'
`

const register = (
  { plugin, variable }: PluginNames,
  what: string,
  more = '',
) => `export const ${variable}Plugin = definePlugin({
  name: '${plugin}',
  sdk: '^1.0.0',
${more}${permissionLines()}  register: to => to.${what},
})
`

const admission: PluginKind = {
  brings: 'an admission control, which rejects or changes requests to any type',
  plugin: names => `import { type ApiObject, defineAdmission, definePlugin, reject } from 'orch/sdk'

/** Every ConfigMap must have a label with its owner. */
const requireOwner = defineAdmission<ApiObject>()({
  name: '${names.kind}Owner',
  phase: 'validate',
  sideEffects: 'none',
  matches: { group: '', resource: 'configmaps', operations: ['create', 'update'] },
  review({ object }) {
    if (!object.metadata.labels?.['owner']) return reject('the label "owner" is required')
  },
})

${register(names, 'admission(requireOwner)')}`,
  test: names =>
    testWith(
      names,
      'rejects objects without an owner',
      `    const maps = server.client.resource(${configMaps}).in('default')
    await maps.create({ metadata: { name: 'a', labels: { owner: 'ann' } } })
    const second = maps.create({ metadata: { name: 'b' } })
    await assert.rejects(second, (error: ApiError) => error.code === 403 && /"owner" is required/.test(error.message))`,
      { imports: "import type { ApiError } from 'orch/sdk'\n" },
    ),
}

const controller: PluginKind = {
  brings: 'a control loop, which acts on objects of any type',
  plugin: names => `import { type ApiObject, definePlugin } from 'orch/sdk'
import { defineControlLoop } from 'orch/sdk/controllers'

const namespaces = { group: '', version: 'v1', resource: 'namespaces' }
const configMaps = ${configMaps}

/** Creates a ConfigMap in every namespace. It runs whenever either changes. */
const welcomeLoop = defineControlLoop({
  name: '${names.single}-loop',
  rules: [
    { verbs: ['create'], apiGroups: [''], resources: ['configmaps'] },${followRule(names, "''", ['namespaces', 'configmaps'])}
  ],
  sources: [
    { resource: namespaces },
    { resource: configMaps, keys: ({ metadata }: ApiObject) => (metadata.namespace ? [metadata.namespace] : []) },
  ],
  async reconcile(name, caches, { client }) {
    const found = caches.of<ApiObject>(namespaces).get('', name)
    if (!found || found.metadata.deletionTimestamp) return
    if (caches.of<ApiObject>(configMaps).get(name, 'welcome')) return
    await client.resource<ApiObject & { data: object }>(configMaps).in(name).create({
      metadata: { name: 'welcome' },
      data: { text: 'Welcome to ' + name },
    })
  },
})

${register(names, 'controller(welcomeLoop)', "  requires: ['namespaces', 'configuration'],\n")}`,
  test: names =>
    testWith(
      names,
      'creates its ConfigMap in every namespace, and recreates it',
      `    const { client } = server
    await client.resource({ group: '', version: 'v1', resource: 'namespaces' }).create({ metadata: { name: 'shop' } })
    const shop = client.resource(${configMaps}).in('shop')
    const first = await shop.waitFor('welcome', () => true)
    await shop.delete('welcome')
    const second = await shop.waitFor('welcome', ({ metadata }) => metadata.uid !== first.metadata.uid)
    assert.equal(second.metadata.name, 'welcome')`,
    ),
}

const authenticator: PluginKind = {
  brings: 'an authentication method',
  plugin: names => `import { definePlugin } from 'orch/sdk'
import { defineAuthenticator } from 'orch/sdk/identity'

const prefix = '${names.single}:'

/** It accepts tokens with this prefix and ignores others. Replace the check: this one is not secure. */
const ${names.variable}Tokens = defineAuthenticator({
  name: '${names.plugin}',
  kind: 'bearer',
  authenticate({ bearerToken = '' }) {
    if (!bearerToken.startsWith(prefix)) return undefined
    const name = bearerToken.slice(prefix.length)
    // The message must not quote the token: it is logged.
    if (!/^[a-z]+$/.test(name)) throw new Error('invalid token')
    return { user: { name, groups: [] } }
  },
})

${register(names, `authenticator(${names.variable}Tokens)`)}`,
  test: names =>
    testWith(
      names,
      'authenticates its own tokens only',
      `    const statusOf = async (token: string) =>
      (await fetch(server.baseUrl + '/version', { headers: { Authorization: 'Bearer ' + token } })).status
    assert.notEqual(await statusOf('${names.single}:ann'), 401)
    assert.equal(await statusOf('${names.single}:?'), 401)
    assert.equal(await statusOf('of-nobody'), 401)`,
    ),
}

const authorizer: PluginKind = {
  brings: 'an authorization mode',
  plugin: names => `import { definePlugin } from 'orch/sdk'
import { defineAuthorizer } from 'orch/sdk/identity'

/** Allows members of the group "readers" to read. It has no opinion on other requests, which other modes decide. */
const ${names.variable}Mode = defineAuthorizer({
  mode: '${names.kind}',
  authorize({ user, verb }) {
    const isReading = ['get', 'list', 'watch'].includes(verb)
    return { decision: isReading && user.groups?.includes('readers') ? 'allow' : 'noOpinion' }
  },
})

${register(names, `authorizer(${names.variable}Mode)`)}`,
  test: names =>
    testWith(
      names,
      'allows readers to read only',
      `    const { client } = await server.addUser({ name: 'ann', groups: ['readers'] })
    const maps = client.resource(${configMaps}).in('default')
    assert.ok(await maps.list())
    await assert.rejects(maps.create({ metadata: { name: 'a' } }), (error: ApiError) => error.code === 403)`,
      { imports: "import type { ApiError } from 'orch/sdk'\n" },
    ),
}

const route: PluginKind = {
  brings: 'a path outside of the API, with any response',
  whyNotIsolated: 'routes are served by the process of the server',
  plugin: names => `import { definePlugin, services } from 'orch/sdk'
import { defineRoute } from 'orch/sdk/server'

/** Roles grant access to the path with nonResourceURLs. */
const ${names.variable}Route = defineRoute({
  path: '/${names.plugin}',
  needs: { clock: services.clock },
  handle: ({ user }, { clock }) => ({
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ hello: user.name, now: new Date(clock.now()).toISOString() }),
  }),
})

${register(names, `route(${names.variable}Route)`)}`,
  test: names =>
    testWith(
      names,
      'greets the caller',
      `    const ask = (headers: Record<string, string>) => fetch(server.baseUrl + '/${names.plugin}', { headers })
    const answer = await ask({ Authorization: 'Bearer ' + server.token })
    assert.equal(answer.status, 200)
    assert.ok(((await answer.json()) as { hello: string }).hello)
    assert.notEqual((await ask({})).status, 200)`,
    ),
}

/** By the value of --kind. The default, resource, has files of its own. */
export const pluginKinds: Readonly<Record<string, PluginKind>> = {
  admission,
  controller,
  authenticator,
  authorizer,
  route,
}
