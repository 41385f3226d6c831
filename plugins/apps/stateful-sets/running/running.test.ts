import { type ApiObject, definePlugin, defineResource, field, Kind, ListOf, orchProfile, Struct } from 'orch/sdk'
import { Event, PersistentVolumeClaim, Pod, Taint } from 'orch/sdk/core'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeOf, type StoredDaemonSet } from '../../daemon-sets/running/daemon-pods.js'
import { daemonSetCollection } from '../../daemon-sets/schema.js'
import { apps } from '../../plugin.js'
import { type StatefulSetSpec, statefulSetCollection } from '../schema.js'
import type { StoredClaim, StoredPod, StoredSet } from './set-pods.js'

const common = { group: '', namespaced: true }
const Node = Kind('core.v1.Node', { spec: field(2, Struct('core.v1.NodeSpec', { taints: field(5, ListOf(Taint)) })) })
const only = <S>(schema: S) => [{ name: 'v1', schema }] as never
const neighbours = [
  definePlugin({ name: 'namespaces', register: () => {} }),
  definePlugin({
    name: 'nodes',
    register: to =>
      to.resource(
        defineResource({ group: '', kind: 'Node', resource: 'nodes', namespaced: false, versions: only(Node) }),
      ),
  }),
  definePlugin({
    name: 'workloads',
    register(to) {
      const claims = { kind: 'PersistentVolumeClaim', resource: 'persistentvolumeclaims' }
      to.resource(
        defineResource({ ...common, kind: 'Pod', resource: 'pods', versions: only(Pod) }),
        defineResource({ ...common, kind: 'Event', resource: 'events', versions: only(Event) }),
        defineResource({ ...common, ...claims, versions: only(PersistentVolumeClaim) }),
      )
    },
  }),
]
const collection = (resource: string) => ({ group: '', version: 'v1', resource })

async function withServer(test: (server: TestServer) => Promise<void>): Promise<void> {
  const vendor = { ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'acme.test' }
  const server = await startServer({ plugins: [...neighbours, apps], vendor })
  try {
    await test(server)
  } finally {
    await server.stop()
  }
}
const labels = { app: 'db' }
const template = (image: string) => ({ metadata: { labels }, spec: { containers: [{ name: 'c', image }] } })
const podsOf = ({ client }: TestServer) => client.resource<StoredPod>(collection('pods')).in('town')
const ready = {
  status: {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z' }],
  },
}
const waiting = { timeoutMs: 60_000 }
const isThere = () => true
async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 1500 && !(await condition()); i++) await new Promise(resolve => setTimeout(resolve, 20))
  assert.ok(await condition())
}

const sets = suite('stateful and daemon sets')

sets('a set with far too many replicas can be scaled down while its Pods are being created', () =>
  withServer(async server => {
    const pods = podsOf(server)
    const all = server.client.resource<StoredSet>(statefulSetCollection).in('town')
    const spec: StatefulSetSpec = {
      selector: { matchLabels: labels },
      serviceName: 's',
      replicas: 2 ** 31 - 1,
      podManagementPolicy: 'Parallel',
      template: template('v1'),
    }
    await all.create({ metadata: { name: 'db', namespace: 'town' }, spec })
    await pods.waitFor('db-10', isThere, waiting)
    await all.patch('db', { spec: { replicas: 1 } })
    await until(async () => {
      const { items } = await pods.list()
      return items.length === 1 && items[0]?.metadata.name === 'db-0'
    })
  }),
)

sets('Pods are created in order, each with a claim, and deleted in reverse order', () =>
  withServer(async server => {
    const pods = podsOf(server)
    const all = server.client.resource<StoredSet>(statefulSetCollection).in('town')
    const claims = server.client.resource<StoredClaim>(collection('persistentvolumeclaims')).in('town')
    const spec: StatefulSetSpec = {
      selector: { matchLabels: labels },
      serviceName: 's',
      replicas: 2,
      template: template('v1'),
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } }],
    }
    await all.create({ metadata: { name: 'db', namespace: 'town' }, spec })
    const first = await pods.waitFor('db-0', isThere, waiting)
    assert.equal(
      [first.spec.hostname, first.spec.subdomain, first.spec.volumes?.[0]?.persistentVolumeClaim?.claimName],
      ['db-0', 's', 'data-db-0'],
    )
    assert.is(first.metadata.labels?.['statefulset.acme.test/pod-name'], 'db-0')
    assert.is(first.metadata.generateName, 'db-', 'as on every Pod of a controller')
    await all.waitFor('db', ({ status }) => status?.replicas === 1, waiting)
    assert.is(await pods.find('db-1'), undefined)
    await pods.patch('db-0', ready)
    await pods.waitFor('db-1', isThere, waiting)
    await pods.patch('db-1', ready)
    await all.waitFor('db', ({ status }) => status?.readyReplicas === 2, waiting)

    // Updates go from the highest ordinal down and stop at the partition.
    await all.patch('db', {
      spec: { template: template('v2'), updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } },
    })
    await until(async () => (await pods.find('db-1'))?.spec.containers[0]?.image === 'v2')
    await pods.patch('db-1', ready)
    await all.waitFor('db', ({ status }) => status?.updatedReplicas === 1 && status?.readyReplicas === 2, waiting)
    assert.is((await pods.get('db-0')).spec.containers[0]?.image, 'v1')

    await all.patch('db', { spec: { replicas: 1 } })
    await pods.waitForDeletion('db-1', waiting)
    assert.equal((await claims.list()).items.map(({ metadata }) => metadata.name).sort(), ['data-db-0', 'data-db-1'])
    assert.ok(await pods.find('db-0'))
  }),
)

sets('a daemon runs on every matching node', () =>
  withServer(async server => {
    const pods = podsOf(server)
    const nodes = server.client.resource<ApiObject>(collection('nodes'))
    const daemons = server.client.resource<StoredDaemonSet>(daemonSetCollection).in('town')
    const disk = { disk: 'ssd' }
    const taints = [{ key: 'closed', effect: 'NoSchedule' }]
    await nodes.create({ metadata: { name: 'fits', labels: disk } })
    await nodes.create({ metadata: { name: 'other' } })
    await nodes.create({ metadata: { name: 'closed', labels: disk }, spec: { taints } })
    const podSpec = { ...template('v1'), spec: { ...template('v1').spec, nodeSelector: disk } }
    await daemons.create({
      metadata: { name: 'd', namespace: 'town' },
      spec: { selector: { matchLabels: labels }, template: podSpec },
    })
    const places = async () => (await pods.list()).items.map(pod => nodeOf(pod) ?? '').sort()
    await until(async () => (await places()).join() === 'fits')
    await daemons.waitFor('d', ({ status }) => status?.desiredNumberScheduled === 1, waiting)
    await nodes.patch('other', { metadata: { labels: disk } })
    await until(async () => (await places()).join() === 'fits,other')
    await nodes.delete('fits')
    await until(async () => (await places()).join() === 'other')
  }),
)

sets.run()
