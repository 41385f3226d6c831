import { type ApiObject, definePlugin } from 'orch/sdk'
import { defineAuthorizer, type ResourceAccess } from 'orch/sdk/identity'
import { startServer, type TestServer } from 'orch/sdk/testing'
import * as assert from 'uvu/assert'
import config from '../../orch.config.js'
import { eventually } from '../support/eventually.js'

/**
 * Control loops have more permissions than most users. Here a user of the namespace `mine` writes objects that name, in every field that a
 * loop reads, objects of the namespace `theirs`, or paths instead of names. Every request of every loop is recorded: none may access
 * `theirs`, and nothing in it may change.
 */
export const requests: ResourceAccess[] = []
const witness = definePlugin({
  name: 'witness',
  register: to =>
    to.authorizer(
      defineAuthorizer({
        mode: 'Witness',
        authorize: access => {
          if (access.path === undefined && access.user.name.startsWith('system:serviceaccount:')) requests.push(access)
          return { decision: 'noOpinion' }
        },
      }),
    ),
})

export let server: TestServer
let before: Map<string, string>
export const patience = { timeoutMs: 30_000 }
export const core = (resource: string) => ({ group: '', version: 'v1', resource })
export const apps = (resource: string) => ({ group: 'apps', version: 'v1', resource })
export const batch = (resource: string) => ({ group: 'batch', version: 'v1', resource })
type Ref = ReturnType<typeof core>
export const within = (namespace: string, ref: Ref) => server.client.resource<ApiObject>(ref).in(namespace)
export const mine = (ref: Ref) => within('mine', ref)
export const theirs = (ref: Ref) => within('theirs', ref)

export const labels = { app: 'web' }
export const podSpec = { containers: [{ name: 'c', image: 'i' }] }
export const template = { metadata: { labels }, spec: podSpec }
export const selector = { matchLabels: labels }
export const odd = [
  '../../theirs/secrets/s',
  '../theirs/x',
  'theirs/web',
  '..',
  'web/status',
  'web?watch=true',
  'a%2fb',
]

const watched: readonly Ref[] = [
  core('secrets'),
  core('configmaps'),
  core('serviceaccounts'),
  core('pods'),
  core('services'),
  core('endpoints'),
  core('persistentvolumeclaims'),
  core('persistentvolumes'),
  apps('deployments'),
  apps('replicasets'),
  batch('jobs'),
]
/** Every object outside of `mine` that a user could have named, with its version. */
async function others(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const ref of watched)
    for await (const { metadata } of server.client.resource<ApiObject>(ref).each())
      if (metadata.namespace === undefined || metadata.namespace === 'theirs')
        found.set(`${ref.resource} ${metadata.name}`, metadata.resourceVersion ?? '')
  return found
}

/** Starts a server with all plugins, and creates the objects in `theirs`. */
export async function startWorld(): Promise<void> {
  // First, because authorizers after one that allows a request do not see it.
  server = await startServer({
    plugins: [witness, ...(config.plugins ?? [])],
    options: { storageEngine: 'memory' },
    tls: true,
  })
  const { client } = server
  for (const name of ['mine', 'theirs']) await client.resource(core('namespaces')).create({ metadata: { name } })
  for (const namespace of ['mine', 'theirs']) {
    await within(namespace, core('serviceaccounts')).waitFor(
      'default',
      found => Array.isArray(found['secrets']),
      patience,
    )
    await within(namespace, core('configmaps')).waitFor('orch-root-ca.crt', () => true, patience)
  }
  await theirs(core('secrets')).create({ metadata: { name: 's' } })
  await theirs(core('configmaps')).create({ metadata: { name: 'kept' } })
  await theirs(core('pods')).create({ metadata: { name: 'web-0', labels }, spec: podSpec })
  await theirs(batch('jobs')).create({
    metadata: { name: 'work' },
    spec: { suspend: true, template: { spec: { ...podSpec, restartPolicy: 'Never' } } },
  })
  await theirs(apps('deployments')).create({
    metadata: { name: 'idle' },
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: 'idle' } },
      template: { ...template, metadata: { labels: { app: 'idle' } } },
    },
  })
  await theirs(apps('deployments')).waitFor(
    'idle',
    ({ status }) => status !== undefined && 'observedGeneration' in (status as object),
    patience,
  )
  await client.resource<ApiObject>(core('persistentvolumes')).create({
    metadata: { name: 'volume' },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path: '/x' },
      storageClassName: 'none',
      claimRef: { namespace: 'theirs', name: 'data' },
    },
  })
  await theirs(core('persistentvolumeclaims')).create(claim('data', 'volume'))
  await theirs(core('persistentvolumeclaims')).waitFor('data', isBound, patience)
  await server.client.resource<ApiObject>(core('persistentvolumes')).waitFor('volume', isBound, patience)
  await eventually('theirs to be stable', async () => {
    const one = await others()
    await pause()
    const other = await others()
    return JSON.stringify([...one]) === JSON.stringify([...other])
  })
  before = await others()
  requests.length = 0
}
export const stopWorld = () => server.stop()

/** Asserts that no loop accessed another namespace or followed a path. */
export async function nothingStrayed(): Promise<void> {
  assert.ok(requests.length > 0, 'no loop sent a request')
  const strayed = requests.filter(
    ({ namespace, name, subresource }) =>
      namespace === 'theirs' || /[/%]|^\.+$/.test(name) || ['s', 'x', 'web'].includes(subresource),
  )
  assert.equal(
    strayed.map(({ user, verb, resource, subresource, namespace, name }) =>
      [user.name, verb, `${resource}/${subresource}`, namespace, name].join(' '),
    ),
    [],
  )
  assert.equal([...(await others())], [...before])
}
const pause = () => new Promise(resolve => setTimeout(resolve, 300))
export const isBound = ({ status }: ApiObject) => (status as { phase?: string } | undefined)?.phase === 'Bound'
export const claim = (name: string, volumeName: string): ApiObject => ({
  metadata: { name },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    storageClassName: 'none',
    volumeName,
  },
})
export const owner = (apiVersion: string, kind: string, name: string, uid: string) => ({
  apiVersion,
  kind,
  name,
  uid,
  controller: true,
})
