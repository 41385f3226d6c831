import { type AdmissionConfiguration, orchProfile, Vendor } from 'orch/sdk'
import type { Event } from 'orch/sdk/core'
import { admit, fakeClock, type StatedRequest, workHere } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventNames } from '../names.js'
import { EventLimiter, readLimits } from './event-rate-limit/event-limiter.js'
import { eventRateLimit } from './event-rate-limit.js'

const acmeNames = eventNames(new Vendor({ ...orchProfile, domain: 'acme.test', groupDomain: 'api.acme.test' }))
const control = eventRateLimit
const named = { apiVersion: 'eventratelimit.admission.api.acme.test/v1alpha1', kind: 'Configuration' }
const configured = (given?: object): AdmissionConfiguration => ({
  of: () => given && { ...named, ...given },
  pathFor: (_, file) => file,
})
const anEvent = (about = 'p'): Event =>
  ({ metadata: { name: 'e' }, involvedObject: { kind: 'Pod', name: about }, source: { component: 'c' } }) as Event

/** A server with one limit of this type: a burst of two, and one more each second. */
function server(type: string) {
  const clock = fakeClock()
  const limits = readLimits(configured({ limits: [{ type, qps: 1, burst: 2 }] }), acmeNames)
  const services = { limiter: new EventLimiter(limits, clock, workHere) }
  const send = async (stated: StatedRequest<Event> = {}) =>
    (await admit(control, { resource: 'events', object: anEvent(), ...stated }, services)).refusal
  /** The response codes of this many successive events. */
  const flood = async (count: number, stated?: StatedRequest<Event>) => {
    const codes: (number | undefined)[] = []
    for (let i = 0; i < count; i++) codes.push((await send(stated))?.code)
    return codes
  }
  return { clock, send, flood }
}

const limit = suite('event rate limit')

limit('admits a burst and rejects the rest with 429, without Retry-After', async () => {
  const { send, flood } = server('Server')
  assert.equal(await flood(3), [undefined, undefined, 429])
  const refusal = await send()
  assert.equal([refusal?.reason, refusal?.details], ['TooManyRequests', undefined])
})
limit('admits more over time, but no more than a burst', async () => {
  const { clock, flood } = server('Server')
  await flood(2)
  await clock.advance(1000)
  assert.equal(await flood(2), [undefined, 429])
  await clock.advance(60_000)
  assert.equal(await flood(3), [undefined, undefined, 429])
})
limit('counts updates, too', async () => {
  const { send, flood } = server('Server')
  await flood(1)
  await flood(1, { operation: 'update', oldObject: anEvent() })
  assert.is((await send())?.code, 429)
})
limit('does not count events of the newer group', () => {
  assert.equal(control.matches, { group: '', resource: 'events', operations: ['create', 'update'] })
})
limit('does not count dry runs', async () => {
  const { flood } = server('Server')
  assert.equal(await flood(4, { dryRun: true }), [undefined, undefined, undefined, undefined])
  assert.equal(await flood(3), [undefined, undefined, 429])
})
const others: Record<string, StatedRequest<Event>> = {
  Namespace: { namespace: 'other' },
  User: { user: { name: 'ben', groups: [] } },
  SourceAndObject: { object: anEvent('q') },
}
for (const [type, stated] of Object.entries(others))
  limit(`of type ${type} counts each by itself`, async () => {
    const { flood } = server(type)
    assert.equal(await flood(3), [undefined, undefined, 429])
    assert.equal(await flood(3, stated), [undefined, undefined, 429])
  })
limit('evicts the least recently used one when there are too many', async () => {
  const clock = fakeClock()
  const limiter = new EventLimiter([{ type: 'User', qps: 1, burst: 1, cacheSize: 1 }], clock, workHere)
  const reached: number[] = []
  for (const user of ['ann', 'ann', 'ben', 'ann'])
    reached.push((await limiter.spend({ event: anEvent(), user, namespace: '' })).length)
  assert.equal(reached, [0, 1, 0, 0])
})
for (const [what, given] of Object.entries({
  'no configuration': undefined,
  'no limits': { limits: [] },
  'an unknown type': { limits: [{ type: 'Planet', qps: 1, burst: 1 }] },
  'a burst of zero': { limits: [{ type: 'Server', qps: 1, burst: 0 }] },
}))
  limit(`is not started with ${what}`, () => {
    assert.throws(() => readLimits(configured(given), acmeNames), /EventRateLimit/)
  })

limit.run()
