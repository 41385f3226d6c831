import type { ApiObject } from 'orch/sdk'
import { startServer, type TestServer, testAuthority } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { MetricsExtension } from './metrics-extension.js'

const custom = 'custom.metrics.k8s.io/v1beta2/namespaces/default'
const external = 'external.metrics.k8s.io/v1beta1/namespaces/default'
const usage = 'metrics.k8s.io/v1beta1/namespaces/default/pods'
const versions = ['v1beta1.metrics.k8s.io', 'v1beta2.custom.metrics.k8s.io', 'v1beta1.external.metrics.k8s.io']
const waiting = { timeoutMs: 60_000 }

type Autoscaler = ApiObject & {
  spec: object
  status?: {
    desiredReplicas?: number
    currentMetrics?: object[]
    conditions?: { type: string; status: string; reason: string; message: string }[]
  }
}
let server: TestServer
let extension: MetricsExtension
const collection = (group: string, version: string, resource: string) =>
  server.client.resource<ApiObject>({ group, version, resource })
const autoscalers = () =>
  server.client
    .resource<Autoscaler>({ group: 'autoscaling', version: 'v2', resource: 'horizontalpodautoscalers' })
    .in('default')
const conditionOf = ({ status }: Autoscaler, wanted: string) =>
  (status?.conditions ?? []).find(({ type }) => type === wanted)

/** Creates a target with 2 replicas and an autoscaler that has evaluated these metrics once. */
async function scaled(name: string, ...metrics: object[]): Promise<{ replicas: number; seen: Autoscaler }> {
  const sets = collection('apps', 'v1', 'replicasets').in('default')
  const labels = { app: 'web' }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } }
  const spec = { replicas: 2, selector: { matchLabels: labels }, template }
  await sets.create({ metadata: { name }, spec } as ApiObject)
  await sets.patch(name, { status: { replicas: 2 } }, { subresource: 'status' })
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name }
  await autoscalers().create({ metadata: { name }, spec: { scaleTargetRef, maxReplicas: 10, metrics } } as Autoscaler)
  const seen = await autoscalers().waitFor(
    name,
    autoscaler => conditionOf(autoscaler, 'ScalingActive') !== undefined,
    waiting,
  )
  const { spec: now } = (await sets.get(name)) as unknown as { spec: { replicas: number } }
  return { replicas: now.replicas, seen }
}

const metrics = suite('autoscalers and the APIs for metrics')

