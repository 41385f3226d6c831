import { apps } from 'orch/plugins/apps'
import { batch } from 'orch/plugins/batch'
import { coordination } from 'orch/plugins/coordination'
import { events } from 'orch/plugins/events'
import { expressionLanguage } from 'orch/plugins/expressions'
import { namespaces } from 'orch/plugins/namespaces'
import { nodes } from 'orch/plugins/nodes'
import { simulation } from 'orch/plugins/simulation'
import { storage } from 'orch/plugins/storage'
import { workloads } from 'orch/plugins/workloads'
import { type ApiObject, kubernetesProfile, orchProfile, Vendor } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import type { Event, Lease, Pod } from 'orch/sdk/core'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { rejects } from '../support/rejects.js'

type StoredPod = ApiObject & Pod
type Node = ApiObject & {
  spec?: { taints?: { key: string }[] }
  status?: { conditions?: { type: string; status: string }[]; allocatable?: Record<string, string> }
}
const base = [namespaces, events, coordination, nodes, workloads, storage, expressionLanguage]
const plugins = [...base, apps, batch, simulation]
/** The defaults of options that are not set. */
const common = { cpu: '4', memory: '8Gi', pods: '20', 'ephemeral-storage': '1Ti' }
const limit = { timeoutMs: 60_000 }
const options = {
  simulateNodes: 2,
  simulatedNodeCapacity: { cpu: '4', memory: '8Gi', pods: '20' },
  simulatedNodeGroups: [
    { name: 'gpu', count: 1, capacity: { 'acme.test/gpu': '2' }, labels: { kind: 'gpu' }, zones: ['z1'] },
    { name: 'kept', count: 1, taints: [{ key: 'kept', value: 'yes', effect: 'NoSchedule' }] },
  ],
  simulationRules: [
    { match: { labels: { app: 'flaky' } }, runFor: '100ms', exitCode: 4, restarts: 1 },
    { match: { namespaces: ['default'], labels: { app: 'once' } }, runFor: '100ms', message: 'done' },
    { match: { labels: { app: 'slow-to-go' } }, stopAfter: '1h' },
  ],
}

