import type { ResourceCatalogue } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import type { AccessAttributes } from 'orch/sdk/identity'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeRules } from '../defaults/cluster-roles.js'
import { access, acme, acmeNames, aUser } from '../testing/acme.js'
import { MemoryCaches } from '../testing/memory-caches.js'
import { NodeAccess } from './node-access.js'
import { LiveNodeGraph } from './node-access-service.js'
import { NodeGraph } from './node-graph.js'

const nodes = suite('node access')
const n1 = aUser('system:node:n1', 'system:nodes', 'system:authenticated')
const n2 = aUser('system:node:n2', 'system:nodes', 'system:authenticated')
const storage = acmeNames.storageGroup

const aPod = (spec: object, rest: object = {}): Pod =>
  ({ metadata: { name: 'p', namespace: 'farm', ...rest }, spec: { nodeName: 'n1', containers: [], ...spec } }) as Pod
const accessWith = (graph: NodeGraph) => new NodeAccess(acmeNames, nodeRules(acme), graph)
const graphOf = (...pods: Pod[]) => {
  const graph = new NodeGraph(acmeNames.mirrorPodAnnotation)
  for (const pod of pods) graph.changePod(pod, 1)
  return graph
}
const allows = async (graph: NodeGraph, request: AccessAttributes) =>
  (await accessWith(graph).decide(request)).decision === 'allow'
const inFarm = (name: string) => ({ namespace: 'farm', name })

const secretName = 's'
const secretRef = { name: secretName }
const references: Record<string, object> = {
  'a secret volume': { volumes: [{ name: 'v', secret: { secretName } }] },
  'a projected secret': { volumes: [{ name: 'v', projected: { sources: [{ secret: secretRef }] } }] },
  'an environment variable': {
    containers: [{ name: 'c', env: [{ name: 'E', valueFrom: { secretKeyRef: { name: secretName, key: 'k' } } }] }],
  },
  'the environment of an init container': { initContainers: [{ name: 'c', envFrom: [{ secretRef }] }] },
  'the environment of an ephemeral container': { ephemeralContainers: [{ name: 'c', envFrom: [{ secretRef }] }] },
  'an image pull secret': { imagePullSecrets: [secretRef] },
  'a CSI volume': { volumes: [{ name: 'v', csi: { driver: 'd', nodePublishSecretRef: secretRef } }] },
  'a Ceph volume': { volumes: [{ name: 'v', cephfs: { monitors: [], secretRef } }] },
}
for (const [where, spec] of Object.entries(references))
  nodes(`a node reads the secret that its Pod uses in ${where}, and no other node does`, async () => {
    const graph = graphOf(aPod(spec))
    assert.ok(await allows(graph, access(n1, 'get', 'secrets', inFarm(secretName))))
    assert.not.ok(await allows(graph, access(n2, 'get', 'secrets', inFarm(secretName))))
    assert.not.ok(await allows(graph, access(n1, 'get', 'secrets', { namespace: 'town', name: secretName })))
    assert.not.ok(await allows(graph, access(n1, 'get', 'configmaps', inFarm(secretName))))
  })

nodes('a node may watch individual secrets and config maps, but never list them', async () => {
  const graph = graphOf(aPod({ volumes: [{ name: 'v', configMap: { name: 'c' } }] }))
  assert.ok(await allows(graph, access(n1, 'watch', 'configmaps', inFarm('c'))))
  assert.ok(await allows(graph, access(n1, 'list', 'configmaps', inFarm('c'))))
  assert.not.ok(await allows(graph, access(n1, 'list', 'configmaps', { namespace: 'farm' })))
  assert.not.ok(await allows(graph, access(n1, 'list', 'configmaps')))
  assert.not.ok(await allows(graph, access(n1, 'update', 'configmaps', inFarm('c'))))
})

nodes('a mirror Pod, which the node itself creates, grants no access', async () => {
  const mirror = { annotations: { [acmeNames.mirrorPodAnnotation]: 'x' } }
  const graph = graphOf(aPod({ imagePullSecrets: [secretRef] }, mirror))
  assert.not.ok(await allows(graph, access(n1, 'get', 'secrets', inFarm(secretName))))
})

nodes('access ends with the last Pod that grants it', async () => {
  const pod = aPod({ imagePullSecrets: [secretRef] })
  const graph = graphOf(pod, aPod({ imagePullSecrets: [secretRef, secretRef] }, { name: 'q' }))
  graph.changePod(pod, -1)
  assert.ok(await allows(graph, access(n1, 'get', 'secrets', inFarm(secretName))))
  graph.changePod(aPod({ imagePullSecrets: [secretRef, secretRef] }, { name: 'q' }), -1)
  assert.not.ok(await allows(graph, access(n1, 'get', 'secrets', inFarm(secretName))))
})