metrics.before(async () => {
  const authority = await testAuthority()
  extension = new MetricsExtension(await authority.server('metrics.default.svc'))
  const port = await extension.listen()
  server = await startServer({
    vendor: 'kubernetes',
    options: {
      controllers: ['horizontalpodautoscaling', 'apiservice-availability'],
      featureGates: { HPAContainerMetrics: 'true' },
    },
  })
  const rbac = 'rbac.authorization.k8s.io'
  const name = 'read-external-metrics'
  const rules = [{ verbs: ['get', 'list'], apiGroups: ['external.metrics.k8s.io'], resources: ['*'] }]
  await collection(rbac, 'v1', 'clusterroles').create({ metadata: { name }, rules } as ApiObject)
  const subjects = [{ kind: 'ServiceAccount', name: 'horizontal-pod-autoscaler', namespace: 'kube-system' }]
  const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name }
  await collection(rbac, 'v1', 'clusterrolebindings').create({ metadata: { name }, roleRef, subjects } as ApiObject)
  const service = { metadata: { name: 'metrics' }, spec: { type: 'ExternalName', externalName: '127.0.0.1' } }
  await collection('', 'v1', 'services')
    .in('default')
    .create(service as ApiObject)
  const apiServices = collection('apiregistration.k8s.io', 'v1', 'apiservices')
  const caBundle = Buffer.from(authority.caPem).toString('base64')
  for (const name of versions) {
    const [version = '', ...group] = name.split('.')
    const spec = {
      group: group.join('.'),
      version,
      groupPriorityMinimum: 100,
      versionPriority: 100,
      service: { namespace: 'default', name: 'metrics', port },
      caBundle,
    }
    await apiServices.create({ metadata: { name }, spec } as ApiObject)
    await apiServices.waitFor(
      name,
      object => (object as Autoscaler).status?.conditions?.[0]?.status === 'True',
      waiting,
    )
  }
  await collection('', 'v1', 'serviceaccounts')
    .in('default')
    .create({ metadata: { name: 'default' } })
  const pods = collection('', 'v1', 'pods').in('default')
  for (const name of ['a', 'b']) {
    const containers = ['c', 'sidecar'].map(container => ({
      name: container,
      image: 'i',
      resources: { requests: { cpu: '100m' } },
    }))
    await pods.create({ metadata: { name, labels: { app: 'web' } }, spec: { containers } } as ApiObject)
    const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z' }]
    const status = { phase: 'Running', startTime: '2020-01-01T00:00:00Z', conditions }
    await pods.patch(name, { status }, { subresource: 'status' })
  }
  const measured = (name: string, c: string, sidecar: string) => ({
    metadata: { name },
    timestamp: '2020-01-01T01:00:00Z',
    window: '30s',
    containers: [
      { name: 'c', usage: { cpu: c } },
      { name: 'sidecar', usage: { cpu: sidecar } },
    ],
  })
  extension.items.set(usage, [measured('a', '150m', '10m'), measured('b', '150m', '30m')])
  const ofPod = (name: string, value: string) => ({ describedObject: { kind: 'Pod', name }, value })
  extension.items.set(`${custom}/pods/*/packets`, [ofPod('a', '1k'), ofPod('b', '2k')])
  extension.items.set(`${custom}/pods/*/steady`, [ofPod('a', '105'), ofPod('b', '95')])
  extension.items.set(`${custom}/pods/*/partly`, [ofPod('a', '10')])
  extension.items.set(`${custom}/services/front/rps`, [{ value: '30' }])
  extension.items.set('custom.metrics.k8s.io/v1beta2/namespaces/default/metrics/load', [{ value: '1500m' }])
  extension.items.set(`${external}/queue`, [{ value: '12' }, { value: '8' }])
})
metrics.after(async () => {
  await server.stop()
  extension.close()
})

const pods = (name: string, averageValue: string) => ({
  type: 'Pods',
  pods: { metric: { name }, target: { type: 'AverageValue', averageValue } },
})
const describedObject = { apiVersion: 'v1', kind: 'Service', name: 'front' }
const object = (target: object) => ({ type: 'Object', object: { describedObject, metric: { name: 'rps' }, target } })
const queue = (target: object) => ({
  type: 'External',
  external: { metric: { name: 'queue', selector: { matchLabels: { shop: 'x' } } }, target },
})

metrics('Pods: the average of the values of the Pods', async () => {
  const { replicas, seen } = await scaled('packets', pods('packets', '500'))
  assert.is(replicas, 4) // 6 are wanted; at most twofold, or 4, at a time
  assert.equal(seen.status?.currentMetrics, [
    { type: 'Pods', pods: { metric: { name: 'packets' }, current: { averageValue: '1500' } } },
  ])
  const query = extension.queries.get(`${custom}/pods/*/packets`)
  assert.is(query?.get('labelSelector'), 'app=web')
  assert.match(conditionOf(seen, 'ScalingActive')?.message ?? '', /from pods metric packets$/)
  assert.is((await scaled('steady', pods('steady', '95'))).replicas, 2)
})

metrics('Pods without metrics do not cause scaling up', async () => {
  // One Pod alone would need 4; counting the other as 0, 2 are enough.
  assert.is((await scaled('partly', pods('partly', '5'))).replicas, 2)
})

