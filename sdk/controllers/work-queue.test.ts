import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createClient } from '../client/create-client.js'
import type { Metrics } from '../plugin/basic-services.js'
import type { ApiObject } from '../resource/meta.js'
import { FakeApi } from '../testing/fake-api.js'
import { fakeClock } from '../testing/fake-clock.js'
import { fakeLogger } from '../testing/fake-logger.js'
import { startControlLoop } from './start-control-loop.js'

const path = '/api/v1/namespaces/a/things'
const things = { group: '', version: 'v1', resource: 'things' }
const thing = (name: string, more: Partial<ApiObject> = {}): ApiObject => ({ metadata: { name }, ...more })

const queue = suite('work queue')

queue('a loop that is triggered by its own writes slows down and reports it; other keys do not wait', async () => {
  const api = new FakeApi()
  const clock = fakeClock()
  const client = createClient({ transport: api.transport, clock })
  let heldBack = 0
  const counter = (name: string) => ({ inc: () => void (name === 'workqueue_held_back_total' && heldBack++) })
  const metrics = { counter, gauge: () => ({ set() {} }), histogram: () => ({ observe() {} }) } as unknown as Metrics
  api.put(path, thing('restless', { size: 0 }))
  const turns = new Map<string, number>()
  const stop = await startControlLoop({
    name: 'test',
    client,
    clock,
    logger: fakeLogger(),
    sources: [{ resource: things }],
    metrics,
    async reconcile(key, caches) {
      turns.set(key, (turns.get(key) ?? 0) + 1)
      const found = caches.of(things).get('a', 'restless')
      if (key === 'a/restless' && found)
        await client
          .resource(things)
          .in('a')
          .update({ ...found, size: Number(found['size']) + 1 })
    },
  })
  for (let second = 0; second < 60; second++) await clock.advance(1000)
  const restless = turns.get('a/restless') ?? 0
  assert.ok(restless > 50 && restless < 200, `${restless} turns in a minute`)
  assert.ok(heldBack > 10, `held back ${heldBack} times`)
  api.put(path, thing('calm'))
  await clock.advance(0)
  assert.is(turns.get('a/calm'), 1)
  await stop()
})

queue.run()
