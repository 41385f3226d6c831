import { ApiError, type ApiObject, definePlugin, defineStartTask } from 'orch/sdk'
import { type Pod, type PodLogQuery, podLogs } from 'orch/sdk/core'
import { fakeClock, startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bindings } from '../bindings/resource.js'
import { podLogService } from './connections.js'
import { pods } from './resource.js'
import { podStreamService, streamSubresources } from './streams.js'

const plugin = definePlugin({
  name: 'pods-under-test',
  register(to, { vendor }) {
    to.service(podLogService, podStreamService)
    const features = { needsCreate: true, closesStreams: true, tunnels: true }
    const streams = streamSubresources(vendor, features, { maxStreamConnections: 2, streamIdleTimeout: '1m' })
    to.resource(pods(vendor, streams), bindings)
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

life('a binding assigns it to a node only once', () =>
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

life('a binding ends its nomination for another node, from 1.35 on', async () => {
  for (const [kubernetesVersion, left] of [
    ['1.34', 'n2'],
    ['1.35', undefined],
  ] as const) {
    const server = await startServer({ vendor: 'kubernetes', kubernetesVersion, plugins: [plugin] })
    try {
      const made = await create(server, 'p')
      await podsOf(server).updateSubresource('status', {
        ...made,
        status: { ...made.status, nominatedNodeName: 'n2' },
      })
      const target = { kind: 'Node', name: 'n1' }
      await podsOf(server).createSubresource('p', 'binding', { metadata: { name: 'p' }, target })
      assert.is((await podsOf(server).get('p')).status?.nominatedNodeName, left)
    } finally {
      await server.stop()
    }
  }
})

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

life('a grace period that is shortened too late ends now', async () => {
  const clock = fakeClock()
  for (const [kubernetesVersion, ends, left] of [
    ['1.32', 10_000, 10],
    ['1.33', 20_000, 1],
  ] as const) {
    const server = await startServer({ plugins: [plugin], vendor: 'kubernetes', kubernetesVersion, clock })
    try {
      await create(server, 'p', { spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] } })
      const start = clock.now()
      await podsOf(server).delete('p', { gracePeriodSeconds: 60 })
      await clock.advance(20_000)
      const { metadata } = (await podsOf(server).delete('p', { gracePeriodSeconds: 10 })) as StoredPod
      assert.is(Date.parse(metadata.deletionTimestamp ?? '') - start, ends, kubernetesVersion)
      assert.is(metadata.deletionGracePeriodSeconds, left)
    } finally {
      await server.stop()
    }
  }
})

life('on a node it remains after its deletion until the node agent confirms', () =>
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
    assert.is(last.metadata.deletionGracePeriodSeconds, 0, 'it is marked before it is removed')
    assert.is(await podsOf(server).find('p'), undefined)
  }),
)

life('without a node it is deleted immediately', () =>
  withServer(async server => {
    await create(server, 'p')
    const answer = await podsOf(server).delete('p')
    assert.is(answer.spec.containers.length, 1)
    assert.is(await podsOf(server).find('p'), undefined)
  }),
)

life('its status is written only through the subresource', () =>
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

life('ephemeral containers are added only through the subresource', () =>
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

life('its log is streamed from its source until the reader disconnects', async () => {
  const ended = new Set<string>()
  const runner = definePlugin({
    name: 'runner',
    requires: ['pods-under-test'],
    register(to) {
      const start = defineStartTask({
        name: 'run pods',
        needs: { logs: podLogs },
        run({ logs }) {
          logs.add({ read: ({ spec }, query, signal) => (spec.nodeName === 'ours' ? lines(query, signal) : undefined) })
        },
      })
      to.onStart(start)
    },
  })
  async function* lines({ container, follow, tailLines }: PodLogQuery, signal: AbortSignal) {
    try {
      yield `${container} ${tailLines ?? 'all'}\n`
      if (follow) await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
    } finally {
      ended.add(container)
    }
  }
  const server = await startServer({ plugins: [plugin, runner] })
  try {
    const containers = ['a', 'b'].map(name => ({ name, image: 'i' }))
    await create(server, 'p', { spec: { nodeName: 'ours', containers } })
    await create(server, 'q', { spec: { nodeName: 'theirs', containers } })
    const of = (pod: string, query: string, signal?: AbortSignal) =>
      fetch(`${server.baseUrl}/api/v1/namespaces/default/pods/${pod}/log?${query}`, {
        headers: { authorization: `Bearer ${server.token}` },
        ...(signal ? { signal } : {}),
      })
    const whole = await of('p', 'container=a&tailLines=3')
    assert.equal([whole.status, whole.headers.get('content-type'), await whole.text()], [200, 'text/plain', 'a 3\n'])
    assert.is((await of('q', 'container=a')).status, 500)
    const reader = new AbortController()
    const followed = await of('p', 'container=b&follow=true', reader.signal)
    const first = await followed.body?.getReader().read()
    assert.is(Buffer.from(first?.value ?? []).toString(), 'b all\n')
    assert.not.ok(ended.has('b'))
    reader.abort()
    for (const until = Date.now() + 20_000; !ended.has('b') && Date.now() < until; )
      await new Promise(resolve => setTimeout(resolve, 10))
    assert.ok(ended.has('b'), 'the source was notified that the reader is gone')
  } finally {
    await server.stop()
  }
})

life.run()