nodes('a node may read the claim, the volume and the secret of the volume that its Pod uses', async () => {
  const graph = graphOf(aPod({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] }))
  const csi = {
    driver: 'd',
    volumeHandle: 'h',
    nodeStageSecretRef: { name: 'stage', namespace: 'keys' },
    controllerPublishSecretRef: { name: 'controller', namespace: 'keys' },
  }
  const claimRef = { namespace: 'farm', name: 'data' }
  graph.changeVolume({ metadata: { name: 'pv' }, spec: { claimRef, csi } } as never, 1)
  assert.ok(await allows(graph, access(n1, 'get', 'persistentvolumeclaims', inFarm('data'))))
  assert.ok(await allows(graph, access(n1, 'update', 'persistentvolumeclaims/status', inFarm('data'))))
  assert.not.ok(await allows(graph, access(n1, 'update', 'persistentvolumeclaims', inFarm('data'))))
  assert.ok(await allows(graph, access(n1, 'get', 'persistentvolumes', { name: 'pv' })))
  assert.not.ok(await allows(graph, access(n1, 'list', 'persistentvolumes')))
  assert.ok(await allows(graph, access(n1, 'get', 'secrets', { namespace: 'keys', name: 'stage' })))
  assert.not.ok(await allows(graph, access(n1, 'get', 'secrets', { namespace: 'keys', name: 'controller' })))
  assert.not.ok(await allows(graph, access(n2, 'get', 'secrets', { namespace: 'keys', name: 'stage' })))
})

nodes('the claim of an ephemeral volume is named after the Pod and the volume', async () => {
  const graph = graphOf(aPod({ volumes: [{ name: 'tmp', ephemeral: {} }] }))
  assert.ok(await allows(graph, access(n1, 'get', 'persistentvolumeclaims', inFarm('p-tmp'))))
})

nodes('a node may request tokens only for the service accounts of its Pods', async () => {
  const graph = graphOf(aPod({ serviceAccountName: 'robot' }))
  assert.ok(await allows(graph, access(n1, 'create', 'serviceaccounts/token', inFarm('robot'))))
  assert.not.ok(await allows(graph, access(n2, 'create', 'serviceaccounts/token', inFarm('robot'))))
  assert.not.ok(await allows(graph, access(n1, 'get', 'serviceaccounts', inFarm('robot'))))
})

nodes('a node reads the attachments to itself', async () => {
  const graph = graphOf()
  graph.changeAttachment({ metadata: { name: 'va' }, spec: { nodeName: 'n1' } }, 1)
  assert.ok(await allows(graph, access(n1, 'get', 'volumeattachments', { group: storage, name: 'va' })))
  assert.not.ok(await allows(graph, access(n2, 'get', 'volumeattachments', { group: storage, name: 'va' })))
})

nodes('a node has its own lease and CSINode', async () => {
  const group = acmeNames.coordinationGroup
  const namespace = acmeNames.namespaces.nodeLease
  assert.ok(await allows(graphOf(), access(n1, 'update', 'leases', { group, namespace, name: 'n1' })))
  assert.not.ok(await allows(graphOf(), access(n1, 'update', 'leases', { group, namespace, name: 'n2' })))
  assert.not.ok(await allows(graphOf(), access(n1, 'update', 'leases', { group, namespace: 'farm', name: 'n1' })))
  assert.not.ok(await allows(graphOf(), access(n1, 'list', 'leases', { group, namespace })))
  assert.ok(await allows(graphOf(), access(n1, 'delete', 'csinodes', { group: storage, name: 'n1' })))
  assert.not.ok(await allows(graphOf(), access(n1, 'delete', 'csinodes', { group: storage, name: 'n2' })))
})

nodes('other types follow the rules that every node has', async () => {
  assert.ok(await allows(graphOf(), access(n1, 'list', 'pods')))
  assert.ok(await allows(graphOf(), access(n1, 'patch', 'nodes/status', { name: 'n1' })))
  assert.not.ok(await allows(graphOf(), access(n1, 'delete', 'nodes', { name: 'n1' })))
  assert.not.ok(await allows(graphOf(), { user: n1, verb: 'get', path: '/metrics' }))
})

nodes('only a user with both the name and the group of a node is one', async () => {
  assert.not.ok(await allows(graphOf(), access(aUser('system:node:n1'), 'list', 'pods')))
  assert.not.ok(await allows(graphOf(), access(aUser('ann', 'system:nodes'), 'list', 'pods')))
  assert.not.ok(await allows(graphOf(), access(aUser('system:node:', 'system:nodes'), 'list', 'pods')))
})

const catalogue = (...types: string[]) =>
  ({
    find: (_group: string, resource: string) => (types.includes(resource) ? {} : undefined),
  }) as unknown as ResourceCatalogue

nodes('the graph follows changes of Pods and waits until they are read', async () => {
  const caches = new MemoryCaches()
  const graph = new LiveNodeGraph(caches, catalogue('pods'), acmeNames)
  const pods = caches.memory({ group: '', resource: 'pods' })
  const decision = allows(graph, access(n1, 'get', 'secrets', inFarm(secretName)))
  pods.put(aPod({ imagePullSecrets: [secretRef] }) as never)
  caches.markReady()
  assert.ok(await decision, 'decided after the Pods were read')
  pods.put(aPod({ imagePullSecrets: [{ name: 'other' }] }) as never)
  assert.not.ok(await allows(graph, access(n1, 'get', 'secrets', inFarm(secretName))))
  assert.ok(await allows(graph, access(n1, 'get', 'secrets', inFarm('other'))))
  pods.remove('farm', 'p')
  assert.not.ok(await allows(graph, access(n1, 'get', 'secrets', inFarm('other'))))
})

nodes('types that no plugin serves are ignored', async () => {
  const graph = new LiveNodeGraph(new MemoryCaches(), catalogue(), acmeNames)
  assert.ok(graph.isReady)
  assert.not.ok(await allows(graph, access(n1, 'get', 'secrets', inFarm(secretName))))
})

nodes.run()
