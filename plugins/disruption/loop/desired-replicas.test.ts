import type { ApiObject, OwnerReference } from 'orch/sdk'
import { createClient } from 'orch/sdk/client'
import type { Pod } from 'orch/sdk/core'
import { answer, FakeApi } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DesiredReplicas } from './desired-replicas.js'

const replicas = suite('desired replicas of the controllers of Pods')

const apps = '/apis/apps/v1/namespaces/town'
const kind = (name: string, kindName: string, namespaced = true) => ({
  name,
  kind: kindName,
  namespaced,
  verbs: ['get'],
})
const served: Record<string, object> = {
  '/api': { versions: ['v1'] },
  '/apis': {
    groups: ['apps', 'example.com'].map(name => ({
      name,
      versions: [{ version: 'v1' }],
      preferredVersion: { version: 'v1' },
    })),
  },
  '/api/v1': { resources: [kind('secrets', 'Secret'), kind('replicationcontrollers', 'ReplicationController')] },
  '/apis/apps/v1': {
    resources: [
      kind('replicasets', 'ReplicaSet'),
      kind('deployments', 'Deployment'),
      kind('statefulsets', 'StatefulSet'),
    ],
  },
  '/apis/example.com/v1': {
    resources: [kind('rows', 'Row'), kind('rows/scale', 'Scale'), kind('plains', 'Plain')],
  },
}
const owner = (apiVersion: string, ownerKind: string, name: string, uid = name): OwnerReference => ({
  apiVersion,
  kind: ownerKind,
  name,
  uid,
  controller: true,
})
const object = (name: string, count: number, ...ownerReferences: OwnerReference[]): ApiObject => ({
  metadata: { name, namespace: 'town', uid: name, ownerReferences },
  spec: { replicas: count },
})

async function wanted(objects: Record<string, ApiObject>, ...owners: OwnerReference[]) {
  const api = new FakeApi()
  for (const [path, one] of Object.entries(objects)) api.put(path, one)
  api.intercept = ({ path }) => {
    const found = served[path] ?? (path.endsWith('/scale') ? objects[path] : undefined)
    return found ? answer(200, found) : undefined
  }
  const client = createClient({ transport: api.transport })
  const pods = owners.map((one, index) => ({ metadata: { name: `p${index}`, ownerReferences: [one] } }) as Pod)
  const count = await new DesiredReplicas(client, () => 0).of('town', pods)
  return { count, asked: api.requests.filter(request => request.includes('/town/')) }
}

replicas('are those of a ReplicaSet, or of the Deployment that it belongs to', async () => {
  const set = object('set', 2, owner('apps/v1', 'Deployment', 'web'))
  const objects = { [`${apps}/replicasets/set`]: set, [`${apps}/deployments/web`]: object('web', 5) }
  assert.is((await wanted(objects, owner('apps/v1', 'ReplicaSet', 'set'))).count, 5)
  assert.is((await wanted({ [`${apps}/replicasets/set`]: set }, owner('apps/v1', 'ReplicaSet', 'set'))).count, 2)
})

replicas('of any other type are read from its scale subresource', async () => {
  const path = '/apis/example.com/v1/namespaces/town/rows/r/scale'
  const { count } = await wanted({ [path]: object('r', 4) }, owner('example.com/v1', 'Row', 'r'))
  assert.is(count, 4)
})

replicas('are not those of another object with the same name', async () => {
  const objects = { [`${apps}/replicasets/set`]: object('set', 2) }
  assert.is((await wanted(objects, owner('apps/v1', 'ReplicaSet', 'set', 'former'))).count, 0)
})

replicas('of controllers in a cycle are read only once', async () => {
  const objects = {
    [`${apps}/replicasets/a`]: object('a', 2, owner('apps/v1', 'ReplicaSet', 'b')),
    [`${apps}/replicasets/b`]: object('b', 3, owner('apps/v1', 'ReplicaSet', 'a')),
  }
  assert.is((await wanted(objects, owner('apps/v1', 'ReplicaSet', 'a'))).count, 2)
})

replicas('are not read from other objects that an owner reference may name', async () => {
  const named = [
    owner('v1', 'Secret', 'token'),
    owner('example.com/v1', 'Plain', 'x'),
    owner('apps/v1', 'ReplicaSet', '../../x'),
  ]
  const { count, asked } = await wanted({}, ...named)
  assert.equal([count, asked], [0, []])
})

replicas.run()
