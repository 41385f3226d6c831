import type { ApiObject } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import {
  apps,
  batch,
  claim,
  core,
  labels,
  mine,
  nothingStrayed,
  odd,
  owner,
  patience,
  podSpec,
  requests,
  selector,
  server,
  startWorld,
  stopWorld,
  template,
  theirs,
  within,
} from './two-namespaces.js'

/** Control loops and objects that refer to other namespaces: see `two-namespaces.ts`. */
const deputies = suite('control loops')
deputies.before(startWorld)
deputies.after(stopWorld)
const budgets = { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' }
const autoscalers = { group: 'autoscaling', version: 'v2', resource: 'horizontalpodautoscalers' }
const loop = (title: string, test: () => Promise<void>) =>
  deputies(title, async () => {
    await test()
    await nothingStrayed()
  })

loop('serviceaccount-token: Secrets that an account lists, and accounts that a Secret names', async () => {
  await mine(core('serviceaccounts')).create({ metadata: { name: 'robot' }, secrets: odd.map(name => ({ name })) })
  const annotations = { 'orch.io/service-account.name': '../../theirs/serviceaccounts/default' }
  await mine(core('secrets')).create({
    metadata: { name: 'stray', annotations },
    type: 'orch.io/service-account-token',
  })
  const hasToken = ({ secrets }: ApiObject) => JSON.stringify(secrets).includes('robot-token-')
  await mine(core('serviceaccounts')).waitFor('robot', hasToken, patience)
  await mine(core('secrets')).waitForDeletion('stray', patience)
})

loop(
  'serviceaccount, root-ca-cert-publisher: they write objects of a fixed name, whatever is in a namespace',
  async () => {
    const since = requests.length
    await server.client
      .resource(core('namespaces'))
      .create({ metadata: { name: 'new', labels: { default: 'theirs' } } })
    await within('new', core('configmaps')).waitFor('orch-root-ca.crt', () => true, patience)
    await within('new', core('serviceaccounts')).waitFor('default', () => true, patience)
    const written = requests
      .slice(since)
      .filter(({ user }) => /:(service-account-controller|root-ca-cert-publisher)$/.test(user.name))
      .map(({ verb, resource, namespace }) => `${verb} ${resource} ${namespace}`)
    assert.equal([...new Set(written)].sort(), ['create configmaps new', 'create serviceaccounts new'])
  },
)

loop('garbagecollector: owners in another namespace, and owners whose names are paths', async () => {
  const { metadata } = await theirs(core('configmaps')).get('kept')
  const references = ['kept', ...odd].map(name => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name,
    uid: metadata.uid ?? '',
  }))
  for (const [index, reference] of references.entries())
    await mine(core('configmaps')).create({ metadata: { name: `owned-${index}`, ownerReferences: [reference] } })
  for (const index of references.keys()) await mine(core('configmaps')).waitForDeletion(`owned-${index}`, patience)
})

loop(
  'deployment, replicaset, replicationcontroller, statefulset, job: Pods in another namespace that match the selector',
  async () => {
    await mine(apps('deployments')).create({ metadata: { name: 'web' }, spec: { replicas: 1, selector, template } })
    await mine(apps('statefulsets')).create({
      metadata: { name: 'web' },
      spec: { replicas: 1, serviceName: 'web', selector, template },
    })
    await mine(core('replicationcontrollers')).create({
      metadata: { name: 'rc' },
      spec: { replicas: 1, selector: labels, template },
    })
    await mine(batch('jobs')).create({
      metadata: { name: 'job' },
      spec: {
        manualSelector: true,
        selector,
        template: { metadata: { labels }, spec: { ...podSpec, restartPolicy: 'Never' } },
      },
    })
    const kinds = ['Job', 'ReplicaSet', 'ReplicationController', 'StatefulSet']
    await eventually('a Pod of each', async () => {
      const { items } = await mine(core('pods')).list()
      const owners = items.map(({ metadata }) => metadata.ownerReferences?.[0]?.kind ?? '')
      return kinds.every(kind => owners.includes(kind))
    })
  },
)

loop('daemonset: nodes, and Pods that it does not own', async () => {
  await server.client.resource<ApiObject>(core('nodes')).create({ metadata: { name: 'machine' } })
  await mine(apps('daemonsets')).create({
    metadata: { name: 'agent' },
    spec: { selector, template: { ...template, spec: { ...podSpec, tolerations: [{ operator: 'Exists' }] } } },
  })
  await eventually('its Pod', async () => {
    const { items } = await mine(core('pods')).list()
    return items.some(({ metadata }) => metadata.ownerReferences?.[0]?.kind === 'DaemonSet')
  })
  await mine(apps('daemonsets')).delete('agent')
})

loop('endpointslicemirroring: Endpoints of a Service in the same namespace', async () => {
  await mine(core('services')).create({ metadata: { name: 'manual' }, spec: { ports: [{ port: 80 }] } })
  const targetRef = { kind: 'Pod', namespace: 'theirs', name: 'web-0' }
  await mine(core('endpoints')).create({
    metadata: { name: 'manual' },
    subsets: [{ addresses: [{ ip: '10.9.8.7', targetRef }], ports: [{ port: 80 }] }],
  })
  const slices = { group: 'discovery.orch.io', version: 'v1', resource: 'endpointslices' }
  await eventually('a slice of it', async () =>
    (await mine(slices).list()).items.some(({ metadata }) => metadata.name?.startsWith('manual-')),
  )
})

loop('endpoint, endpointslice: Pods in another namespace that match the selector of a Service', async () => {
  await mine(core('services')).create({ metadata: { name: 'web' }, spec: { selector: labels, ports: [{ port: 80 }] } })
  await mine(core('endpoints')).waitFor('web', () => true, patience)
  const slices = { group: 'discovery.orch.io', version: 'v1', resource: 'endpointslices' }
  await eventually('a slice', async () => (await mine(slices).list()).items.length > 0)
})

