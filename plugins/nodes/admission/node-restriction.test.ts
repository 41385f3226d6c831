import type { ApiObject, Authorizer, ObjectMeta, VersionName } from 'orch/sdk'
import type { Pod, PodSpec, Volume } from 'orch/sdk/core'
import { admit, fakeCollections, type StatedRequest } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Node } from '../nodes/schema.js'
import { acmeNames, aPod, namesAt } from '../testing/acme.js'
import { nodeRestriction } from './node-restriction.js'

const control = nodeRestriction(acmeNames)
const agent = { name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] }
const mine = aPod({ nodeName: 'n1' }, { name: 'mine', uid: 'u1' })
const foreign = aPod({ nodeName: 'n2' }, { name: 'foreign', uid: 'u2' })
const authorizer = { allows: async () => false } as unknown as Authorizer
const services = {
  ...fakeCollections({ pods: [mine, foreign], nodes: [{ metadata: { name: 'n1', uid: 'node-uid' } }] }),
  authorizer,
}

/** The error code for the agent of node n1; undefined if it is allowed. */
async function told(stated: StatedRequest<unknown>): Promise<number | undefined> {
  const request = { user: agent, ...stated } as StatedRequest<ApiObject>
  return (await admit(control, request, services)).refusal?.code
}

const restriction = suite('node restriction')

restriction('ignores users that are not agents of nodes', async () => {
  const stated = { operation: 'delete', oldObject: foreign } as const
  assert.is(await told({ ...stated, user: { name: 'system:node:n1', groups: [] } }), undefined)
  assert.is(await told({ ...stated, user: { name: 'ann', groups: ['system:nodes'] } }), undefined)
})
restriction('rejects an agent without a node name', async () => {
  assert.is(await told({ object: mine, user: { ...agent, name: 'system:node:' } }), 403)
})

const owner = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'node-uid', controller: true }
const mirror: ObjectMeta = { annotations: { 'acme.test/config.mirror': 'hash' }, ownerReferences: [owner] }
const creations: Record<string, [spec: Partial<PodSpec>, metadata: ObjectMeta, code: number | undefined]> = {
  'allows it to create a mirror Pod': [{}, mirror, undefined],
  'does not allow it to create other Pods': [{}, { ownerReferences: [owner] }, 403],
  'does not allow it to create Pods on another node': [{ nodeName: 'n2' }, mirror, 403],
  'requires an owner': [{}, { ...mirror, ownerReferences: [] }, 403],
  'requires a single owner': [{}, { ...mirror, ownerReferences: [owner, { ...owner, uid: 'x' }] }, 403],
  'requires the node as owner': [{}, { ...mirror, ownerReferences: [{ ...owner, name: 'n2' }] }, 403],
  'requires a node as owner': [{}, { ...mirror, ownerReferences: [{ ...owner, kind: 'Pod' }] }, 403],
  'requires the owner to be the controller': [
    {},
    { ...mirror, ownerReferences: [{ ...owner, controller: false }] },
    403,
  ],
  'requires the uid of the node in the owner reference': [
    {},
    { ...mirror, ownerReferences: [{ ...owner, uid: 'old' }] },
    403,
  ],
  'does not allow the Pod to block the deletion of the node': [
    {},
    { ...mirror, ownerReferences: [{ ...owner, blockOwnerDeletion: true }] },
    403,
  ],
  'does not allow a service account': [{ serviceAccountName: 'default' }, mirror, 403],
  'does not allow secrets': [{ volumes: [{ name: 'v', secret: { secretName: 's' } }] }, mirror, 403],
  'does not allow secrets in the environment': [
    { containers: [{ name: 'c', envFrom: [{ secretRef: { name: 's' } }] }] as PodSpec['containers'] },
    mirror,
    403,
  ],
  'does not allow config maps': [{ volumes: [{ name: 'v', configMap: { name: 's' } }] }, mirror, 403],
  'does not allow claims': [{ volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 's' } }] }, mirror, 403],
}
for (const [title, [spec, metadata, code]] of Object.entries(creations))
  restriction(title, async () => {
    assert.is(await told({ object: aPod({ nodeName: 'n1', ...spec }, metadata) }), code)
    assert.is(await told({ object: aPod({ nodeName: 'n1', ...spec }, metadata), dryRun: true }), code)
  })