for (const profile of [orchProfile, kubernetesProfile]) {
  const vendor = new Vendor(profile)
  const simulated = suite(`simulated nodes under the names of ${profile.name}`)
  let server: TestServer | undefined
  const collection = <T extends ApiObject>(resource: string, group = '') =>
    (server as TestServer).client.resource<T>({ group, version: 'v1', resource })
  const pods = (): ResourceClient<StoredPod> => collection<StoredPod>('pods').in('default')
  const aPod = (name: string, spec: Partial<Pod['spec']> = {}, metadata: ApiObject['metadata'] = {}) =>
    pods().create({
      metadata: { name, ...metadata },
      spec: { containers: [{ name: 'main', image: 'main:1' }], ...spec } as Pod['spec'],
    })
  const inPhase = (name: string, phase: string) => pods().waitFor(name, ({ status }) => status?.phase === phase, limit)
  const eventOf = (name: string, reason: string) =>
    eventually(`event ${reason} of ${name}`, async () => {
      const { items } = await collection<ApiObject & Event>('events').in('default').list()
      return items.find(event => event.involvedObject.name === name && event.reason === reason)
    })

  simulated.before(async () => {
    server = await startServer({ plugins, vendor: profile.name, options })
  })
  simulated.after(async () => {
    await server?.stop()
  })

  simulated('resize a Pod in place, and report resources that they do not have', async () => {
    const resources = (cpu: string) => ({ containers: [{ name: 'main', resources: { requests: { cpu } } }] })
    await aPod('grows', { containers: [{ name: 'main', image: 'main:1', ...resources('100m').containers[0] }] })
    const runsWith = ({ status }: StoredPod) => status?.containerStatuses?.[0]?.resources?.requests?.['cpu']
    const waitsFor = ({ status }: StoredPod) =>
      status?.conditions?.find(({ type }) => type === 'PodResizePending')?.reason
    const resize = (cpu: string) =>
      pods().patch('grows', { spec: resources(cpu) }, { type: 'strategic', subresource: 'resize' })
    await pods().waitFor('grows', pod => runsWith(pod) === '100m', limit)
    await resize('200m')
    await pods().waitFor('grows', pod => runsWith(pod) === '200m', limit)
    const { spec } = await pods().get('grows')
    const most = { name: 'main', image: 'main:1', ...resources('3').containers[0] }
    await aPod('neighbour', { nodeName: spec.nodeName ?? '', containers: [most] })
    await inPhase('neighbour', 'Running')
    await resize('2')
    const deferred = await pods().waitFor('grows', pod => waitsFor(pod) !== undefined, limit)
    assert.equal([waitsFor(deferred), runsWith(deferred)], ['Deferred', '200m'])
    await pods().delete('neighbour')
    await pods().waitFor('grows', pod => runsWith(pod) === '2' && waitsFor(pod) === undefined, limit)
    await pods().delete('grows')
  })

  simulated('register themselves, are ready and not tainted, and renew their leases', async () => {
    const all = collection<Node>('nodes')
    for (const name of ['node-1', 'node-2', 'gpu-1', 'kept-1']) {
      const node = await all.waitFor(name, ({ spec }) => (spec?.taints ?? []).every(({ key }) => key === 'kept'), limit)
      assert.is(node.status?.conditions?.find(({ type }) => type === 'Ready')?.status, 'True')
      assert.is(node.metadata.labels?.[vendor.qualify('hostname')], name)
    }
    const gpu = await all.get('gpu-1')
    assert.equal(gpu.status?.allocatable, { ...common, 'acme.test/gpu': '2' })
    assert.is(gpu.metadata.labels?.[vendor.qualify('zone', 'topology')], 'z1')
    const lease = await collection<ApiObject & Lease>('leases', vendor.group('coordination'))
      .in(profile.namespaces.nodeLease)
      .waitFor('node-1', ({ spec }) => spec?.renewTime !== undefined, limit)
    assert.equal([lease.spec?.holderIdentity, lease.spec?.leaseDurationSeconds], ['node-1', 40])
  })

  simulated('run a Pod: it is bound, has addresses, is ready, and has events about it', async () => {
    await aPod('plain')
    const pod = await inPhase('plain', 'Running')
    assert.match(pod.spec.nodeName ?? '', /^(node|gpu)-\d$/)
    assert.match(pod.status?.podIP ?? '', /^10\.64\./)
    assert.match(pod.status?.hostIP ?? '', /^172\.16\./)
    assert.ok(pod.status?.conditions?.every(({ status }) => status === 'True'))
    assert.is(pod.status?.conditions?.length, 4)
    for (const reason of ['Scheduled', 'Pulled', 'Created', 'Started']) await eventOf('plain', reason)
    const settled = (await pods().get('plain')).metadata.resourceVersion
    await aPod('another')
    await inPhase('another', 'Running')
    assert.is((await pods().get('plain')).metadata.resourceVersion, settled, 'nothing more is written')
  })

  simulated('leave a Pod that fits nowhere pending, with the reason; it runs when there is a node for it', async () => {
    await aPod('choosy', { nodeSelector: { disk: 'ssd' } })
    const isRefused = ({ status }: StoredPod) =>
      status?.conditions?.some(({ type, reason }) => type === 'PodScheduled' && reason === 'Unschedulable') ?? false
    const pod = await pods().waitFor('choosy', isRefused, limit)
    const why =
      "0/4 nodes are available: 1 node(s) had taint {kept: yes}, that the pod didn't tolerate, 3 node(s) didn't match Pod's node affinity/selector."
    assert.equal([pod.status?.phase, pod.status?.conditions?.[0]?.message], ['Pending', why])
    assert.equal((await eventOf('choosy', 'FailedScheduling')).message, why)
    await collection<Node>('nodes').create({
      metadata: {
        name: 'mine',
        labels: { disk: 'ssd' },
        annotations: { [vendor.qualify('node', 'simulation')]: 'true' },
      },
      status: { allocatable: { cpu: '1', memory: '1Gi', pods: '5' } },
    })
    assert.is((await inPhase('choosy', 'Running')).spec.nodeName, 'mine')
  })

  simulated('follow the rules: containers end, are restarted, and succeed', async () => {
    await aPod('flaky', {}, { labels: { app: 'flaky' } })
    const isBack = ({ status }: StoredPod) =>
      status?.containerStatuses?.[0]?.restartCount === 1 && status.containerStatuses[0].ready
    const flaky = await pods().waitFor('flaky', isBack, limit)
    assert.is(flaky.status?.containerStatuses?.[0]?.lastState?.terminated?.exitCode, 4)
    await aPod('once', { restartPolicy: 'Never' }, { labels: { app: 'once' } })
    const once = await inPhase('once', 'Succeeded')
    assert.is(once.status?.containerStatuses?.[0]?.state?.terminated?.message, 'done')
  })

  simulated('follow the annotations of a Pod, and report invalid ones', async () => {
    const annotation = vendor.qualify('behavior', 'simulation')
    const fails = '{"runFor":"50ms","exitCode":9}'
    await aPod('fails', { restartPolicy: 'Never' }, { annotations: { [annotation]: fails } })
    assert.is((await inPhase('fails', 'Failed')).status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 9)
    await aPod('misspelt', {}, { annotations: { [annotation]: '{"runsFor":"1s"}' } })
    await inPhase('misspelt', 'Running')
    assert.match((await eventOf('misspelt', 'InvalidBehavior')).message ?? '', 'invalid at /runsFor')
  })

  simulated('remove a deleted Pod immediately, or after its grace period if it takes that long', async () => {
    await aPod('leaving')
    await inPhase('leaving', 'Running')
    assert.ok((await pods().delete('leaving')).metadata.deletionTimestamp, 'it is given time')
    await pods().waitForDeletion('leaving', limit)
    await aPod('slow', { terminationGracePeriodSeconds: 1 }, { labels: { app: 'slow-to-go' } })
    await inPhase('slow', 'Running')
    await pods().delete('slow')
    assert.ok(await pods().find('slow'), 'it still exists')
    await pods().waitForDeletion('slow', limit)
  })

  simulated('preempt Pods for one with a higher priority', async () => {
    const onGpu = { nodeSelector: { kind: 'gpu' } }
    const asking = (count: number) =>
      [
        { name: 'main', image: 'i', resources: { limits: { 'acme.test/gpu': count } } },
      ] as unknown as Pod['spec']['containers']
    await collection('priorityclasses', vendor.group('scheduling')).create({
      metadata: { name: 'vip' },
      value: 1000,
    } as ApiObject)
    await aPod('low', { ...onGpu, containers: asking(2) })
    await inPhase('low', 'Running')
    await aPod('vip', { ...onGpu, containers: asking(1), priorityClassName: 'vip' })
    assert.is((await inPhase('vip', 'Running')).spec.nodeName, 'gpu-1')
    await pods().waitForDeletion('low', limit)
    await eventOf('low', 'Preempted')
  })

  simulated('provision volumes for claims, also for those that wait for a consumer', async () => {
    const classes = collection<ApiObject & { provisioner: string; volumeBindingMode: string }>(
      'storageclasses',
      vendor.group('storage'),
    )
    const simulatedClass = await classes.waitFor('simulated', () => true, limit)
    await classes.create({
      metadata: { name: 'late' },
      provisioner: simulatedClass.provisioner,
      volumeBindingMode: 'WaitForFirstConsumer',
    })
    const claims = collection<ApiObject & { spec: object; status?: { phase?: string } }>('persistentvolumeclaims').in(
      'default',
    )
    const resources = { requests: { storage: '1Gi' } }
    for (const storageClassName of ['simulated', 'late'])
      await claims.create({
        metadata: { name: storageClassName },
        spec: { accessModes: ['ReadWriteOnce'], resources, storageClassName },
      })
    const volumes = ['simulated', 'late'].map(claimName => ({ name: claimName, persistentVolumeClaim: { claimName } }))
    await aPod('stateful', { volumes: volumes as Pod['spec']['volumes'] })
    const { spec } = await inPhase('stateful', 'Running')
    const late = await claims.get('late')
    assert.equal(
      [late.status?.phase, late.metadata.annotations?.[vendor.qualify('selected-node', 'volume')]],
      ['Bound', spec.nodeName],
    )
    await pods().delete('stateful')
    await pods().waitForDeletion('stateful', limit)
    const { volumeName } = (await claims.get('simulated')).spec as { volumeName: string }
    await claims.delete('simulated')
    await collection('persistentvolumes').waitForDeletion(volumeName, limit)
  })

  simulated('run deployments and jobs to their end', async () => {
    const template = (extra: object = {}) => ({
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'main', image: 'main:1' }], ...extra },
    })
    const deployments = collection<ApiObject & { status?: { availableReplicas?: number } }>('deployments', 'apps').in(
      'default',
    )
    await deployments.create({
      metadata: { name: 'web' },
      spec: { replicas: 4, selector: { matchLabels: { app: 'web' } }, template: template() },
    } as ApiObject)
    await deployments.waitFor('web', ({ status }) => status?.availableReplicas === 4, limit)
    const jobs = collection<ApiObject & { status?: { succeeded?: number } }>('jobs', 'batch').in('default')
    await jobs.create({
      metadata: { name: 'work' },
      spec: { completions: 2, template: template({ restartPolicy: 'Never' }) },
    } as ApiObject)
    await jobs.waitFor('work', ({ status }) => status?.succeeded === 2, limit)
  })

  simulated.run()
}

