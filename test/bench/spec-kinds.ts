import type { SpecClient } from './spec-client.js'

/** A webhook that allows everything. */
export interface SpecHook {
  readonly url: string
  readonly caBundle: string
}
/** One spec in the suite of a client library or a controller. `n` makes its names unique. */
export type Spec = (client: SpecClient, n: number, hook: SpecHook) => Promise<void>

interface SpecType {
  readonly path: string
  readonly kind: string
  readonly apiVersion: string
  readonly body: object
  readonly change: object
  readonly status?: object
}
const labels = { app: 'spec' }
const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'example.test/web' }] } }
const inDefault = (resource: string, root = '/api/v1') => `${root}/namespaces/default/${resource}`

const types: readonly SpecType[] = [
  {
    path: inDefault('configmaps'),
    kind: 'ConfigMap',
    apiVersion: 'v1',
    body: { data: { a: '1' } },
    change: { data: { a: '2' } },
  },
  {
    path: inDefault('secrets'),
    kind: 'Secret',
    apiVersion: 'v1',
    body: { stringData: { a: '1' } },
    change: { stringData: { a: '2' } },
  },
  {
    path: inDefault('pods'),
    kind: 'Pod',
    apiVersion: 'v1',
    body: { spec: template.spec },
    change: { metadata: { annotations: { a: 'b' } } },
    status: { phase: 'Running' },
  },
  {
    path: inDefault('services'),
    kind: 'Service',
    apiVersion: 'v1',
    body: { spec: { ports: [{ port: 80 }], selector: labels } },
    change: { spec: { ports: [{ port: 81 }] } },
  },
  {
    path: '/api/v1/nodes',
    kind: 'Node',
    apiVersion: 'v1',
    body: {},
    change: { metadata: { annotations: { a: 'b' } } },
    status: { phase: 'Running' },
  },
  {
    path: inDefault('deployments', '/apis/apps/v1'),
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    body: { spec: { replicas: 2, selector: { matchLabels: labels }, template } },
    change: { spec: { replicas: 3 } },
    status: { replicas: 1 },
  },
  {
    path: inDefault('statefulsets', '/apis/apps/v1'),
    kind: 'StatefulSet',
    apiVersion: 'apps/v1',
    body: { spec: { serviceName: 'x', selector: { matchLabels: labels }, template } },
    change: { spec: { replicas: 3 } },
  },
  {
    path: inDefault('jobs', '/apis/batch/v1'),
    kind: 'Job',
    apiVersion: 'batch/v1',
    body: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
    change: { spec: { parallelism: 2 } },
  },
]

const body = ({ apiVersion, kind, body: rest }: SpecType, name: string) => ({
  apiVersion,
  kind,
  metadata: { name, labels },
  ...rest,
})
const merge = 'application/merge-patch+json'

/** The specs for each type. */
const onType: Readonly<Record<string, (client: SpecClient, type: SpecType, name: string) => Promise<void>>> = {
  async 'creates and gets'(client, type, name) {
    await client.ok('POST', type.path, body(type, name))
    await client.ok('GET', `${type.path}/${name}`)
  },
  async 'fails to create twice'(client, type, name) {
    await client.ok('POST', type.path, body(type, name))
    if ((await client.send('POST', type.path, body(type, name))).status !== 409) throw new Error('it was created twice')
  },
  async 'creates in a dry run'(client, type, name) {
    await client.ok('POST', `${type.path}?dryRun=All`, body(type, name))
    if ((await client.send('GET', `${type.path}/${name}`)).status !== 404) throw new Error('it was created')
  },
  async updates(client, type, name) {
    const stored = await client.ok('POST', type.path, body(type, name))
    stored.metadata.annotations = { changed: 'yes' }
    await client.ok('PUT', `${type.path}/${name}`, stored)
  },
  async patches(client, type, name) {
    await client.ok('POST', type.path, body(type, name))
    await client.ok('PATCH', `${type.path}/${name}`, type.change, merge)
  },
  async applies(client, type, name) {
    await client.ok('PATCH', `${type.path}/${name}?fieldManager=spec`, body(type, name), 'application/apply-patch+yaml')
  },
  async 'writes the status'(client, type, name) {
    if (!type.status) return
    await client.ok('POST', type.path, body(type, name))
    await client.ok('PATCH', `${type.path}/${name}/status`, { status: type.status }, merge)
  },
  async deletes(client, type, name) {
    await client.ok('POST', type.path, body(type, name))
    await client.ok('DELETE', `${type.path}/${name}`, { gracePeriodSeconds: 0 })
  },
  async 'lists by label'(client, type, name) {
    await client.ok('POST', type.path, { ...body(type, name), metadata: { name, labels: { ...labels, only: name } } })
    if ((await client.ok('GET', `${type.path}?labelSelector=only%3D${name}`)).items.length !== 1)
      throw new Error('not one')
  },
  async 'sees it in a watch'(client, type, name) {
    const { metadata } = await client.ok('GET', `${type.path}?limit=1`)
    const watch = await client.watch(`${type.path}?watch=true&resourceVersion=${metadata.resourceVersion}`)
    await client.ok('POST', type.path, body(type, name))
    while ((await watch.next()).object.metadata.name !== name);
    watch.close()
  },
}

