import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createClient } from '../client/create-client.js'
import { FakeApi } from '../testing/fake-api.js'
import { fakeClock } from '../testing/fake-clock.js'
import { duringTerm, TermEndedError } from './leader-term.js'

const things = { group: '', version: 'v1', resource: 'things' }

function setUp() {
  const api = new FakeApi()
  const clock = fakeClock()
  const end = new AbortController()
  let isCurrent = true
  const term = { ended: end.signal, isCurrent: () => isCurrent && !end.signal.aborted }
  const client = createClient({ transport: duringTerm(api.transport, term), clock })
  return { api, clock, end, things: client.resource(things).in('a'), expire: () => (isCurrent = false) }
}
const failureOf = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error)

const terms = suite('the term of a leader')

terms('allows requests during the term and none after it', async () => {
  const { api, end, things } = setUp()
  await things.create({ metadata: { name: 'x' } })
  assert.is((await things.get('x')).metadata.name, 'x')
  end.abort()
  const asked = api.requests.length
  assert.instance(await failureOf(things.create({ metadata: { name: 'y' } })), TermEndedError)
  assert.is(api.requests.length, asked)
})
terms('a term that expired unnoticed allows no requests either', async () => {
  const { api, things, expire } = setUp()
  expire()
  assert.instance(await failureOf(things.create({ metadata: { name: 'y' } })), TermEndedError)
  assert.is(api.requests.length, 0)
})
terms('requests in progress end with it', async () => {
  const { api, end, things } = setUp()
  api.intercept = () => new Promise(() => {})
  const failure = failureOf(things.create({ metadata: { name: 'x' } }))
  end.abort()
  assert.instance(await failure, TermEndedError)
})
terms('a watch ends with it, and by its own signal', async () => {
  const { api, clock, end, things } = setUp()
  const follow = async (signal?: AbortSignal) => {
    for await (const _ of things.watch({ resourceVersion: '0', ...(signal ? { signal } : {}) }));
  }
  const stop = new AbortController()
  const own = follow(stop.signal).catch(() => {})
  const other = failureOf(follow())
  await clock.advance(0)
  assert.is(api.watchers, 2)
  stop.abort()
  await own
  await clock.advance(0)
  assert.is(api.watchers, 1)
  end.abort()
  assert.instance(await other, TermEndedError)
  await clock.advance(0)
  assert.is(api.watchers, 0)
})

terms.run()
