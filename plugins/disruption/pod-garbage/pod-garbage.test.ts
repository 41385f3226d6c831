import { type ApiObject, kubernetesProfile, Vendor } from 'orch/sdk'
import { createClient } from 'orch/sdk/client'
import type { Pod } from 'orch/sdk/core'
import { FakeApi, fakeClock, fakeLogger, fakeMetrics } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { defaultOptions, runLoop } from '../testing/run-loop.js'
import { podGarbageLoop } from './controller.js'
import { isOutOfService, oldestFinished } from './garbage.js'

const garbage = suite('Pods that no other component removes')
type StoredPod = ApiObject & Pod
const aPod = (name: string, phase: string, more: object = {}): StoredPod =>
  ({
    metadata: { name, creationTimestamp: `2026-01-0${name}T00:00:00Z` },
    spec: {},
    status: { phase, ...more },
  }) as never

garbage('are the oldest finished ones above the threshold, evicted ones first', () => {
  const pods = [
    aPod('3', 'Failed', { reason: 'Evicted' }),
    aPod('1', 'Succeeded'),
    aPod('2', 'Failed'),
    aPod('4', 'Running'),
  ]
  const names = (kept: number) => oldestFinished(pods, kept).map(({ metadata }) => metadata.name)
  assert.equal(names(3), [])
  assert.equal(names(2), ['3'])
  assert.equal(names(1), ['3', '1'])
  assert.equal(names(0), [], 'all are kept')
})

garbage('are on a node out of service only if it does not report', () => {
  const vendor = new Vendor(kubernetesProfile)
  const taints = [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }]
  const node = (status: string) => ({
    metadata: {},
    spec: { taints },
    status: { conditions: [{ type: 'Ready', status }] },
  })
  assert.equal([isOutOfService(node('Unknown'), vendor), isOutOfService(node('True'), vendor)], [true, false])
})

/** The names of the remaining Pods after some seconds. */
async function leftAfter(seconds: number, nodes: readonly string[], ...pods: ApiObject[]): Promise<string[]> {
  const api = new FakeApi()
  for (const name of nodes) api.put('/api/v1/nodes', { metadata: { name } })
  for (const pod of pods) api.put('/api/v1/namespaces/default/pods', pod)
  const vendor = new Vendor(kubernetesProfile)
  const clock = fakeClock()
  const client = createClient({ transport: api.transport, clock })
  const given = { client, clock, logger: fakeLogger(), metrics: fakeMetrics(), vendor }
  await runLoop(podGarbageLoop(vendor, { ...defaultOptions, terminatedPodGcThreshold: 1 }), given, seconds)
  return pods
    .map(({ metadata }) => metadata.name ?? '')
    .filter(name => api.get(`/api/v1/namespaces/default/pods/${name}`))
}
const on = (name: string, nodeName: string | undefined, metadata: object = {}): ApiObject =>
  ({ metadata: { name, ...metadata }, spec: nodeName ? { nodeName } : {}, status: { phase: 'Running' } }) as ApiObject

garbage('are on nodes that have been missing for some time; those of other nodes remain', async () => {
  const pods = [on('orphan', 'gone'), on('runs', 'n')]
  assert.equal(await leftAfter(30, ['n'], ...pods), ['orphan', 'runs'])
  assert.equal(await leftAfter(90, ['n'], ...pods), ['runs'])
  assert.equal(await leftAfter(90, ['n', 'gone'], ...pods), ['orphan', 'runs'])
})

garbage('were deleted before they had a node', async () => {
  const deletionTimestamp = '2024-01-01T00:00:00Z'
  const pods = [
    on('never', undefined, { deletionTimestamp }),
    on('waits', undefined),
    on('ends', 'n', { deletionTimestamp }),
  ]
  assert.equal(await leftAfter(30, ['n'], ...pods), ['waits', 'ends'])
})

garbage('above the threshold are removed, and running Pods do not count', async () => {
  const ended = ['1', '2', '3'].map(name => aPod(name, 'Succeeded'))
  assert.equal(await leftAfter(30, ['n'], ...ended, on('runs', 'n')), ['3', 'runs'])
})

garbage.run()
