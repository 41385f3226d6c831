import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Pod } from '../../core/pod.js'
import { orchProfile, Vendor } from '../../plugin/vendor.js'
import type { ApiObject } from '../../resource/meta.js'
import type { ObjectCache } from '../object-cache.js'
import { msUntilAvailable } from './pod-state.js'
import { inGrowingBatches } from './pods-of-template.js'
import { inDeleteOrder } from './replica-loop.js'
import { UnseenWrites } from './unseen-writes.js'

const vendor = new Vendor({ ...orchProfile, domain: 'acme.test', groupDomain: 'acme.test' })
const now = Date.parse('2030-01-01T00:01:00Z')
type StoredPod = Pod & ApiObject
const ready = (since: string) => ({
  phase: 'Running',
  conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: since }],
})
const aPod = (name: string, more: Partial<StoredPod> = {}): StoredPod => ({
  metadata: { name, namespace: 'town', uid: name },
  spec: { containers: [], nodeName: 'n' },
  ...more,
})

const parts = suite('building blocks of loops that create Pods')

parts('the least useful Pods are deleted first', () => {
  const pods = [
    aPod('old-and-ready', { status: ready('2029-01-01T00:00:00Z') }),
    aPod('young-and-ready', { status: ready('2030-01-01T00:00:00Z') }),
    aPod('dear', {
      metadata: { name: 'dear', annotations: { 'controller.acme.test/pod-deletion-cost': '5' } },
      status: ready('2030-01-01T00:00:00Z'),
    }),
    aPod('running', { status: { phase: 'Running' } }),
    aPod('pending', { status: { phase: 'Pending' } }),
    aPod('nowhere', { spec: { containers: [] }, status: { phase: 'Pending' } }),
  ]
  assert.equal(
    inDeleteOrder(pods, vendor).map(({ metadata }) => metadata.name),
    ['nowhere', 'pending', 'running', 'young-and-ready', 'old-and-ready', 'dear'],
  )
})

parts('a Pod is available when it has been ready for long enough', () => {
  const pod = aPod('p', { status: ready('2030-01-01T00:00:30Z') })
  assert.equal(
    [0, 30, 45].map(seconds => msUntilAvailable(pod, seconds, now)),
    [0, 0, 15_000],
  )
  assert.is(msUntilAvailable(aPod('p'), 0, now), undefined)
})

parts('a failing call is tried a few times, not all at once', async () => {
  let tries = 0
  const failing = inGrowingBatches(100, async () => {
    tries++
    if (tries > 2) throw new Error('no more')
  })
  const error = await failing.catch((reason: Error) => reason)
  assert.equal([(error as Error).message, tries], ['no more', 3])
  assert.is(await inGrowingBatches(10, async () => {}), 10)
})

parts('waits until the cache shows a write', () => {
  const seen = new Map<string, StoredPod>()
  const cache = { get: (_: string, name: string) => seen.get(name) } as unknown as ObjectCache<StoredPod>
  const unseen = new UnseenWrites()
  unseen.created('k', aPod('a'), now)
  assert.ok(unseen.isWaiting('k', cache, now))
  assert.not(unseen.isWaiting('other', cache, now))
  seen.set('a', aPod('a'))
  assert.not(unseen.isWaiting('k', cache, now))
  unseen.deleted('k', aPod('a'), now)
  assert.ok(unseen.isWaiting('k', cache, now))
  // A successor of the same name is not the one that was deleted.
  seen.set('a', aPod('a', { metadata: { name: 'a', uid: 'another' } }))
  assert.not(unseen.isWaiting('k', cache, now))
  unseen.created('k', aPod('lost'), now)
  assert.ok(unseen.isWaiting('k', cache, now + 29_000))
  assert.not(unseen.isWaiting('k', cache, now + 31_000))
})

parts.run()