const onPods: Record<string, [stated: StatedRequest<Pod>, code: number | undefined]> = {
  'lets it delete its Pods': [{ operation: 'delete', oldObject: mine }, undefined],
  'keeps it from deleting other Pods': [{ operation: 'delete', oldObject: foreign }, 403],
  'keeps it from changing Pods': [{ operation: 'update', object: mine, oldObject: mine }, 403],
  'lets it report the status of its Pods': [
    { operation: 'update', subresource: 'status', object: mine, oldObject: mine },
    undefined,
  ],
  'checks the node of the stored Pod': [
    { operation: 'update', subresource: 'status', object: aPod({ nodeName: 'n1' }), oldObject: foreign },
    403,
  ],
  'keeps labels out of the status': [
    {
      operation: 'update',
      subresource: 'status',
      object: aPod({ nodeName: 'n1' }, { labels: { a: 'b' } }),
      oldObject: mine,
    },
    403,
  ],
  'lets it evict its Pods': [{ subresource: 'eviction', name: 'mine', object: {} as Pod }, undefined],
  'keeps it from evicting other Pods': [{ subresource: 'eviction', name: 'foreign', object: {} as Pod }, 403],
  'reports a missing Pod in an eviction': [{ subresource: 'eviction', name: 'none', object: {} as Pod }, 404],
  'keeps it from binding Pods': [{ subresource: 'binding', name: 'mine', object: {} as Pod }, 403],
  'does not allow it to add ephemeral containers': [
    { operation: 'update', subresource: 'ephemeralcontainers', object: mine, oldObject: mine },
    403,
  ],
}
for (const [title, [stated, code]] of Object.entries(onPods))
  restriction(title, async () => {
    assert.is(await told(stated), code)
  })

const aNode = (metadata: ObjectMeta = {}, spec: Node['spec'] = {}): Node => ({
  metadata: { name: 'n1', ...metadata },
  spec,
})
const taints = [{ key: 'k', effect: 'NoSchedule' }]
const onNodes: Record<string, [stated: StatedRequest<Node>, code: number | undefined]> = {
  'lets it register itself, with taints': [{ object: aNode({}, { taints }) }, undefined],
  'keeps it from registering others': [{ object: aNode({ name: 'n2' }) }, 403],
  'lets it update itself': [
    { operation: 'update', object: aNode({ labels: { a: 'b' } }), oldObject: aNode() },
    undefined,
  ],
  'lets it report its status': [
    { operation: 'update', subresource: 'status', object: aNode(), oldObject: aNode() },
    undefined,
  ],
  'does not allow it to report the status of other nodes': [
    { operation: 'update', subresource: 'status', object: aNode({ name: 'n2' }), oldObject: aNode({ name: 'n2' }) },
    403,
  ],
  'keeps it from adding taints': [{ operation: 'update', object: aNode({}, { taints }), oldObject: aNode() }, 403],
  'keeps it from removing taints': [{ operation: 'update', object: aNode(), oldObject: aNode({}, { taints }) }, 403],
  'keeps it from choosing its configuration': [{ object: aNode({}, { configSource: {} }) }, 403],
  'keeps it from deleting itself': [{ operation: 'delete', oldObject: aNode() }, 403],
  'keeps it from deleting others': [{ operation: 'delete', oldObject: aNode({ name: 'n2' }) }, 403],
}
for (const [title, [stated, code]] of Object.entries(onNodes))
  restriction(title, async () => {
    assert.is(await told({ resource: 'nodes', namespace: '', ...stated }), code)
  })