loop('horizontalpodautoscaling: targets whose names are paths, or have a query', async () => {
  const spec = (name: string) => ({
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
    minReplicas: 2,
    maxReplicas: 3,
  })
  const made: string[] = []
  for (const [index, name] of odd.entries()) {
    const object = { metadata: { name: `odd-${index}` }, spec: spec(name) }
    const created = await mine(autoscalers)
      .create(object)
      .catch(() => undefined)
    if (created) made.push(`odd-${index}`)
  }
  // Not all of them are rejected by validation.
  assert.ok(made.length > 0)
  for (const name of made)
    await mine(autoscalers).waitFor(name, found => JSON.stringify(found).includes('FailedGetScale'), patience)
  await mine(autoscalers).create({ metadata: { name: 'good' }, spec: spec('web') })
  await mine(apps('deployments')).waitFor(
    'web',
    found => (found['spec'] as { replicas?: number }).replicas === 2,
    patience,
  )
  const asked = requests.filter(
    ({ user, resource }) => user.name.endsWith(':horizontal-pod-autoscaler') && resource === 'deployments',
  )
  assert.equal([...new Set(asked.map(({ subresource }) => subresource))], ['scale'])
})

loop('disruption: controllers that a Pod names', async () => {
  const { metadata } = await theirs(apps('deployments')).get('idle')
  const named = { app: 'named' }
  const owners = [
    owner('v1', 'Secret', 's', metadata.uid ?? ''),
    ...odd.map(name => owner('apps/v1', 'ReplicaSet', name, metadata.uid ?? '')),
  ]
  for (const [index, one] of owners.entries())
    await mine(core('pods'))
      .create({ metadata: { name: `named-${index}`, labels: named, ownerReferences: [one] }, spec: podSpec })
      .catch(() => {})
  await mine(budgets).create({
    metadata: { name: 'budget' },
    spec: { minAvailable: '50%', selector: { matchLabels: named } },
  })
  await mine(budgets).waitFor('budget', ({ status }) => JSON.stringify(status).includes('observedGeneration'), patience)
})

loop('cronjob: jobs that are listed in its status', async () => {
  await mine(batch('jobs')).create({
    metadata: { name: 'work' },
    spec: { suspend: true, template: { spec: { ...podSpec, restartPolicy: 'Never' } } },
  })
  const cronJob = await mine(batch('cronjobs')).create({
    metadata: { name: 'nightly' },
    spec: {
      schedule: '* * * * *',
      suspend: true,
      concurrencyPolicy: 'Replace',
      jobTemplate: { spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } },
    },
  })
  const active = ['work', ...odd].map(name => ({ kind: 'Job', namespace: 'theirs', name, uid: 'somebody' }))
  await mine(batch('cronjobs')).updateSubresource('status', {
    ...cronJob,
    status: { active, lastScheduleTime: '2020-01-01T00:00:00Z' },
  })
  await mine(batch('cronjobs')).patch('nightly', { spec: { suspend: false } })
  await eventually('a job of it', async () => {
    const { items } = await mine(batch('jobs')).list()
    return items.some(({ metadata }) => metadata.name?.startsWith('nightly-'))
  })
  assert.is((await mine(batch('jobs')).get('work')).metadata.deletionTimestamp, undefined)
})

loop('ttl-after-finished: only the finished job', async () => {
  const spec = { ttlSecondsAfterFinished: 0, suspend: true, template: { spec: { ...podSpec, restartPolicy: 'Never' } } }
  const job = await mine(batch('jobs')).create({ metadata: { name: 'done' }, spec })
  await mine(batch('jobs')).create({ metadata: { name: 'waiting' }, spec })
  await eventually('the end of the job', async () => {
    const found = (await mine(batch('jobs')).find('done')) ?? job
    const lastTransitionTime = '2020-01-01T00:00:00Z'
    const condition = { type: 'Failed', status: 'True', lastTransitionTime }
    const written = mine(batch('jobs')).updateSubresource('status', { ...found, status: { conditions: [condition] } })
    await written.catch(() => {})
    return (await mine(batch('jobs')).find('done')) === undefined
  })
  assert.is((await mine(batch('jobs')).get('waiting')).metadata.deletionTimestamp, undefined)
})

loop('persistentvolume-binder: a volume that belongs to another claim', async () => {
  await mine(core('persistentvolumeclaims')).create(claim('data', 'volume'))
  for (const name of odd)
    await mine(core('persistentvolumeclaims'))
      .create(claim('odd', name))
      .catch(() => {})
  await mine(core('persistentvolumeclaims')).waitFor(
    'data',
    ({ status }) => JSON.stringify(status).includes('Pending'),
    patience,
  )
})

loop('resourcequota: only objects in the same namespace are counted', async () => {
  await mine(core('resourcequotas')).create({
    metadata: { name: 'q' },
    spec: { hard: { 'count/configmaps': '99', 'count/namespaces': '9' } },
  })
  const quota = await mine(core('resourcequotas')).waitFor(
    'q',
    ({ status }) => JSON.stringify(status ?? {}).includes('used'),
    patience,
  )
  const { items } = await mine(core('configmaps')).list()
  assert.is((quota['status'] as { used: Record<string, string> }).used['count/configmaps'], String(items.length))
})

loop('namespace: objects in another namespace are kept', async () => {
  await server.client.resource(core('namespaces')).delete('mine')
  // The namespace has its budgets and Pods for a moment; no other loop interferes.
  await server.client.resource(core('namespaces')).waitForDeletion('mine', { timeoutMs: 60_000 })
})

deputies.run()
