import { orchProfile, Vendor } from 'orch/sdk'
import { createClient } from 'orch/sdk/client'
import { FakeApi, fakeClock, fakeLogger } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventExpiry, lastWrite } from './event-expiry.js'

const hourMs = 3_600_000
const collection = { group: '', version: 'v1', resource: 'events' }
const metrics = undefined as never

const expiry = suite('the expiry of events')

expiry('is an hour after they were last written', async () => {
  const clock = fakeClock(Date.parse('2030-01-01T00:30:00Z'))
  const client = createClient({ transport: new FakeApi().transport })
  const events = client.resource(collection).in('default')
  const at = (name: string, creationTimestamp: string) =>
    events.create({ metadata: { name, namespace: 'default', creationTimestamp } })
  await at('old', '2030-01-01T00:00:00Z')
  await at('new', '2030-01-01T00:20:00Z')
  const stop = await eventExpiry(hourMs).start({
    client,
    clock,
    logger: fakeLogger(),
    metrics,
    vendor: new Vendor(orchProfile),
  })
  const names = async () => (await events.list()).items.map(({ metadata }) => metadata.name)
  await clock.advance(29 * 60_000)
  assert.equal(await names(), ['new', 'old'])
  await clock.advance(2 * 60_000)
  assert.equal(await names(), ['new'])
  await clock.advance(20 * 60_000)
  assert.equal(await names(), [])
  await stop()
})

expiry('is postponed by every write', () => {
  const time = '2030-01-01T00:10:00Z'
  const metadata = { creationTimestamp: '2030-01-01T00:00:00Z', managedFields: [{ time }] }
  assert.is(lastWrite({ metadata }), Date.parse(time))
})

expiry.run()