const given = suite('the options of the simulation')
const refusals: Record<string, [options: object, message: RegExp]> = {
  'an invalid amount': [
    { simulatedNodeCapacity: { cpu: 'many' } },
    /simulatedNodeCapacity\.cpu: "many" is not a quantity/,
  ],
  'an invalid duration': [
    { simulationRules: [{ runFor: 'long' }] },
    /simulationRules\[0\]\.runFor: "long" is not a duration/,
  ],
  'a rule with a key that does not exist': [{ simulationRules: [{ exitcode: 1 }] }, /simulationRules\[0\]\.exitcode/],
  'an exit code out of range': [{ simulationRules: [{ exitCode: 300 }] }, /simulationRules\[0\]\.exitCode/],
  'two groups of one name': [
    {
      simulatedNodeGroups: [
        { name: 'a', count: 1 },
        { name: 'a', count: 1 },
      ],
    },
    /simulatedNodeGroups\[1\]\.name: other nodes are already named a-1/,
  ],
}
for (const [title, [wrong, message]] of Object.entries(refusals))
  given(`${title} fails the start with the path of the option`, async () => {
    const problem = await rejects(startServer({ plugins, options: { simulateNodes: 1, ...wrong } }))
    assert.match(String((problem as Error).message), message)
  })
given('without nodes nothing is simulated', async () => {
  const server = await startServer({ plugins })
  try {
    const pods = server.client.resource<StoredPod>({ group: '', version: 'v1', resource: 'pods' }).in('default')
    await pods.create({ metadata: { name: 'p' }, spec: { containers: [{ name: 'main', image: 'i' }] } as Pod['spec'] })
    assert.equal((await server.client.resource({ group: '', version: 'v1', resource: 'nodes' }).list()).items, [])
    assert.is((await pods.get('p')).status?.conditions, undefined)
  } finally {
    await server.stop()
  }
})
given.run()
