import type { ControllerDefinition } from 'orch/sdk'
import { type Metrics, services, UnavailableHere } from 'orch/sdk'
import { type Client, createClient } from 'orch/sdk/client'
import { duringTerm } from 'orch/sdk/controllers'
import { answer, FakeApi, fakeClock, fakeLogger } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { RootContainer } from '../container/root-container.js'
import { Registry } from '../registry/registry.js'
import { ControlLoops } from './control-loops.js'

const election = {
  leaseRef: { group: 'coordination.acme.test', version: 'v1', resource: 'leases' },
  namespace: 'sys',
  leaseName: 'loops',
  identity: 'me',
}
const things = { group: '', version: 'v1', resource: 'things' }
const noMetrics = { gauge: () => ({ set() {} }), counter: () => ({ inc() {} }) } as unknown as Metrics

function setUp(definitions: readonly Partial<ControllerDefinition>[], controllers = ['*'], elects = true) {
  const api = new FakeApi()
  const clock = fakeClock()
  const logger = fakeLogger()
  const registry = new Registry()
  const events: string[] = []
  const clients: Client[] = []
  const root = new RootContainer()
  const client = createClient({ transport: api.transport, clock })
  root.provide(services.metrics, noMetrics)
  root.provide(services.client, client)
  for (const [index, definition] of definitions.entries())
    registry.registrarFor('plugin').controller({
      name: `loop-${index}`,
      needs: { client: services.client },
      async start({ client: given }: { client: Client }) {
        clients.push(given)
        events.push(`start ${index}`)
        return async () => void events.push(`stop ${index}`)
      },
      ...definition,
    })
  const loops = new ControlLoops({
    registry,
    root,
    logger,
    clock,
    controllers,
    timeoutMs: 10_000,
    client,
    election: elects ? election : undefined,
    async forTerm(term) {
      const ofTerm = createClient({ transport: duringTerm(api.transport, term), clock })
      return { instead: () => new Map([[services.client, ofTerm]]), close: async () => void events.push('closed') }
    },
  })
  return { api, clock, logger, events, clients, client, loops }
}

const running = suite('running control loops')

running('without an election they run at once, with the usual client', async () => {
  const { loops, events, clients, client, api } = setUp([{}, {}], ['*'], false)
  await loops.start()
  assert.equal(events, ['start 0', 'start 1'])
  assert.ok(clients.every(given => given === client))
  await loops.stop()
  assert.equal(events.slice(2).sort(), ['stop 0', 'stop 1'])
  assert.equal(api.requests, [])
})
for (const controllers of [['-*'], [], ['*', '-loop-0']])
  running(`--controllers=${controllers} runs no loop and no election`, async () => {
    const { loops, events, api } = setUp([{}], controllers)
    await loops.start()
    await loops.stop()
    assert.equal([events, api.requests], [[], []])
  })
running('one that cannot run here is skipped with a warning, unless it is named', async () => {
  const start = () => {
    throw new UnavailableHere('give --key-file')
  }
  const { loops, events, logger } = setUp([{ start }, {}], ['*'], false)
  await loops.start()
  assert.equal(events, ['start 1'])
  assert.equal(logger.lines, [{ level: 'warn', message: 'controller skipped' }])
  await loops.stop()

  const named = setUp([{ start }], ['loop-0'], false)
  const failure = await named.loops.start().catch((error: Error) => error.message)
  assert.match(String(failure), /give --key-file/)
})
running(
  'a leader that loses the lease stops them, rejects their requests, and restarts them when it leads again',
  async () => {
    const { api, clock, loops, events, clients } = setUp([{}, {}])
    const started = loops.start()
    await clock.advance(0)
    await started
    assert.equal(events, ['start 0', 'start 1'])
    await clients[0]!
      .resource(things)
      .in('a')
      .create({ metadata: { name: 'x' } })
    api.intercept = ({ path }) => (path.includes('/leases') ? answer(500, {}) : undefined)
    await clock.advance(10_500)
    assert.equal(events.slice(2).sort(), ['closed', 'stop 0', 'stop 1'])
    const refused = clients[0]!
      .resource(things)
      .in('a')
      .create({ metadata: { name: 'y' } })
    assert.match(String(await refused.catch((error: Error) => error.message)), /no longer the leader/)
    api.intercept = undefined
    await clock.advance(5_000)
    assert.equal(events.slice(5), ['start 0', 'start 1'])
    await clients[2]!
      .resource(things)
      .in('a')
      .create({ metadata: { name: 'y' } })
    const stopped = loops.stop()
    await clock.advance(0)
    await stopped
    assert.equal(events.slice(7).sort(), ['closed', 'stop 0', 'stop 1'])
  },
)
running('the start of a process does not wait for another leader', async () => {
  const { api, clock, loops, events } = setUp([{}])
  api.put('/apis/coordination.acme.test/v1/namespaces/sys/leases', {
    metadata: { name: 'loops' },
    spec: { holderIdentity: 'other', leaseDurationSeconds: 15 },
  })
  const started = loops.start()
  await clock.advance(0)
  await started
  assert.equal(events, [])
  const stopped = loops.stop()
  await clock.advance(0)
  await stopped
})
running('one that cannot start fails the start of a process that leads at once', async () => {
  const start = () => {
    throw new Error('the key file is broken')
  }
  const { clock, loops, events } = setUp([{}, { start }])
  const failure = loops.start().catch((error: Error) => error.message)
  await clock.advance(0)
  assert.match(String(await failure), /ORCH_START_FAILED.*the key file is broken/)
  assert.equal(events.slice(0, 3), ['start 0', 'stop 0', 'closed'])
  const stopped = loops.stop()
  await clock.advance(0)
  await stopped
})
for (const elects of [false, true])
  running(
    `an unhandled rejection restarts them${elects ? ' within the term of the leader' : ''}, with backoff`,
    async () => {
      const { clock, loops, events, logger } = setUp([{}, {}], ['*'], elects)
      const started = loops.start()
      await clock.advance(0)
      await started
      assert.ok(loops.restartAfter(new Error('unhandled')))
      assert.ok(loops.restartAfter(new Error('one restart is enough for both')))
      await clock.advance(1_000)
      assert.equal(events.slice(2, 4).sort(), ['stop 0', 'stop 1'])
      assert.equal(events.slice(4), ['start 0', 'start 1'])
      loops.restartAfter(new Error('again'))
      await clock.advance(3_900)
      assert.is(events.length, 6)
      await clock.advance(100)
      assert.equal(events.slice(8), ['start 0', 'start 1'])
      assert.is(logger.lines.filter(({ level }) => level === 'error').length, 3)
      const stopped = loops.stop()
      await clock.advance(0)
      await stopped
      assert.not(loops.restartAfter(new Error('nothing is running')))
    },
  )
running('stopping during the start starts no more of them', async () => {
  let finish: (stop: () => Promise<void>) => void = () => {}
  const start = () => new Promise<() => Promise<void>>(resolve => void (finish = resolve))
  const { clock, loops, events } = setUp([{ start }, {}])
  const started = loops.start()
  await clock.advance(0)
  const stopped = loops.stop()
  finish(async () => void events.push('stop slow'))
  await clock.advance(0)
  await Promise.all([started, stopped])
  assert.equal(events, ['stop slow', 'closed'])
})

running.run()
