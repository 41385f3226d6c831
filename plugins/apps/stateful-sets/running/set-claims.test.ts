import { kubernetesProfile, type OwnerReference, profileAtVersion, Vendor, type VendorProfile } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type ClaimWork, hasStaleClaim, syncClaimOwners } from './set-claims.js'
import { podOfOrdinal, type StoredClaim, type StoredPod, type StoredSet } from './set-pods.js'

const at = (version: string) => new Vendor(profileAtVersion(kubernetesProfile, version) as VendorProfile)
const setWith = (policy: object, more: object = {}): StoredSet =>
  ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 's', namespace: 'n', uid: 'set' },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'x' } },
      template: {},
      volumeClaimTemplates: [{ metadata: { name: 'v' }, spec: {} }],
      persistentVolumeClaimRetentionPolicy: policy,
      ...more,
    },
  }) as unknown as StoredSet
const podOf = (ordinal: number): StoredPod =>
  ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: `s-${ordinal}`, namespace: 'n', uid: `pod${ordinal}` } }) as never

/** The resulting owners of a claim of the Pod. */
async function ownersAfter(set: StoredSet, ordinal: number, before: OwnerReference[] = [], version: string = '1.36') {
  let claim = { metadata: { name: `v-s-${ordinal}`, namespace: 'n', ownerReferences: before } } as StoredClaim
  const work = {
    vendor: at(version),
    events: { record: async () => {} },
    findClaim: () => claim,
    claims: {
      async update(changed: StoredClaim) {
        claim = changed
      },
    },
  } as unknown as ClaimWork
  await syncClaimOwners(work, set, podOf(ordinal))
  return claim.metadata.ownerReferences ?? []
}
const kindsOf = (owners: readonly OwnerReference[]) => owners.map(({ kind }) => kind)

const claims = suite('claims of stateful sets')

claims('are owned by the set, by removed Pods, by both or by none', async () => {
  const cases = [
    ['Retain', 'Retain', [], []],
    ['Delete', 'Retain', ['StatefulSet'], ['StatefulSet']],
    ['Retain', 'Delete', [], ['Pod']],
    ['Delete', 'Delete', ['StatefulSet'], ['Pod']],
  ] as const
  for (const [whenDeleted, whenScaled, stays, goes] of cases) {
    const set = setWith({ whenDeleted, whenScaled })
    assert.equal(kindsOf(await ownersAfter(set, 0)), stays, `${whenDeleted} ${whenScaled}`)
    assert.equal(kindsOf(await ownersAfter(set, 1)), goes, `${whenDeleted} ${whenScaled}`)
  }
})

claims('have their owner as controller since 1.28', async () => {
  const set = setWith({ whenDeleted: 'Delete' })
  const [owner] = await ownersAfter(set, 0)
  assert.equal(owner, {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    name: 's',
    uid: 'set',
    controller: true,
    blockOwnerDeletion: true,
  })
  const [plain] = await ownersAfter(set, 0, [], '1.27')
  assert.equal(plain, { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 's', uid: 'set' })
  assert.equal(await ownersAfter(set, 0, [], '1.26'), [])
})

claims('with another controller, or of a deleted set, are not changed', async () => {
  const set = setWith({ whenDeleted: 'Delete' })
  const other = { apiVersion: 'v1', kind: 'Other', name: 'o', uid: 'o', controller: true }
  assert.equal(kindsOf(await ownersAfter(set, 0, [other])), ['Other'])
  const gone = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 's', uid: 'earlier' }
  assert.equal((await ownersAfter(set, 0, [gone]))[0]?.uid, 'earlier')
})

claims('that will be deleted with an earlier Pod of the same ordinal are waited for', async () => {
  const owner = { apiVersion: 'v1', kind: 'Pod', name: 's-0', uid: 'earlier' }
  const findClaim = () => ({ metadata: { ownerReferences: [owner] } })
  const work = { vendor: at('1.36'), findClaim } as unknown as ClaimWork
  assert.ok(await hasStaleClaim(work, setWith({ whenScaled: 'Delete' }), 0))
  assert.not(await hasStaleClaim(work, setWith({ whenScaled: 'Retain' }), 0))
})

claims('Pods have a label with their ordinal since 1.28', () => {
  const labelsAt = (version: string) =>
    podOfOrdinal(setWith({}, { ordinals: { start: 3 } }), 3, { name: 'r', template: {} }, at(version)).metadata.labels
  assert.is(labelsAt('1.28')?.['apps.kubernetes.io/pod-index'], '3')
  assert.is(labelsAt('1.27')?.['apps.kubernetes.io/pod-index'], undefined)
})

claims.run()
