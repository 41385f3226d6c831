import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createClient } from '../client/create-client.js'
import type { Event } from '../core/event.js'
import { answer, FakeApi } from '../testing/fake-api.js'
import { fakeClock } from '../testing/fake-clock.js'
import { fakeLogger } from '../testing/fake-logger.js'
import { createEventRecorder } from './event-recorder.js'

const recording = suite('recording events')
const claim = { apiVersion: 'v1', kind: 'Claim', metadata: { name: 'data', namespace: 'town', uid: 'u' } }

function setup() {
  const api = new FakeApi()
  const clock = fakeClock()
  const client = createClient({ transport: api.transport, clock })
  const recorder = createEventRecorder({ client, clock, logger: fakeLogger(), component: 'binder' })
  const events = async () => {
    const list = await client.resource<Event>({ group: '', version: 'v1', resource: 'events' }).in('town').list()
    return list.items
  }
  return { api, clock, recorder, events }
}

recording('records what happened to which object, and the reporter', async () => {
  const { recorder, events } = setup()
  await recorder.record(claim, 'Warning', 'Lost', 'it is gone')
  const [event] = await events()
  assert.equal(event?.involvedObject, { apiVersion: 'v1', kind: 'Claim', namespace: 'town', name: 'data', uid: 'u' })
  assert.equal([event?.type, event?.reason, event?.message], ['Warning', 'Lost', 'it is gone'])
  assert.equal([event?.source, event?.count], [{ component: 'binder' }, 1])
})

recording('counts repeated events, and skips those that repeat immediately', async () => {
  const { clock, recorder, events } = setup()
  await recorder.record(claim, 'Normal', 'Waiting', 'for a node')
  await recorder.record(claim, 'Normal', 'Waiting', 'for a node')
  assert.is((await events())[0]?.count, 1)
  await clock.advance(60_000)
  await recorder.record(claim, 'Normal', 'Waiting', 'for a node')
  const [event, ...others] = await events()
  assert.equal([event?.count, others.length], [2, 0])
  assert.not.equal(event?.firstTimestamp, event?.lastTimestamp)
  await recorder.record(claim, 'Normal', 'Waiting', 'for something else')
  assert.is((await events()).length, 2)
})

recording('events at the same moment are separate events', async () => {
  const { recorder, events } = setup()
  await Promise.all(['Pulled', 'Created', 'Started'].map(reason => recorder.record(claim, 'Normal', reason, 'at once')))
  assert.equal((await events()).map(({ reason }) => reason).sort(), ['Created', 'Pulled', 'Started'])
})

recording('a lost event is not a failure, and the next one is created again', async () => {
  const { api, recorder, events } = setup()
  api.intercept = () => answer(404, { kind: 'Status', code: 404, reason: 'NotFound' })
  await recorder.record(claim, 'Normal', 'Waiting', 'for a node')
  api.intercept = undefined
  await recorder.record(claim, 'Normal', 'Waiting', 'for a node')
  assert.is((await events()).length, 1)
})

recording('objects without a namespace have their events in the default one', async () => {
  const { api, recorder } = setup()
  await recorder.record({ kind: 'Volume', metadata: { name: 'v' } }, 'Normal', 'Made', 'from nothing')
  assert.ok(api.requests.some(request => request === 'POST /api/v1/namespaces/default/events'))
})

recording.run()
