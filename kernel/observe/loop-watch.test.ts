import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../../test/support/eventually.js'
import type { RequestContext } from '../contracts/request-context.js'
import { LoopWatch } from './loop-watch.js'

const watching = suite('monitoring of the event loop')
const request = {
  id: 'one',
  user: { name: 'jane', groups: [] },
  info: { verb: 'create', group: '', resource: 'configmaps', subresource: '', namespace: 'town', path: '/api/v1/…' },
} as unknown as RequestContext

function holdFor(milliseconds: number): void {
  const end = performance.now() + milliseconds
  for (let now = 0; now < end; ) now = performance.now()
}

watching('names the request that blocked it, once, and records the delay', async () => {
  const said: { text: string; facts: Record<string, unknown> }[] = []
  const logger = { warn: (text: string, facts: Record<string, unknown>) => said.push({ text, facts }) }
  const registry = new Registry()
  const watch = new LoopWatch(registry, logger as never, 150, 0)
  await sleep(60)
  said.length = 0
  watch.setCurrentRequest(request)
  holdFor(400)
  await sleep(60)
  watch.close()
  const [first] = said
  assert.is(first?.text, 'the event loop was blocked')
  assert.ok(Number(first?.facts['milliseconds']) >= 150)
  const { milliseconds: _, ...facts } = first?.facts ?? {}
  const named = { verb: 'create', group: '', resource: 'configmaps', subresource: '', namespace: 'town' }
  assert.equal(facts, { requestId: 'one', ...named, user: 'jane' })
  assert.match(await registry.metrics(), /apiserver_event_loop_delay_seconds_count [1-9]/)
})

watching('checks less often without requests, and at the usual interval again with the next one', async () => {
  const registry = new Registry()
  const said: Record<string, unknown>[] = []
  const watch = new LoopWatch(
    registry,
    { warn: (_: string, facts: Record<string, unknown>) => said.push(facts) } as never,
    150,
    0,
  )
  const looks = async () => Number(/_delay_seconds_count (\d+)/.exec(await registry.metrics())?.[1] ?? 0)
  await eventually('enough checks', async () => (await looks()) >= 20)
  const before = await looks()
  await sleep(300)
  assert.ok((await looks()) - before <= 1, `${(await looks()) - before} looks in 300 ms`)
  said.length = 0
  watch.setCurrentRequest(request)
  holdFor(400)
  await eventually('the request is named', () => said[0]?.['requestId'] === 'one')
  watch.close()
})

watching('measures a slow start, and does not log it', async () => {
  const registry = new Registry()
  const said: string[] = []
  const watch = new LoopWatch(registry, { warn: (text: string) => said.push(text) } as never, 50)
  holdFor(200)
  await eventually('it is measured', async () =>
    /_delay_seconds_sum (?!0\b)0\.[1-9]|_delay_seconds_sum 0\.1/.test(await registry.metrics()),
  )
  watch.close()
  assert.equal(said, [])
})

watching('logs nothing if the warning is off', async () => {
  const said: string[] = []
  const watch = new LoopWatch(new Registry(), { warn: (text: string) => said.push(text) } as never, 0)
  holdFor(120)
  await sleep(60)
  watch.close()
  assert.equal(said, [])
})

watching.run()