/** The first requests of a new client: all types of all groups. */
const discovers: Spec = async client => {
  await client.ok('GET', '/api')
  const { groups } = await client.ok('GET', '/apis')
  const versions = groups.flatMap((group: { versions: { groupVersion: string }[] }) => group.versions)
  await Promise.all([
    client.ok('GET', '/api/v1'),
    ...versions.map(({ groupVersion }: { groupVersion: string }) => client.ok('GET', `/apis/${groupVersion}`)),
  ])
}

/** As envtest installs a definition: create it, poll discovery until it is served; then the first object of the type. */
const installsDefinition: Spec = async (client, n) => {
  const [group, plural] = [`g${n}.example.test`, 'widgets']
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { size: { type: 'integer', minimum: 0 } } } },
  }
  await client.ok('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind: 'Widget' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  })
  while ((await client.send('GET', `/apis/${group}/v1`)).status !== 200)
    await new Promise(resolve => setTimeout(resolve, 5))
  const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'one' }, spec: { size: 3 } }
  await client.ok('POST', `/apis/${group}/v1/namespaces/default/${plural}`, widget)
}

const makesNamespace: Spec = async (client, n) => {
  const name = `ns-${n}`
  await client.ok('POST', '/api/v1/namespaces', { metadata: { name } })
  await client.ok('POST', `/api/v1/namespaces/${name}/configmaps`, { metadata: { name: 'inside' } })
}

/** As handler specs do: install a webhook, trigger it, remove it. */
const callsWebhook: Spec = async (client, n, clientConfig) => {
  const name = `hook-${n}.example.test`
  const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'
  await client.ok('POST', configurations, {
    metadata: { name },
    webhooks: [
      {
        name,
        clientConfig,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        objectSelector: { matchLabels: { hook: name } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
      },
    ],
  })
  await client.ok('POST', inDefault('configmaps'), { metadata: { name: `spec-${n}`, labels: { hook: name } } })
  await client.ok('DELETE', `${configurations}/${name}`)
}

const readsOpenApi: Spec = async client => void (await client.ok('GET', '/openapi/v2'))

const repeated = (spec: Spec, times: number): Spec[] => Array.from({ length: times }, () => spec)

/** All specs of a suite, by what they do, in the order in which they run. */
export function allSpecs(): readonly { readonly what: string; readonly run: Spec }[] {
  const specs: { what: string; run: Spec }[] = []
  const add = (what: string, runs: readonly Spec[]) => specs.push(...runs.map(run => ({ what, run })))
  add('discovers types', repeated(discovers, 10))
  for (const [what, run] of Object.entries(onType))
    add(
      what,
      [...types, ...types].map(
        (type): Spec =>
          (client, n) =>
            run(client, type, `spec-${n}`),
      ),
    )
  add('makes a namespace', repeated(makesNamespace, 10))
  add('installs a definition', repeated(installsDefinition, 20))
  add('calls a webhook', repeated(callsWebhook, 20))
  add('reads OpenAPI', repeated(readsOpenApi, 3))
  return specs
}
