import {
  ApiError,
  type ApiObject,
  definePlugin,
  defineResource,
  kubernetesProfile,
  profileAtVersion,
  Vendor,
  type VendorProfile,
} from 'orch/sdk'
import { Pod } from 'orch/sdk/core'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { disruption } from '../plugin.js'
import type { PodDisruptionBudget } from '../pod-disruption-budgets/schema.js'
import { eviction as evictions } from './eviction.js'

/** Stand in for the required plugins. */
const namespaces = definePlugin({ name: 'namespaces', register() {} })
const workloads = definePlugin({
  name: 'workloads',
  register: to =>
    to.resource(
      defineResource({
        group: '',
        kind: 'Pod',
        resource: 'pods',
        namespaced: true,
        versions: [{ name: 'v1', schema: Pod }],
        subresources: { status: { kind: 'update', strategy: {} } },
      }),
    ),
})
type StoredPod = ApiObject & Pod
const nodes = definePlugin({ name: 'nodes', register() {} })
const core = (resource: string) => ({ group: '', version: 'v1', resource })

async function withServer(test: (server: TestServer) => Promise<void>): Promise<void> {
  // The tests set the status of budgets; the loop would overwrite it.
  const options = { controllers: ['-disruption', '-taint-eviction-controller'] }
  const server = await startServer({ plugins: [namespaces, nodes, workloads, disruption], options })
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
eviction('uses the delete options of the body', () =>
  withServer(async server => {
    const { metadata } = await create(server, 'p')
    const deleting = (deleteOptions: object) => evict(server, 'p', { deleteOptions })
    assert.is((await refusal(deleting({ preconditions: { uid: 'another' } }))).code, 409)
    const unreadable = { ignoreStoreReadErrorWithClusterBreakingPotential: true }
    assert.is(
      (await refusal(deleting(unreadable))).details?.causes?.[0]?.field,
      `deleteOptions.${Object.keys(unreadable)}`,
    )
    const before = await podsOf(server).get('p')
    const { code, details } = await refusal(deleting({ propagationPolicy: 'Sideways' }))
    assert.equal(await podsOf(server).get('p'), before, 'the Pod is not marked')
    assert.equal([code, details?.kind, details?.causes?.[0]?.field], [422, 'DeleteOptions', 'propagationPolicy'])
    await deleting({ preconditions: { uid: metadata.uid }, propagationPolicy: 'Foreground' })
    assert.equal((await podsOf(server).get('p')).metadata.finalizers, ['foregroundDeletion'])
  }),
)
eviction('uses a disruption of the budget that covers the Pod', () =>
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
eviction('of many Pods at once uses a disruption for each', () =>
  withServer(async server => {
    const names = Array.from({ length: 8 }, (_, i) => `p${i}`)
    for (const name of names) await running(server, 'True', name)
    await withBudget(server, names.length)
    await Promise.all(names.map(name => evict(server, name)))
    assert.equal((await podsOf(server).list()).items, [])
  }),
)
eviction('is rejected when the budget is exhausted', () =>
  withServer(async server => {
    await running(server)
    await withBudget(server, 0)
    const { code, details } = await refusal(evict(server, 'p'))
    assert.equal([code, details?.causes?.[0]?.reason], [429, 'DisruptionBudget'])
    assert.is((await refusal(evict(server, 'p', dryRun))).code, 429)
    assert.ok(await podsOf(server).find('p'))
  }),
)
eviction('of a Pod that is not ready uses no disruption while enough others are ready', () =>
  withServer(async server => {
    await running(server, 'False')
    await withBudget(server, 0)
    await evict(server, 'p')
    assert.is(await podsOf(server).find('p'), undefined)
  }),
)
eviction('of a Pod that never ran uses no disruption', () =>
  withServer(async server => {
    await create(server, 'p')
    await withBudget(server, 0)
    await evict(server, 'p')
    assert.is(await podsOf(server).find('p'), undefined)
  }),
)

eviction('checks the budget for a Pod that started just before its deletion', async () => {
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
    checkDeletion() {},
    async deleteTarget({ preconditions }: { preconditions?: object }) {
      asked.push(preconditions)
      throw new ApiError(409, 'Conflict', 'it has changed')
    },
  }
  const client = { resource: () => ({ in: () => collection }) }
  const before = new Vendor(profileAtVersion(kubernetesProfile, '1.25') as VendorProfile)
  const handlers = evictions(before).handlers
  const refused = await refusal(Promise.resolve(handlers.create!(request as never, { client } as never)))
  assert.equal([refused.code, asked], [429, [{ resourceVersion: '1' }]])
})

eviction('sets a condition with the reason on the Pod', () =>
  withServer(async server => {
    await create(server, 'p', { metadata: { name: 'p', namespace: 'default', finalizers: ['a.b/c'] } })
    await evict(server, 'p')
    const marked = await podsOf(server).get('p')
    const [condition] = marked.status?.conditions ?? []
    assert.is(condition?.type, 'DisruptionTarget')
    assert.equal([condition?.status, condition?.reason], ['True', 'EvictionByEvictionAPI'])
    assert.ok(marked.metadata.deletionTimestamp)
    const other = { preconditions: { uid: 'another' } }
    assert.is((await refusal(evict(server, 'p', { deleteOptions: other }))).details?.kind, 'Pod')
  }),
)
eviction('of a Pod that is not ready is always allowed with the policy AlwaysAllow', () =>
  withServer(async server => {
    await running(server, 'False')
    const budgets = server.client.resource<ApiObject>(budgetCollection).in('default')
    const made = await budgets.create({
      metadata: { name: 'b', namespace: 'default' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } },
    })
    const status = {
      observedGeneration: 1,
      disruptionsAllowed: 0,
      currentHealthy: 0,
      desiredHealthy: 1,
      expectedPods: 1,
    }
    await budgets.updateSubresource('status', { ...made, status })
    assert.is((await refusal(evict(server, 'p'))).code, 429)
    await budgets.patch('b', { spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' } })
    await evict(server, 'p')
    assert.is(await podsOf(server).find('p'), undefined)
  }),
)
const budgetCollection = { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' }

eviction.run()
