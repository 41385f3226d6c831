import { fakeClock } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { aCluster, aNode, app, asking, hostname, type Spec } from '../testing/a-cluster.js'
import { PodQueue } from './pod-queue.js'

const choosing = suite('the node chosen among those that fit')
choosing('the one with more free resources', () => {
  const { put } = aCluster(aNode('a'), aNode('b'))
  const first = put('one', asking('2', '2Gi'))
  assert.is.not(put('two', asking('1', '1Gi')), first)
})
choosing('Pods of one owner spread over all nodes', () => {
  const { put } = aCluster(...Array.from({ length: 5 }, (_, i) => aNode(`n${i}`)))
  const owned = (uid: string) => ({
    ...app('web'),
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid, controller: true }],
  })
  const places = Array.from({ length: 10 }, (_, i) => put(`p${i}`, {}, owned('rs')))
  for (let i = 0; i < 5; i++) assert.is(places.filter(place => place === `n${i}`).length, 2, places.join())
})
choosing('the one with the highest weight of preferences, without PreferNoSchedule taints', () => {
  const avoid = { key: 'old', value: '', effect: 'PreferNoSchedule' }
  const { choose, facts } = aCluster(aNode('a', {}, {}, [avoid]), aNode('b'), aNode('c', { disk: 'ssd' }, {}, [avoid]))
  assert.is(choose(facts('p')), 'b')
  const term = (weight: number, value: string) => ({
    weight,
    preference: { matchExpressions: [{ key: 'disk', operator: 'In', values: [value] }] },
  })
  const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [term(80, 'ssd')] }
  const tolerations = [{ key: 'old', operator: 'Exists' }]
  assert.is(choose(facts('p', { affinity: { nodeAffinity }, tolerations })), 'c')
})
choosing('near the Pods of its preferred affinity', () => {
  const { put, choose, facts, cluster } = aCluster(aNode('a'), aNode('b'), aNode('c'))
  const place = put('friend', {}, app('db'))
  const podAffinityTerm = { labelSelector: { matchLabels: { app: 'db' } }, topologyKey: hostname }
  const podAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm }] }
  assert.is(choose(facts('p', { affinity: { podAffinity } })), place)
  assert.ok(cluster.find(place))
})
choosing.run()

const preempting = suite('preemption')
const ranked = (priority: number, cpu = '2'): Spec => ({ ...asking(cpu), priority })
preempting('evicts the fewest Pods of the lowest priority, and none that could stay', () => {
  const { put, preemption, facts } = aCluster(aNode('a'), aNode('b'))
  const places = new Map([
    ['low', put('low', ranked(1))],
    ['mid', put('mid', ranked(5))],
    ['low2', put('low2', ranked(2))],
    ['high', put('high', ranked(50))],
  ])
  const found = preemption(facts('vip', ranked(100)))
  assert.equal(
    found?.victims.map(({ key }) => key),
    ['town/low'],
  )
  assert.is(found?.node.name, places.get('low'))
})
preempting(
  'evicts no Pods of the same or higher priority, nor for a Pod that must not preempt, nor where resources are not the problem',
  () => {
    const { put, preemption, facts } = aCluster(aNode('a'))
    put('one', ranked(5, '3'))
    assert.is(preemption(facts('same', ranked(5))), undefined)
    assert.is(preemption(facts('kind', { ...ranked(9), preemptionPolicy: 'Never' })), undefined)
    assert.is(preemption(facts('choosy', { ...ranked(9), nodeSelector: { disk: 'ssd' } })), undefined)
    assert.is(preemption(facts('huge', ranked(9, '5'))), undefined)
    assert.equal(preemption(facts('fits', ranked(9)))?.victims.length, 1)
  },
)
preempting('reserves the freed resources for the nominated Pod', () => {
  const { cluster, choose, facts } = aCluster(aNode('a'))
  const vip = facts('vip', ranked(100, '3'))
  cluster.find('a')?.nominated.set(vip.key, vip)
  assert.match(choose(facts('late', ranked(1))), 'Insufficient cpu')
  assert.is(choose(facts('more', ranked(101))), 'a')
  assert.is(choose(vip), 'a')
})
preempting.run()

const waiting = suite('the queue of Pods that wait for a node')
waiting('is ordered by priority, then by arrival', () => {
  const queue = new PodQueue(fakeClock(), () => {})
  queue.add('b', 0)
  queue.add('vip', 9)
  queue.add('a', 0)
  queue.add('b', 0)
  assert.equal([queue.take(), queue.take(), queue.take(), queue.take()], ['vip', 'b', 'a', undefined])
})
waiting('retries Pods when something changed, with growing backoff', async () => {
  const clock = fakeClock()
  const queue = new PodQueue(clock, () => {})
  queue.backOff('a', 0)
  await clock.advance(60_000)
  assert.is(queue.take(), undefined, 'nothing changed')
  queue.retryUnschedulable()
  assert.is(queue.take(), 'a')
  queue.backOff('a', 0)
  queue.retryUnschedulable()
  assert.is(queue.take(), undefined, 'it was tried just now')
  await clock.advance(2000)
  assert.is(queue.take(), 'a')
  queue.forget('a')
  queue.retryUnschedulable()
  assert.equal([queue.take(), clock.pending], [undefined, 0])
})
waiting.run()
