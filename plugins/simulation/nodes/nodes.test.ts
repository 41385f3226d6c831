import { kubernetesProfile, Vendor } from 'orch/sdk'
import { createClient } from 'orch/sdk/client'
import { FakeApi, fakeClock, fakeLogger } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { limitedEvents } from '../limited-events.js'
import { simulationNames } from '../names.js'
import { taintsFor } from './controller.js'
import { Heartbeats } from './heartbeats.js'
import type { SimulatedNode } from './node-objects.js'

const names = simulationNames(new Vendor(kubernetesProfile))

const tainted = suite('the taints of a simulated node')
const isReady = (status: string) => ({ conditions: [{ type: 'Ready', status }] })
const own = (name: string) => ({ key: names.nodeTaint(name), effect: 'NoSchedule' })
const foreign = { key: 'team', value: 'a', effect: 'NoSchedule' }
const cases: Record<string, [node: Pick<SimulatedNode, 'spec' | 'status'>, wanted: object[] | undefined]> = {
  'that is ready loses its initial taint': [
    { spec: { taints: [own('not-ready'), foreign] }, status: isReady('True') },
    [foreign],
  ],
  'that is not ready has a taint': [{ spec: {}, status: isReady('False') }, [own('not-ready')]],
  'that does not report has a taint': [
    { spec: { taints: [own('not-ready')] }, status: isReady('Unknown') },
    [own('unreachable')],
  ],
  'that is unschedulable has a taint': [
    { spec: { unschedulable: true }, status: isReady('True') },
    [own('unschedulable')],
  ],
  'that is under pressure has a taint': [
    { spec: {}, status: { conditions: [{ type: 'MemoryPressure', status: 'True' }] } },
    [own('memory-pressure')],
  ],
  'stay unchanged when they are correct': [
    { spec: { taints: [foreign, own('not-ready')] }, status: isReady('False') },
    undefined,
  ],
}
for (const [title, [node, wanted]] of Object.entries(cases))
  tainted(title, () => assert.equal(taintsFor({ metadata: { name: 'n' }, ...node }, names), wanted))
tainted.run()

/** An API in memory with the leases of `count` nodes, each renewed once. */
async function beating(count: number) {
  const api = new FakeApi()
  const clock = fakeClock()
  const client = createClient({ transport: api.transport, clock })
  const leases = client.resource(names.leases).in('leases') as never
  const heartbeats = new Heartbeats({ clock, logger: fakeLogger(), leases, intervalMs: 10_000 })
  for (let i = 0; i < count; i++) heartbeats.add({ metadata: { name: `n${i}`, uid: `u${i}` } })
  const renewals = () => api.requests.filter(request => request.startsWith('PATCH')).length
  const settle = async () => {
    for (let turn = 0; turn < 200 && renewals() < count; turn++) await new Promise(resolve => setImmediate(resolve))
  }
  await settle()
  return { api, clock, heartbeats, renewals }
}

const heartbeats = suite('heartbeats of simulated nodes')
heartbeats('create a lease and renew it at the configured interval', async () => {
  const { api, clock, heartbeats: beats, renewals } = await beating(2)
  assert.is(api.requests.filter(request => request.startsWith('POST')).length, 2)
  await clock.advance(10_000)
  const before = renewals()
  await clock.advance(30_000)
  assert.is(renewals() - before, 6)
  await beats.stop()
  assert.is(clock.pending, 0)
})
heartbeats('of many nodes are limited to ten per second', async () => {
  const { clock, heartbeats: beats, renewals } = await beating(400)
  assert.is(beats.intervalMs, 40_000)
  const before = renewals()
  await clock.advance(10_000)
  assert.ok(renewals() - before <= 100, `${renewals() - before} in ten seconds`)
  beats.remove('n0')
  assert.is(beats.intervalMs, 39_900)
  await beats.stop()
})
heartbeats.run()

const events = suite('events of simulated nodes')
events('are dropped above the rate limit, warnings last, and are recorded again later', async () => {
  const api = new FakeApi()
  const clock = fakeClock()
  const recorder = limitedEvents(
    { client: createClient({ transport: api.transport, clock }), clock, logger: fakeLogger() },
    'agent',
  )
  const record = async (type: 'Normal' | 'Warning', times: number) => {
    const before = api.requests.length
    for (let i = 0; i < times; i++)
      await recorder.record(
        { kind: 'Pod', metadata: { name: `${type}${before}-${i}`, namespace: 'town' } },
        type,
        'Said',
        'it',
      )
    return api.requests.length - before
  }
  const normal = await record('Normal', 500)
  assert.ok(normal > 20 && normal < 100, String(normal))
  assert.ok((await record('Warning', 10)) === 10)
  await clock.advance(60_000)
  assert.ok((await record('Normal', 10)) === 10)
})
events.run()
