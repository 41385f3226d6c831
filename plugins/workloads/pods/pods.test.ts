import { ApiError, type ApiObject, definePlugin, type Pod } from 'orch/sdk'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bindings } from '../bindings/resource.js'
import { podDisruptionBudgets } from '../pod-disruption-budgets/resource.js'
import type { PodDisruptionBudget } from '../pod-disruption-budgets/schema.js'
import { eviction as evictions } from './eviction.js'
import { pods } from './resource.js'

const plugin = definePlugin({
  name: 'pods-under-test',
  register(to, { vendor }) {
    to.resource(pods, bindings, podDisruptionBudgets(vendor))
  },
})
type StoredPod = ApiObject & Pod
const core = (resource: string) => ({ group: '', version: 'v1', resource })

async function withServer(test: (server: TestServer) => Promise<void>): Promise<void> {
  const server = await startServer({ plugins: [plugin] })
  try {
    await test(server)
  } finally {
    await server.stop()
  }
}
const podsOf = ({ client }: TestServer) => client.resource<StoredPod>(core('pods')).in('default')
const create = (server: TestServer, name: string, more: Partial<Pod> = {}) =>
  podsOf(server).create({
    metadata: { name, namespace: 'default', labels: { app: 'a' } },
    spec: { containers: [{ name: 'c', image: 'i' }] },
    ...more,
  } as StoredPod)
async function refusal(promise: Promise<unknown>): Promise<ApiError> {
  try {
    await promise
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('it was not refused')
}

const life = suite('the life of a pod')

life('a binding puts it on a node, once', () =>
  withServer(async server => {
    const { metadata } = await create(server, 'p')
    const { uid, resourceVersion } = metadata
    const bind = (node: string, decidedFor: object = { name: 'p' }) =>
      podsOf(server).createSubresource('p', 'binding', { metadata: decidedFor, target: { kind: 'Node', name: node } })
    assert.is((await refusal(bind('n1', {}))).code, 400)
    assert.is((await refusal(bind('n1', { name: 'p', uid: 'another' }))).code, 409)
    assert.is((await refusal(bind('n1', { name: 'p', resourceVersion: '1' }))).code, 409)
    const answer = await bind('n1', { name: 'p', uid, resourceVersion })
    assert.is((answer as unknown as { status: string }).status, 'Success')
    const { spec, status } = await podsOf(server).get('p')
    assert.is(spec.nodeName, 'n1')
    assert.equal(
      status?.conditions?.map(({ type, status: is }) => [type, is]),
      [['PodScheduled', 'True']],
    )
    assert.is((await refusal(bind('n2'))).code, 409)
  }),
)

life('a binding to something else is invalid', () =>
  withServer(async server => {
    await create(server, 'p')
    const error = await refusal(
      podsOf(server).createSubresource('p', 'binding', { metadata: { name: 'p' }, target: { kind: 'Moon', name: '' } }),
    )
    assert.equal([error.code, error.details?.causes?.map(({ field }) => field)], [422, ['target.kind', 'target.name']])
  }),
)

life('the old way to bind works too', () =>
  withServer(async server => {
    await create(server, 'p')
    const all = server.client.resource<ApiObject>(core('bindings')).in('default')
    await all.create({ metadata: { name: 'p', namespace: 'default' }, target: { name: 'n1' } })
    assert.is((await podsOf(server).get('p')).spec.nodeName, 'n1')
  }),
)

life('deleted on a node it stays until the node agent lets it go', () =>
  withServer(async server => {
    await create(server, 'p', { spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] } })
    await podsOf(server).delete('p')
    const { metadata } = await podsOf(server).get('p')
    assert.is(metadata.deletionGracePeriodSeconds, 30)
    const end = Date.parse(metadata.deletionTimestamp ?? '')
    const shorter = (await podsOf(server).delete('p', { gracePeriodSeconds: 20 })) as StoredPod
    assert.is(Date.parse(shorter.metadata.deletionTimestamp ?? ''), end - 10_000, 'counted from the first deletion')
    const last = (await podsOf(server).delete('p', { gracePeriodSeconds: 0 })) as StoredPod
    assert.is(Date.parse(last.metadata.deletionTimestamp ?? ''), end - 30_000)
    assert.is(last.metadata.deletionGracePeriodSeconds, 0, 'it is marked before it goes')
    assert.is(await podsOf(server).find('p'), undefined)
  }),
)

life('deleted before it has a node it is gone at once', () =>
  withServer(async server => {
    await create(server, 'p')
    const answer = await podsOf(server).delete('p')
    assert.is(answer.spec.containers.length, 1)
    assert.is(await podsOf(server).find('p'), undefined)
  }),
)

life('its status is written through its own path only', () =>
  withServer(async server => {
    const made = await create(server, 'p', { status: { phase: 'Running' } })
    assert.is(made.status?.phase, 'Pending')
    const sent = { ...made, status: { ...made.status, phase: 'Running', podIP: '10.1.2.3' } }
    assert.is((await podsOf(server).update(sent)).status?.phase, 'Pending')
    const { status } = await podsOf(server).updateSubresource('status', {
      ...sent,
      metadata: { name: 'p', namespace: 'default' },
    })
    assert.equal([status?.phase, status?.podIPs], ['Running', [{ ip: '10.1.2.3' }]])
  }),
)

life('takes ephemeral containers through their own path only', () =>
  withServer(async server => {
    await create(server, 'p')
    const patch = { spec: { ephemeralContainers: [{ name: 'debug', image: 'i' }] } }
    assert.is((await refusal(podsOf(server).patch('p', patch))).code, 422)
    const { spec } = await podsOf(server).patch('p', patch, { type: 'strategic', subresource: 'ephemeralcontainers' })
    assert.equal(
      spec.ephemeralContainers?.map(({ name, terminationMessagePolicy }) => [name, terminationMessagePolicy]),
      [['debug', 'File']],
    )
  }),
)

