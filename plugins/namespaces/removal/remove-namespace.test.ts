import { type ApiObject, type Clock, orchProfile, type ResourceCatalogue, type ResourceInfo, Vendor } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import type { Namespace } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { namespaceNames } from '../names.js'
import { removeNamespace } from './remove-namespace.js'

const removal = suite('removing a namespace')
const names = namespaceNames(new Vendor({ ...orchProfile, name: 'acme' }))
const terminating = (): Namespace => ({
  metadata: { name: 'town', deletionTimestamp: '2020-01-01T00:00:00Z' },
  spec: { finalizers: ['acme', 'other.test/x'] },
  status: { phase: 'Terminating' },
})
const type = (resource: string, changes: Partial<ResourceInfo> = {}) =>
  ({
    group: '',
    resource,
    namespaced: true,
    virtual: false,
    verbs: ['list', 'delete', 'deletecollection'],
    ...changes,
  }) as ResourceInfo

/** A server with a namespace and objects by type; those with finalizers survive deletion. */
function server(
  namespace: Namespace | undefined,
  objects: Record<string, ApiObject[]>,
  types: ResourceInfo[],
  keptBack = (resource: string) => (objects[resource] ?? []).filter(({ metadata }) => metadata.finalizers?.length),
) {
  const written: string[] = []
  const client = {
    resource: ({ resource }: { resource: string }) => ({
      in: () => ({
        list: async () => ({ items: objects[resource] ?? [] }),
        each: async function* () {
          yield* objects[resource] ?? []
        },
        deleteCollection: async () => {
          objects[resource] = keptBack(resource)
        },
        delete: async (name: string) => {
          objects[resource] = (objects[resource] ?? []).filter(({ metadata }) => metadata.name !== name)
        },
      }),
      find: async () => namespace,
      updateSubresource: async (subresource: string, changed: Namespace) => {
        written.push(subresource)
        namespace = changed
        return changed
      },
    }),
  } as unknown as Client
  const services = {
    client,
    resources: { all: () => types } as unknown as ResourceCatalogue,
    clock: { now: () => 0 } as Clock,
  }
  return { written, services, objects, namespace: () => namespace }
}

removal('deletes all objects in it, with the verbs of their type, and removes its finalizer', async () => {
  const { services, objects, written, namespace } = server(
    terminating(),
    { configmaps: [{ metadata: { name: 'a' } }], things: [{ metadata: { name: 'b' } }] },
    [type('configmaps'), type('things', { verbs: ['list', 'delete'] }), type('nodes', { namespaced: false })],
  )
  assert.is(await removeNamespace('town', names, true, services), undefined)
  assert.equal(objects, { configmaps: [], things: [] })
  assert.equal(written, ['status', 'finalize'])
  assert.equal(namespace()?.spec?.finalizers, ['other.test/x'])
})

removal('waits for objects with finalizers, and reports them in its conditions', async () => {
  const { services, written, namespace } = server(
    terminating(),
    { configmaps: [{ metadata: { name: 'a', finalizers: ['a.test/b'] } }] },
    [type('configmaps')],
  )
  assert.ok((await removeNamespace('town', names, true, services))?.requeueAfterMs)
  assert.equal(written, ['status'])
  const remaining = namespace()?.status?.conditions?.find(condition => condition.type === 'NamespaceContentRemaining')
  assert.is(remaining?.status, 'True')
})

const conditionOf = (namespace: Namespace | undefined, type: string) =>
  namespace?.status?.conditions?.find(condition => condition.type === type)?.status

removal('deletes Pods first, and other objects when they are gone', async () => {
  const { services, objects, namespace } = server(
    terminating(),
    { configmaps: [{ metadata: { name: 'a' } }], pods: [{ metadata: { name: 'p', finalizers: ['a.test/b'] } }] },
    [type('configmaps'), type('pods')],
  )
  assert.ok((await removeNamespace('town', names, true, services))?.requeueAfterMs)
  assert.is(objects['configmaps']?.length, 1)
  assert.is(conditionOf(namespace(), 'NamespaceContentRemaining'), 'False')
  objects['pods'] = []
  assert.is(await removeNamespace('town', names, true, services), undefined)
  assert.is(objects['configmaps']?.length, 0)
})

removal('deletes Pods together with other objects without the gate', async () => {
  const { services, objects, namespace } = server(
    terminating(),
    { configmaps: [{ metadata: { name: 'a' } }], pods: [{ metadata: { name: 'p', finalizers: ['a.test/b'] } }] },
    [type('pods'), type('configmaps')],
  )
  assert.ok((await removeNamespace('town', names, false, services))?.requeueAfterMs)
  assert.is(objects['configmaps']?.length, 0)
  assert.is(conditionOf(namespace(), 'NamespaceContentRemaining'), 'True')
})

removal('waits for the grace period of Pods, and reports a failure after that', async () => {
  const start = Date.parse('2020-01-01T00:00:00Z')
  const lingering = { metadata: { name: 'p' }, spec: { terminationGracePeriodSeconds: 30 } }
  const after = async (seconds: number) => {
    const { services, namespace } = server(terminating(), { pods: [lingering] }, [type('pods')], () => [lingering])
    const clock = { now: () => start + seconds * 1000 } as Clock
    await removeNamespace('town', names, true, { ...services, clock })
    return conditionOf(namespace(), 'NamespaceDeletionContentFailure')
  }
  assert.equal([await after(29), await after(30)], ['False', 'True'])
})

removal('ignores a namespace that is not being deleted', async () => {
  const { services, written, objects } = server(
    { metadata: { name: 'town' }, spec: { finalizers: ['acme'] } },
    { configmaps: [{ metadata: { name: 'a' } }] },
    [type('configmaps')],
  )
  await removeNamespace('town', names, true, services)
  assert.equal([written.length, objects['configmaps']?.length], [0, 1])
})

removal('succeeds when the namespace no longer exists', async () => {
  const { services } = server(undefined, {}, [])
  assert.is(await removeNamespace('town', names, true, services), undefined)
})

removal.run()
