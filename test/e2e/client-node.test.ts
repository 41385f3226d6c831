import {
  ApiException,
  CoreV1Api,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type V1ConfigMap,
} from '@kubernetes/client-node'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { rejects } from '../support/rejects.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'

const namespace = 'default'
let server: RunningServer | undefined

/** One server for all tests of this file; the client config has the certificate of the administrator. */
async function adminConfig(): Promise<KubeConfig> {
  server ??= await startOrch({ flags: ['--vendor', 'kubernetes'] })
  const config = new KubeConfig()
  config.loadFromFile(server.adminConfig)
  return config
}
const as = (strategy: string) => setHeaderOptions('Content-Type', strategy)
async function failure(work: Promise<unknown>): Promise<{ code: number; reason: string }> {
  const error = await rejects(work)
  assert.instance(error, ApiException)
  const { code, body } = error as ApiException<string>
  return { code, reason: JSON.parse(body).reason }
}

const node = suite('@kubernetes/client-node')

node('creates, reads, replaces, patches, lists and deletes', async () => {
  const core = (await adminConfig()).makeApiClient(CoreV1Api)
  const made = await core.createNamespacedConfigMap({
    namespace,
    body: { metadata: { generateName: 'typed-', labels: { suite: 'typed' } }, data: { color: 'red' } },
  })
  const name = made.metadata?.name ?? ''
  assert.match(name, /^typed-/)
  assert.instance(made.metadata?.creationTimestamp, Date)

  const read = await core.readNamespacedConfigMap({ namespace, name })
  const replaced = await core.replaceNamespacedConfigMap({
    namespace,
    name,
    body: { ...read, data: { color: 'blue' } },
  })
  assert.equal(replaced.data, { color: 'blue' })
  assert.equal(await failure(core.replaceNamespacedConfigMap({ namespace, name, body: read })), {
    code: 409,
    reason: 'Conflict',
  })
  const patch = [{ op: 'add', path: '/data/size', value: '7' }]
  const patched = await core.patchNamespacedConfigMap({ namespace, name, body: patch })
  assert.equal(patched.data, { color: 'blue', size: '7' })

  const listed = await core.listNamespacedConfigMap({ namespace, labelSelector: 'suite=typed' })
  assert.equal(
    listed.items.map(each => each.metadata?.name),
    [name],
  )
  await core.deleteNamespacedConfigMap({ namespace, name })
  assert.equal(await failure(core.readNamespacedConfigMap({ namespace, name })), { code: 404, reason: 'NotFound' })
})

node('discovers types', async () => {
  const objects = KubernetesObjectApi.makeApiClient(await adminConfig())
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'found', namespace } }
  const made = await objects.create({ ...secret, stringData: { word: 'open' } })
  assert.equal((made as { data?: unknown }).data, { word: 'b3Blbg==' })
  assert.is(
    (await objects.list('v1', 'Secret', namespace)).items.some(each => each.metadata?.name === 'found'),
    true,
  )
  await objects.delete(secret)
})

node('applies on the server, gets conflicts and takes over fields', async () => {
  const core = (await adminConfig()).makeApiClient(CoreV1Api)
  const apply = (fieldManager: string, data: Record<string, string>, force = false) =>
    core.patchNamespacedConfigMap(
      {
        namespace,
        name: 'applied',
        fieldManager,
        force,
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' }, data },
      },
      as(PatchStrategy.ServerSideApply),
    )
  await apply('first', { one: '1', two: '2' })
  const second = await apply('second', { two: '2' })
  // An apply that changes only ownership has no time, and such entries come first.
  const byManager = [...(second.metadata?.managedFields ?? [])].sort((one, other) =>
    one.manager! < other.manager! ? -1 : 1,
  )
  assert.equal(
    byManager.map(each => [each.manager, each.operation, each.fieldsV1]),
    [
      ['first', 'Apply', { 'f:data': { 'f:one': {}, 'f:two': {} } }],
      ['second', 'Apply', { 'f:data': { 'f:two': {} } }],
    ],
  )
  assert.equal(await failure(apply('second', { one: '9' })), { code: 409, reason: 'Conflict' })
  assert.equal((await apply('second', { one: '9' }, true)).data, { one: '9', two: '2' })
  assert.equal((await apply('first', {})).data, { one: '9' })
})

node('an informer gets existing objects and changes', async () => {
  const config = await adminConfig()
  const core = config.makeApiClient(CoreV1Api)
  const name = 'watched'
  await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'before' } } })
  const path = `/api/v1/namespaces/${namespace}/configmaps`
  const informer = makeInformer<V1ConfigMap>(config, path, () => core.listNamespacedConfigMap({ namespace }))
  const heard: string[] = []
  for (const verb of ['add', 'update', 'delete'] as const)
    informer.on(verb, object => void heard.push(`${verb} ${object.metadata?.name}`))
  await informer.start()
  try {
    await eventually('what was there before', () => heard.includes('add before'))
    await core.createNamespacedConfigMap({ namespace, body: { metadata: { name } } })
    await core.patchNamespacedConfigMap(
      { namespace, name, body: { data: { x: 'y' } } },
      as(PatchStrategy.StrategicMergePatch),
    )
    await eventually('the change', () => heard.includes(`update ${name}`))
    assert.equal(informer.get(name, namespace)?.data, { x: 'y' })
    await core.deleteNamespacedConfigMap({ namespace, name })
    await eventually('the deletion', () => heard.includes(`delete ${name}`))
    assert.equal(
      heard.filter(each => each.endsWith(name)),
      [`add ${name}`, `update ${name}`, `delete ${name}`],
    )
    assert.is(informer.get(name, namespace), undefined)
  } finally {
    await informer.stop()
  }
})

node('uses the token of a service account, with its permissions', async () => {
  const config = await adminConfig()
  const core = config.makeApiClient(CoreV1Api)
  await core.createNamespacedServiceAccount({ namespace, body: { metadata: { name: 'robot' } } })
  const { status } = await core.createNamespacedServiceAccountToken({
    namespace,
    name: 'robot',
    body: { spec: { audiences: [], expirationSeconds: 600 } },
  })
  const robot = new KubeConfig()
  robot.loadFromClusterAndUser(config.getCurrentCluster()!, { name: 'robot', token: status?.token ?? '' })
  const asRobot = robot.makeApiClient(CoreV1Api)
  assert.equal(await failure(asRobot.listNamespacedConfigMap({ namespace })), { code: 403, reason: 'Forbidden' })
})

node.after(async () => {
  await server?.stop()
})
node.run()