metrics('Object: a value for all, or for each', async () => {
  const all = await scaled('all', object({ type: 'Value', value: '20' }))
  assert.is(all.replicas, 3)
  assert.equal(all.seen.status?.currentMetrics, [
    { type: 'Object', object: { metric: { name: 'rps' }, current: { value: '30' }, describedObject } },
  ])
  const each = await scaled('each', object({ type: 'AverageValue', averageValue: '10' }))
  assert.is(each.replicas, 3)
  assert.equal(each.seen.status?.currentMetrics, [
    { type: 'Object', object: { metric: { name: 'rps' }, current: { averageValue: '15' }, describedObject } },
  ])
  // A metric of a namespace is always that of the namespace of the autoscaler, whatever it names.
  const place = { apiVersion: 'v1', kind: 'Namespace', name: 'secret-project' }
  const source = { describedObject: place, metric: { name: 'load' }, target: { type: 'Value', value: '1' } }
  assert.is((await scaled('load', { type: 'Object', object: source })).replicas, 3)
})

metrics('External: all series of a metric together', async () => {
  const { replicas, seen } = await scaled('queue', queue({ type: 'AverageValue', averageValue: '5' }))
  assert.is(replicas, 4)
  assert.is(extension.queries.get(`${external}/queue`)?.get('labelSelector'), 'shop=x')
  const metric = { name: 'queue', selector: { matchLabels: { shop: 'x' } } }
  assert.equal(seen.status?.currentMetrics, [
    { type: 'External', external: { metric, current: { averageValue: '10' } } },
  ])
  assert.is((await scaled('tolerated', queue({ type: 'Value', value: '19' }))).replicas, 2)
})

metrics('Resource and ContainerResource: what Pods use, or one container of theirs', async () => {
  const target = { type: 'Utilization', averageUtilization: 50 }
  const whole = await scaled('whole', { type: 'Resource', resource: { name: 'cpu', target } })
  assert.is(whole.replicas, 4)
  assert.equal(whole.seen.status?.currentMetrics, [
    { type: 'Resource', resource: { name: 'cpu', current: { averageValue: '170m', averageUtilization: 85 } } },
  ])
  const containerResource = { name: 'cpu', container: 'c', target }
  const part = await scaled('part', { type: 'ContainerResource', containerResource })
  assert.equal(part.seen.status?.currentMetrics, [
    {
      type: 'ContainerResource',
      containerResource: { name: 'cpu', container: 'c', current: { averageValue: '150m', averageUtilization: 150 } },
    },
  ])
})

metrics('unavailable metrics are reported by type and prevent scaling down', async () => {
  const value = { type: 'Value', value: '1' }
  const perPod = { type: 'AverageValue', averageValue: '1' }
  const unknown: Record<string, object> = {
    Pods: { type: 'Pods', pods: { metric: { name: 'none' }, target: perPod } },
    Object: { type: 'Object', object: { describedObject, metric: { name: 'none' }, target: value } },
    External: { type: 'External', external: { metric: { name: 'none' }, target: value } },
    Resource: { type: 'Resource', resource: { name: 'memory', target: perPod } },
    ContainerResource: {
      type: 'ContainerResource',
      containerResource: { name: 'cpu', container: 'none', target: perPod },
    },
  }
  for (const [type, metric] of Object.entries(unknown)) {
    const { replicas, seen } = await scaled(`unknown-${type.toLowerCase()}`, metric)
    const { status, reason } = conditionOf(seen, 'ScalingActive') ?? {}
    assert.equal([replicas, status, reason], [2, 'False', `FailedGet${type}Metric`])
  }
  const less = queue({ type: 'Value', value: '100' })
  const kept = await scaled('kept', unknown.Pods as object, less)
  assert.equal([kept.replicas, conditionOf(kept.seen, 'ScalingActive')?.reason], [2, 'FailedGetPodsMetric'])
  const more = await scaled('more', unknown.Pods as object, queue({ type: 'Value', value: '10' }))
  assert.equal([more.replicas, conditionOf(more.seen, 'ScalingActive')?.reason], [4, 'ValidMetricFound'])
})

metrics.run()
