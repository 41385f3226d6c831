import {
  type ApiObject,
  kubernetesProfile,
  profileAtVersion,
  type ResourceCatalogue,
  Vendor,
  type VendorProfile,
} from 'orch/sdk'
import { createClient } from 'orch/sdk/client'
import type { NodeCondition, Pod } from 'orch/sdk/core'
import { FakeApi, fakeClock, fakeLogger, fakeMetrics } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { defaultOptions, runLoop } from '../testing/run-loop.js'
import { nodeLifecycleLoop } from './controller.js'
import { LastReports, readyOf, unknownConditions, type WatchedNode } from './node-health.js'
import { taintsOf } from './node-taints.js'
import { evictionRates, ZoneRateLimiter } from './zones.js'

const lifecycle = suite('the life of nodes')
const vendor = new Vendor(profileAtVersion(kubernetesProfile, '1.36') as VendorProfile)
const ready = (status: string): NodeCondition => ({ type: 'Ready', status, lastHeartbeatTime: 'a' })
const aNode = (name: string, status?: string, more: Partial<WatchedNode> = {}): WatchedNode => ({
  metadata: { name, uid: name, creationTimestamp: '1970-01-01T00:00:00Z' },
  ...(status ? { status: { conditions: [ready(status)] } } : {}),
  ...more,
})

lifecycle('a report is a heartbeat or a renewed lease, by the clock of the server', () => {
  const reports = new LastReports()
  const lease = (renewTime: string) => ({ metadata: {}, spec: { renewTime } })
  assert.is(reports.silentMs(aNode('n', 'True'), lease('x'), 1000), 0)
  assert.is(reports.silentMs(aNode('n', 'True'), lease('x'), 5000), 4000)
  assert.is(reports.silentMs(aNode('n', 'True'), lease('y'), 6000), 0)
  assert.is(reports.silentMs(aNode('new'), undefined, 7000), 7000, 'silent since its creation')
})

lifecycle(
  'conditions of a silent node become Unknown, with another reason if it never reported them; others are kept',
  () => {
    const other = { type: 'Example', status: 'True' }
    const conditions = unknownConditions(
      aNode('n', 'True', { status: { conditions: [ready('True'), other] } }),
      'Kubelet',
      0,
    )
    assert.equal(
      conditions?.map(({ type, status, reason }) => [type, status, reason]),
      [
        ['Ready', 'Unknown', 'NodeStatusUnknown'],
        ['Example', 'True', undefined],
        ['MemoryPressure', 'Unknown', 'NodeStatusNeverUpdated'],
        ['DiskPressure', 'Unknown', 'NodeStatusNeverUpdated'],
        ['PIDPressure', 'Unknown', 'NodeStatusNeverUpdated'],
      ],
    )
    assert.is(
      unknownConditions(aNode('n', 'True', { status: { conditions: conditions ?? [] } }), 'Kubelet', 9),
      undefined,
    )
  },
)

lifecycle('conditions become taints, and other taints are kept', () => {
  const own = { key: 'example.com/own', effect: 'NoSchedule' }
  const cordoned = aNode('n', 'True', { spec: { unschedulable: true, taints: [own] } })
  const key = (name: string) => `node.kubernetes.io/${name}`
  assert.equal(taintsOf(cordoned, undefined, vendor, 0), [own, { key: key('unschedulable'), effect: 'NoSchedule' }])
  const lost = aNode('n', 'Unknown')
  const taints = taintsOf(lost, 'unreachable', vendor, 0)
  assert.equal(taints, [
    { key: key('unreachable'), effect: 'NoSchedule' },
    { key: key('unreachable'), effect: 'NoExecute', timeAdded: '1970-01-01T00:00:00Z' },
  ])
  const tainted = { ...lost, spec: { taints: taints ?? [] } }
  assert.is(taintsOf(tainted, 'unreachable', vendor, 9000), undefined, 'the time does not change')
  const back = { ...tainted, ...aNode('n', 'True', { spec: tainted.spec }) }
  assert.equal(taintsOf(back, undefined, vendor, 9000), [])
})

lifecycle('Pods are evicted from one node of a zone at a time, and from none if all nodes have failed', () => {
  const rate = (healthy: number, failed: number) =>
    evictionRates(
      [...Array(healthy).fill(aNode('a', 'True')), ...Array(failed).fill(aNode('b', 'Unknown'))],
      vendor,
      defaultOptions,
    )?.get('/')
  assert.equal([rate(3, 1), rate(1, 2), rate(2, 3), rate(20, 40), rate(0, 4)], [0.1, 0.1, 0, 0.01, undefined])
  const limiter = new ZoneRateLimiter()
  assert.equal(
    [
      limiter.tryAcquire('z', 0.1, 0),
      limiter.tryAcquire('z', 0.1, 9999),
      limiter.tryAcquire('y', 0.1, 9999),
      limiter.tryAcquire('z', 0.1, 10_000),
    ],
    [true, false, true, true],
  )
  assert.is(limiter.tryAcquire('x', 0, 0), false)
})

/** The stored objects after the loop has monitored a silent node and one with a long lease for some seconds. */
async function afterSeconds(seconds: number, loopVendor = vendor): Promise<FakeApi> {
  const api = new FakeApi()
  const pod = (on: string): ApiObject => ({
    metadata: { name: `on-${on}` },
    spec: { nodeName: on },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  })
  for (const name of ['silent', 'alive']) {
    api.put('/api/v1/nodes', aNode(name, 'True'))
    api.put('/api/v1/namespaces/default/pods', pod(name))
  }
  const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'
  const spec = { leaseDurationSeconds: 3600, renewTime: '2024-01-01T00:00:00.000000Z' }
  api.put(leases, { metadata: { name: 'alive' }, spec } as ApiObject)
  const resources = { find: () => ({}) } as unknown as ResourceCatalogue
  const clock = fakeClock()
  const client = createClient({ transport: api.transport, clock })
  const given = { client, clock, logger: fakeLogger(), metrics: fakeMetrics(), vendor: loopVendor, resources }
  await runLoop(nodeLifecycleLoop(loopVendor, defaultOptions), given, seconds)
  return api
}
lifecycle('a silent node becomes Unknown and its Pods not ready, unless its lease is valid', async () => {
  const summary = (api: FakeApi, name: string) => {
    const { spec, status } = api.get(`/api/v1/nodes/${name}`) as WatchedNode
    const pod = api.get(`/api/v1/namespaces/default/pods/on-${name}`) as ApiObject & Pod
    const effects = (spec?.taints ?? []).map(({ effect }) => effect)
    return [
      readyOf({ metadata: {}, ...(status ? { status } : {}) })?.status,
      effects,
      pod.status?.conditions?.[0]?.status,
    ]
  }
  const before = await afterSeconds(45)
  assert.equal(summary(before, 'silent'), ['True', [], 'True'])
  const after = await afterSeconds(65)
  assert.equal(summary(after, 'silent'), ['Unknown', ['NoSchedule', 'NoExecute'], 'False'])
  assert.equal(summary(after, 'alive'), ['True', [], 'True'])
  const older = new Vendor(profileAtVersion(kubernetesProfile, '1.31') as VendorProfile)
  assert.is(summary(await afterSeconds(46, older), 'silent')[0], 'Unknown', '40 seconds before 1.32')
})

lifecycle.run()
