import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError, type ApiObject } from 'orch/sdk'
import { createClient, httpTransport, waitingClock } from 'orch/sdk/client'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../support/temporary-folder.js'

/** Contributions and services of a plugin in a separate process, in addition to the tests of plugins/installed-plugins. */
const isolated = suite('contributions of a plugin in a separate process')
const folder = temporaryFolder()
const configMaps = { group: '', version: 'v1', resource: 'configmaps' }
const secrets = { group: '', version: 'v1', resource: 'secrets' }

const source = (name: string, register: string, more = '') => `
import { definePlugin, reject, services, serviceToken } from 'orch/sdk'
export default definePlugin({
  name: '${name}',
  ${more}
  register(to) {
    ${register}
  },
})
`
const file = (name: string, text: string): string => {
  const path = join(folder.path, `${name}.ts`)
  writeFileSync(path, text)
  return path
}

/** The token is the user; one token ends the process, one returns no user. */
const guests = source(
  'guests',
  `to.authenticator({
      name: 'guests',
      kind: 'bearer',
      authenticate({ bearerToken = '' }) {
        if (!bearerToken.startsWith('guest-')) return undefined
        if (bearerToken === 'guest-crash') process.exit(3)
        if (bearerToken === 'guest-garbage') return { user: { groups: ['system:masters'] } }
        if (bearerToken === 'guest-expired') throw new Error('the guest has left')
        return { user: { name: bearerToken, groups: ['guests', 'system:authenticated'] } }
      },
    })
    to.authorizer({
      mode: 'Guests',
      authorize({ user, verb, resource, name }) {
        if (name === 'crash') process.exit(3)
        if (name === 'garbage') return { decision: 'certainly' }
        if (!user.groups.includes('guests') || resource !== 'configmaps') return { decision: 'noOpinion' }
        return verb === 'get' ? { decision: 'allow' } : { decision: 'deny', reason: 'guests read' }
      },
      rulesFor: () => ({ resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }], nonResourceRules: [], incomplete: false }),
    })
    to.healthCheck({ name: 'guests', check() {} })`,
)

/** Rejects a ConfigMap that is listed in another one, according to its cache, its reader and its own service. */
const listed = source(
  'listed',
  `const lists = serviceToken('listed.lists')
    to.service({
      token: lists,
      needs: { caches: services.caches, reader: services.reader },
      create: ({ caches, reader }) => ({
        cached: namespace => caches.of({ group: '', resource: 'configmaps' }).get(namespace, 'list')?.data ?? {},
        stored: async namespace => (await reader.get({ group: '', resource: 'configmaps' }, namespace, 'list'))?.data ?? {},
        secrets: () => reader.list({ group: '', resource: 'secrets' }),
      }),
    })
    to.admission({
      name: 'Listed',
      phase: 'validate',
      sideEffects: 'none',
      matches: { group: '', resource: 'configmaps', operations: ['create'] },
      needs: { lists, authorizer: services.authorizer },
      async review({ name, namespace, user }, { lists, authorizer }) {
        if (name === 'secrets') return reject(String((await lists.secrets()).length))
        if (name === 'right') return reject(String(await authorizer.allows(user, 'get', { resource: 'configmaps' })))
        const [cached, stored] = [lists.cached(namespace), await lists.stored(namespace)]
        if (cached[name] !== stored[name]) return reject('the cache is behind')
        if (name in cached) return reject('listed')
      },
    })`,
  `permissions: {
    resources: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }],
    services: ['authorizer'],
  },`,
)

/** Reports the number of ConfigMaps, or the error of reading them, and the id of its process. */
const counting = source(
  'counting',
  `const maps = { group: '', resource: 'configmaps' }
    to.admission({
      name: 'Counting',
      phase: 'validate',
      sideEffects: 'none',
      matches: { group: '', resource: 'secrets', operations: ['create'] },
      needs: { caches: services.caches, reader: services.reader },
      async review({ object }, { caches, reader }) {
        const by = {
          reader: async () => (await reader.list(maps)).length,
          cache: async () => {
            await caches.of(maps).ready()
            return caches.of(maps).list().length
          },
        }[object.type]
        const counted = await by().catch(error => error.message)
        return reject(process.pid + ': ' + counted)
      },
    })`,
  `permissions: { resources: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] }] },`,
)

