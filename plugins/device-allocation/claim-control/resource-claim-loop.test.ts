import type { ApiObject } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import { makeNamespace, startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { deviceAllocation } from '../plugin.js'
import { claimPrefix, isDone, type StoredClaim, type StoredPod } from './claims-of-pod.js'

const group = 'resource.k8s.io'
const protection = 'resource.kubernetes.io/delete-protection'
const pod = (name: string, claim: object): Pod => ({
  metadata: { name },
  spec: {
    containers: [{ name: 'c', image: 'i', resources: { claims: [{ name: 'gpu' }] } }],
    resourceClaims: [{ name: 'gpu', ...claim }],
  },
})
const spec = { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] } }
const allocation = { devices: { results: [{ request: 'r', driver: 'd.example', pool: 'p', device: 'x' }] } }

async function inTown(run: (town: Awaited<ReturnType<typeof startTown>>) => Promise<void>): Promise<void> {
  const town = await startTown()
  try {
    await run(town)
  } finally {
    await town.server.stop()
  }
}
async function startTown() {
  const others = ['namespaces', 'workloads', 'expressions', 'events'].map(name => `orch/plugins/${name}`)
  const server = await startServer({
    vendor: 'kubernetes',
    kubernetesVersion: '1.36',
    plugins: [...others, deviceAllocation],
  })
  await makeNamespace(server, 'town')
  const of = <T extends object>(resource: string, of = group) =>
    server.client.resource<T>({ group: of, version: 'v1', resource }).in('town')
  return {
    server,
    claims: of<StoredClaim>('resourceclaims'),
    templates: of<ApiObject>('resourceclaimtemplates'),
    pods: of<StoredPod>('pods', ''),
    events: of<ApiObject & { reason?: string; message?: string }>('events', ''),
  }
}

const control = suite('claims of Pods')

control('are created from templates, listed in the status of the Pod, and deleted when it is done', () =>
  inTown(async ({ claims, templates, pods }) => {
    await templates.create({ metadata: { name: 't' }, spec: { metadata: { labels: { a: 'b' } }, spec } } as never)
    const made = await pods.create(pod('web', { resourceClaimTemplateName: 't' }) as StoredPod)
    const told = await pods.waitFor('web', ({ status }) => (status?.resourceClaimStatuses ?? []).length > 0)
    const name = told.status?.resourceClaimStatuses?.[0]?.resourceClaimName ?? ''
    assert.match(name, /^web-gpu-/)
    const claim = await claims.get(name)
    assert.equal(claim.metadata.labels, { a: 'b' })
    assert.is(claim.metadata.ownerReferences?.[0]?.uid, made.metadata.uid)
    await pods.patch('web', { status: { phase: 'Succeeded' } }, { subresource: 'status' })
    for (let i = 0; i < 500 && (await claims.find(name)); i++) await new Promise(resolve => setTimeout(resolve, 20))
    assert.is(await claims.find(name), undefined)
  }),
)

control('are released by Pods that are gone, and deallocated with the last of them', () =>
  inTown(async ({ claims, pods }) => {
    await claims.create({ metadata: { name: 'c', finalizers: [protection] }, spec } as never)
    const { metadata } = await pods.create(pod('a', { resourceClaimName: 'c' }) as StoredPod)
    const reservedFor = [
      { resource: 'pods', name: 'a', uid: metadata.uid },
      { resource: 'pods', name: 'ghost', uid: 'none' },
      { apiGroup: 'example.com', resource: 'robots', name: 'r', uid: 'r' },
    ]
    await claims.patch('c', { status: { allocation, reservedFor } }, { subresource: 'status' })
    const left = await claims.waitFor('c', ({ status }) => status?.reservedFor?.length === 2)
    // Nothing is known about users of other types.
    assert.equal(
      left.status?.reservedFor?.map(({ name }) => name),
      ['a', 'r'],
    )
    await claims.patch('c', { status: { reservedFor: [reservedFor[0]] } }, { subresource: 'status' })
    await pods.delete('a', { gracePeriodSeconds: 0 })
    const free = await claims.waitFor('c', ({ status, metadata }) => !status?.allocation && !metadata.finalizers)
    assert.equal(free.status, {})
  }),
)

control('a claim of another owner is not used', () =>
  inTown(async ({ claims, templates, pods, events }) => {
    const made = await pods.create(pod('web', { resourceClaimTemplateName: 't' }) as StoredPod)
    const told = async () => (await events.list()).items.find(({ reason }) => reason === 'FailedResourceClaimCreation')
    for (let i = 0; i < 500 && !(await told()); i++) await new Promise(resolve => setTimeout(resolve, 20))
    assert.match((await told())?.message ?? '', 'not found')
    const annotations = { 'resource.kubernetes.io/pod-claim-name': 'gpu' }
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'another', controller: true }]
    const foreign = await claims.create({ metadata: { name: 'mine', annotations, ownerReferences }, spec } as never)
    await templates.create({ metadata: { name: 't' }, spec: { spec } } as never)
    const { status } = await pods.waitFor('web', ({ status }) => (status?.resourceClaimStatuses ?? []).length > 0)
    const name = status?.resourceClaimStatuses?.[0]?.resourceClaimName ?? ''
    assert.is.not(name, 'mine')
    assert.is((await claims.get(name)).metadata.ownerReferences?.[0]?.uid, made.metadata.uid)
    assert.is(foreign.metadata.name, 'mine')
  }),
)

control('have names that begin with those of the Pod and of the claim', () => {
  assert.is(claimPrefix('web', 'gpu'), 'web-gpu-')
  const long = claimPrefix('p'.repeat(60), 'c'.repeat(20))
  assert.ok(long.length <= 57 && long.includes('p-c'))
})
control('are needed until the Pod is done', () => {
  const of = (rest: object) => isDone({ metadata: {}, ...rest } as StoredPod)
  assert.not.ok(of({ spec: { nodeName: 'n' }, metadata: { deletionTimestamp: 'now' } }))
  assert.ok(of({ spec: {}, metadata: { deletionTimestamp: 'now' } }))
  assert.ok(of({ status: { phase: 'Failed' } }))
})

control.run()
