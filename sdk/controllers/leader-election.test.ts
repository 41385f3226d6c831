import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createClient } from '../client/create-client.js'
import type { Clock, Metrics } from '../plugin/basic-services.js'
import { answer, FakeApi } from '../testing/fake-api.js'
import { fakeClock } from '../testing/fake-clock.js'
import { fakeLogger } from '../testing/fake-logger.js'
import { withLeaderElection } from './leader-election.js'
import type { LeaderTerm } from './leader-term.js'

const leaseRef = { group: 'coordination.acme.test', version: 'v1', resource: 'leases' }
const specOf = (api: FakeApi) => (api.get(path)?.['spec'] ?? {}) as Record<string, unknown>
const path = '/apis/coordination.acme.test/v1/namespaces/sys/leases/loops'

function setUp() {
  const api = new FakeApi()
  const clock = fakeClock()
  const leading = new Set<string>()
  const log: string[] = []
  const join = (identity: string) => {
    // Each has its own transport, so that a single one can be disconnected.
    let isCutOff = false
    let isHanging = false
    const client = createClient({
      transport: request => {
        if (isHanging) return new Promise(() => {})
        return isCutOff ? Promise.resolve(answer(500, {})) : api.transport(request)
      },
      clock,
    })
    const stop = withLeaderElection(
      { client, clock, leaseRef, namespace: 'sys', leaseName: 'loops', identity },
      async () => {
        leading.add(identity)
        log.push(`${identity} leads`)
        assert.is(leading.size, 1, 'one leader at a time')
        return async () => {
          leading.delete(identity)
          log.push(`${identity} stops`)
        }
      },
    )
    return {
      stop,
      cutOff: (cut: boolean) => {
        isCutOff = cut
      },
      hang: () => {
        isHanging = true
      },
    }
  }
  return { api, clock, join, log }
}

const election = suite('leader election')

election('one leads and the others wait', async () => {
  const { api, clock, join, log } = setUp()
  const a = join('a')
  await clock.advance(0)
  const b = join('b')
  await clock.advance(60_000)
  assert.equal(log, ['a leads'])
  const spec = specOf(api)
  assert.is(spec['holderIdentity'], 'a')
  assert.is(spec['leaseDurationSeconds'], 15)
  assert.is(spec['leaseTransitions'], 0)
  assert.match(String(spec['renewTime']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  await a.stop()
  await b.stop()
  assert.is(clock.pending, 0)
})
election('a leader that stops waits for a server that does not answer, but not for long', async () => {
  const { clock, join, log } = setUp()
  const a = join('a')
  await clock.advance(0)
  a.hang()
  let isStopped = false
  const stopped = a.stop().then(() => {
    isStopped = true
  })
  await clock.advance(4_000)
  assert.not(isStopped)
  await clock.advance(2_000)
  await stopped
  assert.equal(log, ['a leads', 'a stops'])
})
election('a leader that stops releases the Lease at once', async () => {
  const { api, clock, join, log } = setUp()
  const a = join('a')
  await clock.advance(0)
  const b = join('b')
  await clock.advance(5_000)
  await a.stop()
  await clock.advance(3_000)
  assert.equal(log, ['a leads', 'a stops', 'b leads'])
  assert.is(specOf(api)['leaseTransitions'], 1)
  await b.stop()
})
election('a leader that is cut off stops before another takes over', async () => {
  const { clock, join, log } = setUp()
  const a = join('a')
  await clock.advance(0)
  const b = join('b')
  await clock.advance(5_000)
  a.cutOff(true)
  await clock.advance(60_000)
  assert.equal(log, ['a leads', 'a stops', 'b leads'])
  a.cutOff(false)
  await clock.advance(60_000)
  assert.equal(log, ['a leads', 'a stops', 'b leads'], 'it waits its turn')
  await a.stop()
  await b.stop()
  assert.is(clock.pending, 0)
})
election('a server that hangs costs the leadership in time', async () => {
  const { api, clock, join, log } = setUp()
  const a = join('a')
  await clock.advance(1_000)
  api.intercept = () => new Promise(() => {})
  await clock.advance(14_000)
  assert.equal(log, ['a leads', 'a stops'])
  api.intercept = undefined
  await clock.advance(30_000)
  await a.stop()
})
election('work that fails to start releases the Lease and is retried', async () => {
  const api = new FakeApi()
  const clock = fakeClock()
  const client = createClient({ transport: api.transport, clock })
  let attempts = 0
  const stop = withLeaderElection(
    { client, clock, leaseRef, namespace: 'sys', leaseName: 'loops', identity: 'a' },
    async () => {
      if (++attempts === 1) throw new Error('no')
      return async () => {}
    },
  )
  await clock.advance(10_000)
  assert.is(attempts, 2)
  await stop()
})
election('a leader that stops may finish what it began, but not beyond its Lease', async () => {
  const api = new FakeApi()
  const clock = fakeClock()
  const client = createClient({ transport: api.transport, clock })
  let term: LeaderTerm | undefined
  const stop = withLeaderElection(
    { client, clock, leaseRef, namespace: 'sys', leaseName: 'loops', identity: 'a' },
    async given => {
      term = given
      // Work that ends only when it is cut off.
      return () => new Promise(resolve => given.ended.addEventListener('abort', () => resolve()))
    },
  )
  await clock.advance(1_000)
  const stopping = stop()
  await clock.advance(5_000)
  assert.ok(term?.isCurrent())
  assert.is(specOf(api)['holderIdentity'], 'a')
  await clock.advance(5_000)
  await stopping
  assert.not.ok(term?.isCurrent())
  assert.is(specOf(api)['holderIdentity'], '')
})
election('a term is over when its Lease was not renewed in time, even before a timer fires', async () => {
  const api = new FakeApi()
  const clock = fakeClock()
  let now = 0
  // Time passes without any timer, as when the whole process was paused.
  const paused: Clock = { now: () => clock.now() + now, after: (ms, call) => clock.after(ms, call) }
  const client = createClient({ transport: api.transport, clock })
  let term: LeaderTerm | undefined
  const stop = withLeaderElection(
    { client, clock: paused, leaseRef, namespace: 'sys', leaseName: 'loops', identity: 'a' },
    async given => {
      term = given
      return async () => {}
    },
  )
  await clock.advance(0)
  assert.ok(term?.isCurrent())
  now = 10_000
  assert.not.ok(term?.isCurrent())
  await stop()
})
election('shows the leader as a gauge, and logs whom the others wait for', async () => {
  const api = new FakeApi()
  const clock = fakeClock()
  const client = createClient({ transport: api.transport, clock })
  const shown: string[] = []
  const metrics = {
    gauge: (name: string) => ({
      set: (value: number, labels: object) => shown.push(`${name} ${JSON.stringify(labels)} ${value}`),
    }),
  } as unknown as Metrics
  const logger = fakeLogger()
  const options = { client, clock, leaseRef, namespace: 'sys', leaseName: 'loops' }
  const stop = withLeaderElection({ ...options, metrics, identity: 'a' }, async () => async () => {})
  await clock.advance(0)
  let rounds = 0
  const stopOther = withLeaderElection(
    { ...options, logger, identity: 'b', onWaiting: () => rounds++ },
    async () => async () => {},
  )
  await clock.advance(10_000)
  assert.ok(rounds > 2)
  assert.equal(
    logger.lines.map(({ message }) => message),
    ['another process leads'],
  )
  await stop()
  await stopOther()
  const name = 'leader_election_master_status {"name":"loops"}'
  assert.equal(shown, [`${name} 0`, `${name} 1`, `${name} 0`])
})
election.run()