let server: TestServer
isolated.before(async () => {
  const names = ['namespaces', 'configuration', 'authentication', 'authorization']
  const settings = { grade: 'worker', callTimeoutMs: 30_000, startTimeoutMs: 120_000 } as const
  server = await startServer({
    plugins: names.map(name => `orch/plugins/${name}`),
    morePlugins: [
      { plugin: file('guests', guests), isolation: settings },
      { plugin: file('listed', listed), isolation: settings },
      { plugin: file('counting', counting), isolation: { ...settings, memoryMegabytes: 64 } },
    ],
  })
})
isolated.after(async () => {
  await server?.stop()
  folder.remove()
})

const clientOf = (token: string) =>
  createClient({ transport: httpTransport({ ...server.clientConfig, credentials: { token } }), clock: waitingClock })
const create = (name: string, data: Record<string, string> = {}) =>
  server.client
    .resource(configMaps)
    .in('default')
    .create({ metadata: { name }, data } as ApiObject)
const refusal = async (work: Promise<unknown>): Promise<ApiError> => {
  try {
    await work
  } catch (thrown) {
    if (thrown instanceof ApiError) return thrown
    throw thrown
  }
  throw new Error('it was not refused')
}

isolated('a control sees the latest writes, from the cache and directly', async () => {
  await create('list', { first: '' })
  assert.match((await refusal(create('first'))).message, 'listed')
  for (let round = 0; round < 20; round++) {
    const patch = { data: { [`name-${round}`]: '' } }
    await server.client.resource(configMaps).in('default').patch('list', patch, { type: 'merge' })
    assert.match((await refusal(create(`name-${round}`))).message, 'listed')
  }
  await create('second')
})

isolated(
  'lists and caches that are too large for the process are rejected with a remedy, and it keeps running',
  async () => {
    const count = async (by: string) => {
      const secret: ApiObject = Object.assign({ metadata: { name: 'count' } }, { type: by })
      const { message } = await refusal(server.client.resource(secrets).in('default').create(secret))
      const [, pid, counted] = /(\d+): (.*)$/.exec(message) ?? []
      return { pid, counted }
    }
    const fill = async (from: number, to: number) => {
      for (let number = from; number < to; number++) await create(`large-${number}`, { text: 'x'.repeat(900_000) })
    }
    await fill(0, 8)
    const { pid, counted } = await count('reader')
    assert.ok(Number(counted) >= 8, counted)
    await fill(8, 26)
    const list = await count('reader')
    assert.match(
      list.counted ?? '',
      /the list of configmaps has more than 10 MiB.*in pages with the client \(limit: 500\)/,
    )
    const cache = await count('cache')
    assert.match(cache.counted ?? '', /the objects of configmaps are more than 20 MiB.*--isolated-plugin-memory/)
    assert.is(list.pid, pid)
    assert.is(cache.pid, pid)
  },
)

isolated('a control has only the permissions that its plugin declares', async () => {
  assert.is((await refusal(create('secrets'))).code, 403)
  assert.match((await refusal(create('secrets'))).message, 'cannot list resource "secrets"')
  assert.match((await refusal(create('right'))).message, 'true')
})

isolated('authentication and authorization run in the process', async () => {
  const guest = clientOf('guest-anna').resource(configMaps).in('default')
  assert.is((await guest.get('list')).metadata.name, 'list')
  const denied = await refusal(guest.delete('list'))
  assert.is(denied.code, 403)
  assert.match(denied.message, 'guests read')
  assert.is((await refusal(clientOf('guest-expired').resource(configMaps).in('default').get('list'))).code, 401)
  assert.is((await refusal(clientOf('guest-garbage').resource(configMaps).in('default').get('list'))).code, 401)
})

isolated(
  'an authorizer with an invalid answer has no opinion, and an authenticator without a user lets others decide',
  async () => {
    // No other authorizer allows it, so the error is that it could not be decided, as in Kubernetes.
    assert.is((await refusal(clientOf('guest-anna').resource(configMaps).in('default').get('garbage'))).code, 500)
    assert.is((await refusal(clientOf('guest-crash').resource(configMaps).in('default').get('list'))).code, 401)
    // The process is down or restarting; users of other authenticators are not affected.
    assert.is((await server.client.resource(configMaps).in('default').get('list')).metadata.name, 'list')
  },
)

isolated.run()
