import { type ApiObject, definePlugin, defineResource, field, Kind, ListOf, Struct } from 'orch/sdk'
import { Event, Pod, Taint } from 'orch/sdk/core'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { disruption } from '../plugin.js'
import { tolerationMs } from './toleration-time.js'

const taints = suite('taints that evict')
const taint = (key: string) => ({ key, effect: 'NoExecute' })

taints('are tolerated for the time of the first matching toleration', () => {
  const exists = (key: string, tolerationSeconds?: number) => ({
    key,
    operator: 'Exists',
    ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
  })
  assert.is(tolerationMs([], []), Number.POSITIVE_INFINITY)
  assert.is(tolerationMs([taint('a')], []), 0)
  assert.is(tolerationMs([taint('a')], [exists('a')]), Number.POSITIVE_INFINITY)
  assert.is(tolerationMs([taint('a'), taint('b')], [exists('a', 60), exists('b', 5)]), 5000)
  assert.is(tolerationMs([taint('a'), taint('b')], [exists('a', 60)]), 0)
  assert.is(tolerationMs([taint('a')], [exists('a', -1)]), 0)
  assert.is(tolerationMs([taint('a')], [exists('a'), exists('a', 1)]), Number.POSITIVE_INFINITY)
})

const Node = Kind('core.v1.Node', { spec: field(2, Struct('core.v1.NodeSpec', { taints: field(5, ListOf(Taint)) })) })
const resourceOf = (resource: string, kind: string, schema: unknown, namespaced: boolean) =>
  defineResource({
    group: '',
    kind,
    resource,
    namespaced,
    versions: [{ name: 'v1', schema }] as never,
    ...(resource === 'pods' ? { subresources: { status: { kind: 'update', strategy: {} } } } : {}),
  })
const namespaces = definePlugin({ name: 'namespaces', register() {} })
const nodesPlugin = definePlugin({
  name: 'nodes',
  register: to => to.resource(resourceOf('nodes', 'Node', Node, false)),
})
const workloads = definePlugin({
  name: 'workloads',
  register: to => to.resource(resourceOf('pods', 'Pod', Pod, true), resourceOf('events', 'Event', Event, true)),
})

taints('mark and delete Pods of the node that do not tolerate them', async () => {
  const options = { controllers: ['taint-eviction-controller'] }
  const server = await startServer({ plugins: [namespaces, nodesPlugin, workloads, disruption], options })
  try {
    const pods = server.client.resource<ApiObject & Pod>({ group: '', version: 'v1', resource: 'pods' }).in('default')
    const nodes = server.client.resource<ApiObject>({ group: '', version: 'v1', resource: 'nodes' })
    await nodes.create({ metadata: { name: 'n' } })
    const containers = [{ name: 'c', image: 'i' }]
    const create = (name: string, spec: object) =>
      pods.create({
        metadata: { name, namespace: 'default', finalizers: ['a.b/c'] },
        spec: { containers, ...spec },
      } as never)
    await create('goes', { nodeName: 'n' })
    await create('stays', { nodeName: 'n', tolerations: [{ key: 'broken', operator: 'Exists' }] })
    await create('elsewhere', { nodeName: 'm' })
    await nodes.patch('n', { spec: { taints: [taint('broken')] } })
    const gone = await pods.waitFor('goes', ({ metadata }) => metadata.deletionTimestamp !== undefined, {
      timeoutMs: 10_000,
    })
    const [condition] = gone.status?.conditions ?? []
    assert.equal([condition?.type, condition?.reason], ['DisruptionTarget', 'DeletionByTaintManager'])
    for (const name of ['stays', 'elsewhere'])
      assert.is((await pods.get(name)).metadata.deletionTimestamp, undefined, name)
  } finally {
    await server.stop()
  }
})

taints.run()