const eviction = suite('eviction')
const evict = (server: TestServer, name: string, more: object = {}) =>
  podsOf(server).createSubresource(name, 'eviction', {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name },
    ...more,
  })
const dryRun = { deleteOptions: { dryRun: ['All'] } }
async function withBudget(server: TestServer, disruptionsAllowed: number): Promise<void> {
  const budgets = server.client
    .resource<ApiObject>({ group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' })
    .in('default')
  const made = await budgets.create({
    metadata: { name: 'b', namespace: 'default' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } },
  })
  const status = { observedGeneration: 1, disruptionsAllowed, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 }
  await budgets.updateSubresource('status', { ...made, status })
}
async function running(server: TestServer, ready = 'True', name = 'p'): Promise<void> {
  const made = await create(server, name)
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] }
  await podsOf(server).updateSubresource('status', { ...made, status } as StoredPod)
}

eviction('deletes a pod that no budget covers, in each version, and not in a dry run', () =>
  withServer(async server => {
    await running(server)
    await evict(server, 'p', dryRun)
    assert.ok(await podsOf(server).find('p'))
    assert.is((await refusal(evict(server, 'p', { deleteOptions: { dryRun: ['Some'] } }))).code, 400)
    assert.is((await refusal(evict(server, 'p', { apiVersion: 'policy/v2' }))).code, 400)
    await evict(server, 'p', { apiVersion: 'policy/v1beta1' })
    assert.is(await podsOf(server).find('p'), undefined)
  }),
)
eviction('deletes as the body says', () =>
  withServer(async server => {
    const { metadata } = await create(server, 'p')
    const deleting = (deleteOptions: object) => evict(server, 'p', { deleteOptions })
    assert.is((await refusal(deleting({ preconditions: { uid: 'another' } }))).code, 409)
    await deleting({ preconditions: { uid: metadata.uid }, propagationPolicy: 'Foreground' })
    assert.equal((await podsOf(server).get('p')).metadata.finalizers, ['foregroundDeletion'])
  }),
)
eviction('spends a disruption of the budget that covers it', () =>
  withServer(async server => {
    await running(server)
    await withBudget(server, 1)
    await evict(server, 'p')
    assert.is(await podsOf(server).find('p'), undefined)
    const budget = await server.client
      .resource<ApiObject & PodDisruptionBudget>({
        group: 'policy',
        version: 'v1',
        resource: 'poddisruptionbudgets',
      })
      .in('default')
      .get('b')
    assert.is(budget.status?.disruptionsAllowed, 0)
    assert.equal(Object.keys(budget.status?.disruptedPods ?? {}), ['p'])
    assert.equal(
      budget.status?.conditions?.map(({ type, status, reason }) => [type, status, reason]),
      [['DisruptionAllowed', 'False', 'InsufficientPods']],
    )
  }),
)
eviction('of many pods at once spends for each of them', () =>
  withServer(async server => {
    const names = Array.from({ length: 8 }, (_, i) => `p${i}`)
    for (const name of names) await running(server, 'True', name)
    await withBudget(server, names.length)
    await Promise.all(names.map(name => evict(server, name)))
    assert.equal((await podsOf(server).list()).items, [])
  }),
)
eviction('is refused when the budget is spent', () =>
  withServer(async server => {
    await running(server)
    await withBudget(server, 0)
    const { code, details } = await refusal(evict(server, 'p'))
    assert.equal([code, details?.causes?.[0]?.reason], [429, 'DisruptionBudget'])
    assert.is((await refusal(evict(server, 'p', dryRun))).code, 429)
    assert.ok(await podsOf(server).find('p'))
  }),
)
eviction('of a pod that is not ready costs nothing while enough others are', () =>
  withServer(async server => {
    await running(server, 'False')
    await withBudget(server, 0)
    await evict(server, 'p')
    assert.is(await podsOf(server).find('p'), undefined)
  }),
)
eviction('of a pod that never ran costs nothing', () =>
  withServer(async server => {
    await create(server, 'p')
    await withBudget(server, 0)
    await evict(server, 'p')
    assert.is(await podsOf(server).find('p'), undefined)
  }),
)

eviction('asks the budget for a pod that began to run just before it went', async () => {
  const podAt = (resourceVersion: string, phase: string) => ({
    metadata: { name: 'p', resourceVersion, labels: { app: 'a' } },
    status: { phase, conditions: [{ type: 'Ready', status: 'True' }] },
  })
  const budget = { metadata: { name: 'b' }, spec: { selector: {} }, status: { disruptionsAllowed: 0 } }
  const collection = { get: async () => podAt('2', 'Running'), list: async () => ({ items: [budget] }) }
  const asked: unknown[] = []
  const request = {
    name: 'p',
    namespace: 'default',
    body: { metadata: { name: 'p' } },
    target: podAt('1', 'Pending'),
    dryRun: false,
    now: 0,
    async deleteTarget({ preconditions }: { preconditions?: object }) {
      asked.push(preconditions)
      throw new ApiError(409, 'Conflict', 'it has changed')
    },
  }
  const client = { resource: () => ({ in: () => collection }) }
  const refused = await refusal(Promise.resolve(evictions.handlers.create(request as never, { client } as never)))
  assert.equal([refused.code, asked], [429, [{ resourceVersion: '1' }]])
})

life.run()
eviction.run()
