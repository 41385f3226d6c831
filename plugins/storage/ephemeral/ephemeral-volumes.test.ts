import type { Pod } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { usesClaim } from '../pod-claims.js'
import { aClaim, aPod, withStorage } from '../testing/storage-server.js'
import { missingClaims } from './controller.js'

const ephemeral = suite('claims of ephemeral volumes')
const template = {
  metadata: { labels: { app: 'web' }, annotations: { note: 'scratch' } },
  spec: aClaim('').spec ?? {},
}
const volumes = [
  { name: 'scratch', ephemeral: { volumeClaimTemplate: template } },
  { name: 'other', emptyDir: {} },
]

ephemeral('a Pod gets its own claim for each of them, which is recreated if deleted', async () => {
  await withStorage(async ({ claims, pods }) => {
    const pod = await pods.create(aPod('web', volumes))
    const isThere = () => true
    const made = await claims.waitFor('web-scratch', isThere)
    assert.equal([made.metadata?.labels, made.metadata?.annotations?.['note']], [{ app: 'web' }, 'scratch'])
    assert.equal(made.metadata?.ownerReferences, [
      {
        apiVersion: 'v1',
        kind: 'Pod',
        name: 'web',
        uid: pod.metadata.uid ?? '',
        controller: true,
        blockOwnerDeletion: true,
      },
    ])
    assert.is(made.spec?.resources?.requests?.['storage'], '1Gi')
    assert.is((await claims.list()).items.length, 1)

    await claims.patch('web-scratch', { metadata: { finalizers: null } })
    await claims.delete('web-scratch')
    await pods.patch('web', { spec: { nodeName: null } })
    await claims.waitFor('web-scratch', ({ metadata }) => metadata?.uid !== made.metadata?.uid)
  })
})

ephemeral('a claim of another owner is not used', async () => {
  await withStorage(async ({ claims, pods, events }) => {
    const foreign = await claims.create(aClaim('web-scratch'))
    await pods.create(aPod('web', volumes))
    const told = async () => (await events.list()).items.find(({ involvedObject }) => involvedObject.name === 'web')
    for (let i = 0; i < 1500 && !(await told()); i++) await new Promise(resolve => setTimeout(resolve, 20))
    assert.match((await told())?.message ?? '', 'was not created for pod town/web')
    assert.equal((await claims.get('web-scratch')).metadata?.uid, foreign.metadata?.uid)
  })
})

const aStoredPod = (more: Pod['metadata'] = {}) =>
  ({ ...aPod('web', volumes), metadata: { name: 'web', namespace: 'town', uid: 'p', ...more } }) as Pod

ephemeral('nothing is missing when the claim exists and belongs to the Pod', () => {
  const owned = {
    metadata: {
      name: 'web-scratch',
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'p', controller: true }],
    },
  }
  assert.is(missingClaims(aStoredPod(), () => undefined).length, 1)
  assert.is(missingClaims(aStoredPod(), () => owned).length, 0)
  assert.throws(() => missingClaims(aStoredPod({ uid: 'another' }), () => owned), /was not created for pod/)
})

ephemeral('a claim is in use by its Pod until the node agent is done', () => {
  const owned = {
    metadata: {
      name: 'web-scratch',
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'p', controller: true }],
    },
  }
  assert.ok(usesClaim(aStoredPod(), owned))
  assert.not(usesClaim(aStoredPod(), { metadata: { name: 'web-scratch' } }))
  const deletionTimestamp = '2030-01-01T00:00:00Z'
  assert.ok(usesClaim(aStoredPod({ deletionTimestamp, deletionGracePeriodSeconds: 30 }), owned))
  assert.not(usesClaim(aStoredPod({ deletionTimestamp, deletionGracePeriodSeconds: 0 }), owned))
})

ephemeral.run()