const labels: Record<string, boolean> = {
  'anything.example/x': true,
  plain: true,
  'acme.test/hostname': true,
  'acme.test/os': true,
  'beta.acme.test/arch': true,
  'beta.acme.test/instance-type': true,
  'node.acme.test/instance-type': true,
  'topology.acme.test/zone': true,
  'failure-domain.beta.acme.test/region': true,
  'node.acme.test/anything': true,
  'nodeagent.acme.test/anything': true,
  'sub.nodeagent.acme.test/anything': true,
  'node-restriction.acme.test/team': false,
  'x.node-restriction.acme.test/team': false,
  'node-role.acme.test/control': false,
  'acme.test/role': false,
  'sub.api.acme.test/x': false,
}
for (const [key, isAllowed] of Object.entries(labels))
  restriction(
    `${isAllowed ? 'lets it' : 'keeps it from having, changing or dropping'} label itself ${key}`,
    async () => {
      const code = isAllowed ? undefined : 403
      const states = [{}, { [key]: 'a' }, { [key]: 'b' }].map(state => aNode({ labels: state }))
      const [without, first, second] = states
      const update = { resource: 'nodes', operation: 'update' } as const
      assert.is(await told({ resource: 'nodes', object: first }), code)
      assert.is(await told({ ...update, object: first, oldObject: without }), code)
      assert.is(await told({ ...update, object: second, oldObject: first }), code)
      assert.is(await told({ ...update, object: without, oldObject: first }), code)
      assert.is(await told({ ...update, object: first, oldObject: first }), undefined)
    },
  )

const token = (boundObjectRef?: object) =>
  told({ resource: 'serviceaccounts', subresource: 'token', object: { spec: { boundObjectRef } } })
const ref = { apiVersion: 'v1', kind: 'Pod', name: 'mine', uid: 'u1' }
restriction('reports a missing Pod or Node in the singular', async () => {
  const kindOf = async (stated: StatedRequest<unknown>, known = services) =>
    (await admit(control, { user: agent, ...stated } as StatedRequest<ApiObject>, known)).refusal?.details?.kind
  assert.is(await kindOf({ subresource: 'eviction', name: 'none', object: {} }), 'pod')
  assert.is(await kindOf({ object: aPod({ nodeName: 'n1' }, mirror) }, { ...fakeCollections({}), authorizer }), 'node')
})
restriction('allows tokens that are bound to its Pods', async () => {
  assert.is(await token(ref), undefined)
  assert.is(await token(undefined), 403)
  assert.is(await token({ ...ref, kind: 'Secret' }), 403)
  assert.is(await token({ ...ref, uid: '' }), 403)
  assert.is(await token({ ...ref, uid: 'u9' }), 403)
  assert.is(await token({ ...ref, name: 'foreign', uid: 'u2' }), 403)
  assert.is(await token({ ...ref, name: 'none' }), 404)
})

restriction('lets it write its own lease and CSINode only', async () => {
  const leases = { group: 'coordination.api.acme.test', resource: 'leases', namespace: 'orch-node-lease' }
  const drivers = { group: 'storage.api.acme.test', resource: 'csinodes', namespace: '' }
  const named = (name: string) => ({ object: { metadata: { name } } })
  assert.is(await told({ ...leases, ...named('n1') }), undefined)
  assert.is(await told({ ...leases, ...named('n2') }), 403)
  assert.is(await told({ ...leases, ...named('n1'), namespace: 'town' }), 403)
  assert.is(await told({ ...drivers, ...named('n1') }), undefined)
  assert.is(await told({ ...drivers, ...named('n2') }), 403)
})

restriction('lets it report that a volume was resized, and nothing else of a claim', async () => {
  const claim = (status: object, labels = {}) => ({ metadata: { name: 'c', labels }, spec: {}, status })
  const update = {
    resource: 'persistentvolumeclaims',
    operation: 'update',
    oldObject: claim({ phase: 'Bound' }),
  } as const
  const status = { ...update, subresource: 'status' }
  assert.is(
    await told({ ...status, object: claim({ phase: 'Bound', capacity: { storage: '2Gi' }, conditions: [] }) }),
    undefined,
  )
  assert.is(await told({ ...status, object: claim({ phase: 'Lost' }) }), 403)
  assert.is(await told({ ...status, object: claim({ phase: 'Bound' }, { a: 'b' }) }), 403)
  assert.is(await told({ ...update, object: claim({ phase: 'Bound' }) }), 403)
})

