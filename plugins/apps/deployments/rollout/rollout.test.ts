import { type ApiObject, definePlugin, defineResource, Kind, orchProfile } from 'orch/sdk'
import { Event, Pod } from 'orch/sdk/core'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { apps } from '../../plugin.js'
import { replicaSetCollection } from '../../replica-sets/schema.js'
import { type DeploymentSpec, deploymentCollection } from '../schema.js'
import type { StoredDeployment, StoredReplicaSet } from './rollout.js'

const nodeType = defineResource({
  group: '',
  kind: 'Node',
  resource: 'nodes',
  namespaced: false,
  versions: [{ name: 'v1', schema: Kind('core.v1.Node', {}) }],
})
const common = { group: '', namespaced: true }
const neighbours = [
  definePlugin({ name: 'namespaces', register: () => {} }),
  definePlugin({
    name: 'nodes',
    register: to => to.resource(nodeType),
  }),
  definePlugin({
    name: 'workloads',
    register(to) {
      to.resource(
        defineResource({ ...common, kind: 'Pod', resource: 'pods', versions: [{ name: 'v1', schema: Pod }] }),
        defineResource({ ...common, kind: 'Event', resource: 'events', versions: [{ name: 'v1', schema: Event }] }),
      )
    },
  }),
]
const revision = 'deployment.acme.test/revision'
type StoredPod = Pod & ApiObject

/** A server with the loops, and a node agent that makes every Pod ready except those with the image `broken`. */
async function withCluster(test: (made: Awaited<ReturnType<typeof cluster>>) => Promise<void>): Promise<void> {
  const vendor = { ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'acme.test' }
  const server = await startServer({ plugins: [...neighbours, apps], vendor })
  const made = await cluster(server)
  try {
    await test(made)
  } finally {
    made.stop()
    await server.stop()
  }
}
async function cluster({ client }: TestServer) {
  const pods = client.resource<StoredPod>({ group: '', version: 'v1', resource: 'pods' }).in('town')
  const deployments = client.resource<StoredDeployment>(deploymentCollection).in('town')
  const replicaSets = client.resource<StoredReplicaSet>(replicaSetCollection).in('town')
  const ended = new AbortController()
  let most = 0
  const live = new Map<string, boolean>()
  const agent = (async () => {
    for await (const event of pods.watchWithResume({ signal: ended.signal })) {
      if (event.type === 'RELISTED') continue
      const { metadata, spec, status } = event.object
      const name = metadata.name ?? ''
      if (event.type === 'DELETED') live.delete(name)
      else live.set(name, status?.phase === 'Running')
      most = Math.max(most, live.size)
      if (event.type !== 'ADDED' || spec.containers[0]?.image === 'broken') continue
      const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z' }]
      await pods.patch(name, { status: { phase: 'Running', conditions } }).catch(() => {})
    }
  })().catch(() => {})
  return {
    pods,
    deployments,
    replicaSets,
    mostPods: () => most,
    stop: () => {
      ended.abort()
      return agent
    },
  }
}

const labels = { app: 'web' }
const aDeployment = (spec: Partial<DeploymentSpec> & { image?: string } = {}): StoredDeployment => {
  const { image = 'v1', ...more } = spec
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image }] } }
  return {
    metadata: { name: 'web', namespace: 'town' },
    spec: { selector: { matchLabels: labels }, template, ...more },
  }
}
const setImage = (image: string) => ({ spec: { template: { spec: { containers: [{ name: 'c', image }] } } } })
const isRolledOut =
  (replicas: number, updated = replicas) =>
  ({ metadata, status }: StoredDeployment) =>
    status?.observedGeneration === metadata.generation &&
    status?.replicas === replicas &&
    status?.updatedReplicas === updated &&
    status?.availableReplicas === replicas
const waiting = { timeoutMs: 60_000 }

const rollout = suite('the rollout of a deployment')

rollout('replaces Pods within its limits, and rolls back', () =>
  withCluster(async ({ deployments, replicaSets, pods, mostPods }) => {
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }
    await deployments.create(aDeployment({ replicas: 4, strategy }))
    await deployments.waitFor('web', isRolledOut(4), waiting)
    await deployments.patch('web', setImage('v2'))
    const second = await deployments.waitFor('web', isRolledOut(4), waiting)
    assert.is(second.metadata.annotations?.[revision], '2')
    assert.ok(mostPods() <= 5, `${mostPods()} Pods at once`)
    const images = (await pods.list()).items.map(({ spec }) => spec.containers[0]?.image)
    assert.equal(images, ['v2', 'v2', 'v2', 'v2'])
    await deployments.patch('web', setImage('v1'))
    const third = await deployments.waitFor('web', isRolledOut(4), waiting)
    assert.is(third.metadata.annotations?.[revision], '3')
    const sets = (await replicaSets.list()).items
    assert.equal(sets.map(({ metadata, spec }) => [metadata.annotations?.[revision], spec?.replicas]).sort(), [
      ['2', 0],
      ['3', 4],
    ])
    const progress = third.status?.conditions?.find(({ type }) => type === 'Progressing')
    assert.is(progress?.reason, 'NewReplicaSetAvailable')
  }),
)

rollout('stops if new Pods fail, scales proportionally, and does nothing while paused', () =>
  withCluster(async ({ deployments, replicaSets }) => {
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } }
    await deployments.create(aDeployment({ replicas: 4, strategy, progressDeadlineSeconds: 2 }))
    await deployments.waitFor('web', isRolledOut(4), waiting)
    await deployments.patch('web', setImage('broken'))
    const isLate = ({ status }: StoredDeployment) =>
      (status?.conditions ?? []).some(({ reason }) => reason === 'ProgressDeadlineExceeded')
    const late = await deployments.waitFor('web', isLate, waiting)
    assert.equal([late.status?.availableReplicas, late.status?.updatedReplicas], [4, 2])
    await deployments.patch('web', { spec: { replicas: 10 } })
    const sizes = async () => {
      const sets = (await replicaSets.list()).items
      return sets.map(({ spec }) => spec?.replicas).sort((a = 0, b = 0) => a - b)
    }
    await deployments.waitFor('web', ({ status }) => status?.replicas === 12, waiting)
    assert.equal(await sizes(), [4, 8])
    await deployments.patch('web', { spec: { paused: true } })
    await deployments.patch('web', setImage('v3'))
    await deployments.waitFor(
      'web',
      ({ metadata, status }) => status?.observedGeneration === metadata.generation,
      waiting,
    )
    assert.is((await replicaSets.list()).items.length, 2)
    await deployments.patch('web', { spec: { paused: false } })
    await deployments.waitFor('web', isRolledOut(10), waiting)
  }),
)

rollout('recreates all Pods together, and keeps the configured number of old sets', () =>
  withCluster(async ({ deployments, replicaSets, mostPods }) => {
    const strategy = { type: 'Recreate' }
    await deployments.create(aDeployment({ replicas: 3, strategy, revisionHistoryLimit: 1 }))
    await deployments.waitFor('web', isRolledOut(3), waiting)
    for (const image of ['v2', 'v3', 'v4']) {
      await deployments.patch('web', setImage(image))
      await deployments.waitFor('web', isRolledOut(3), waiting)
    }
    assert.is(mostPods(), 3)
    for (let i = 0; i < 500 && (await replicaSets.list()).items.length > 2; i++)
      await new Promise(resolve => setTimeout(resolve, 20))
    const kept = (await replicaSets.list()).items.map(({ metadata }) => metadata.annotations?.[revision])
    assert.equal(kept.sort(), ['3', '4'])
  }),
)

rollout.run()