restriction('allows it to create and delete slices of its own devices only', async () => {
  const slice = (nodeName?: string) => ({
    metadata: { name: 's' },
    spec: { driver: 'd', ...(nodeName ? { nodeName } : {}) },
  })
  const at = { group: 'resource.api.acme.test', resource: 'resourceslices' }
  assert.is(await told({ ...at, operation: 'create', object: slice('n1') }), undefined)
  assert.is(await told({ ...at, operation: 'create', object: slice('n2') }), 403)
  assert.is(await told({ ...at, operation: 'create', object: slice() }), 403)
  assert.is(await told({ ...at, operation: 'delete', oldObject: slice('n1') }), undefined)
  assert.is(await told({ ...at, operation: 'delete', oldObject: slice('n2') }), 403)
})

const codeAt = async (version: VersionName, stated: StatedRequest<unknown>) => {
  const request = { user: agent, ...stated } as StatedRequest<ApiObject>
  return (await admit(nodeRestriction(namesAt(version)), request, services)).refusal?.code
}
restriction('lets it report what a claim was allocated, since 1.32', async () => {
  const claim = (status: object) => ({ metadata: { name: 'c' }, spec: {}, status })
  const status = {
    resource: 'persistentvolumeclaims',
    operation: 'update',
    subresource: 'status',
    object: claim({
      allocatedResources: { storage: '2Gi' },
      allocatedResourceStatuses: { storage: 'NodeResizeInProgress' },
    }),
    oldObject: claim({}),
  } as const
  assert.is(await codeAt('1.31', status), 403)
  assert.is(await codeAt('1.32', status), undefined)
})
const needy: Record<string, Volume> = {
  'storage drivers': { name: 'v', csi: { driver: 'd' } },
  Glusterfs: { name: 'v', glusterfs: { endpoints: 'e', path: 'p' } },
  'projected tokens': { name: 'v', projected: { sources: [{ serviceAccountToken: { path: 'p' } }] } },
  'projected trust bundles': { name: 'v', projected: { sources: [{ clusterTrustBundle: { path: 'p' } }] } },
  'projected certificates': {
    name: 'v',
    projected: { sources: [{ podCertificate: { signerName: 's', keyType: 'ED25519' } }] },
  },
}
for (const [title, volume] of Object.entries(needy))
  restriction(`does not allow mirror Pods with volumes of ${title}, since 1.34`, async () => {
    const object = aPod({ nodeName: 'n1', volumes: [volume] }, mirror)
    assert.is(await codeAt('1.33', { object }), undefined)
    assert.is(await codeAt('1.34', { object }), 403)
  })
restriction('allows mirror Pods with volumes that need no API', async () => {
  const items = [{ path: 'p', fieldRef: { fieldPath: 'metadata.name' } }]
  const volumes = [
    { name: 'v', projected: { sources: [{ downwardAPI: { items } }] } },
    { name: 'w', hostPath: { path: '/' } },
  ]
  assert.is(await codeAt('1.36', { object: aPod({ nodeName: 'n1', volumes }, mirror) }), undefined)
})
restriction('keeps it from changing which claim serves extended resources', async () => {
  const of = (resourceClaimName: string) =>
    ({ ...mine, status: { extendedResourceClaimStatus: { resourceClaimName, requestMappings: [] } } }) as Pod
  const update = { operation: 'update', subresource: 'status' } as const
  assert.is(await codeAt('1.36', { ...update, object: of('a'), oldObject: of('a') }), undefined)
  assert.is(await codeAt('1.36', { ...update, object: of('b'), oldObject: of('a') }), 403)
  assert.is(await codeAt('1.36', { ...update, object: mine, oldObject: of('a') }), 403)
})

restriction.run()
