import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createClient } from '../client/create-client.js'
import type { Metrics } from '../plugin/basic-services.js'
import type { ApiObject } from '../resource/meta.js'
import { answer, FakeApi } from '../testing/fake-api.js'
import { fakeClock } from '../testing/fake-clock.js'
import { fakeLogger } from '../testing/fake-logger.js'
import type { ControlLoopOptions } from './control-loop.js'
import { controllerReference, labelKeys, ownerKeys } from './owner-keys.js'
import { startControlLoop } from './start-control-loop.js'

const path = '/api/v1/namespaces/a/things'
const things = { group: '', version: 'v1', resource: 'things' }
const parts = { group: '', version: 'v1', resource: 'parts' }
const thing = (name: string, more: Partial<ApiObject> = {}): ApiObject => ({ metadata: { name }, ...more })

function setUp() {
  const api = new FakeApi()
  const clock = fakeClock()
  const logger = fakeLogger()
  const client = createClient({ transport: api.transport, clock })
  const start = (options: Partial<ControlLoopOptions> & Pick<ControlLoopOptions, 'reconcile'>) =>
    startControlLoop({ name: 'test', client, clock, logger, sources: [{ resource: things }], ...options })
  return { api, clock, logger, client, start }
}

const loop = suite('control loop')

loop('reconciles what exists and what changes, with the cache up to date', async () => {
  const { api, clock, start } = setUp()
  api.put(path, thing('x', { size: 1 }))
  const seen: string[] = []
  const stop = await start({
    async reconcile(key, caches) {
      const found = caches.of(things).get('a', key.slice(2))
      seen.push(`${key}=${found?.['size'] ?? 'gone'}`)
    },
  })
  await clock.advance(0)
  api.put(path, thing('x', { size: 2 }))
  await clock.advance(0)
  api.remove(`${path}/x`)
  await clock.advance(0)
  assert.equal(seen, ['a/x=1', 'a/x=2', 'a/x=gone'])
  await stop()
})

loop('reconciles deletions that happened while the watch was down', async () => {
  const { api, clock, start } = setUp()
  api.put(path, thing('x'))
  const seen: string[] = []
  const stop = await start({
    async reconcile(key, caches) {
      seen.push(`${key} ${caches.of(things).get('a', 'x') ? 'there' : 'gone'}`)
    },
  })
  await clock.advance(5_000)
  api.dropWatches()
  api.remove(`${path}/x`)
  api.compact()
  await clock.advance(5_000)
  assert.equal(seen, ['a/x there', 'a/x gone'])
  await stop()
})

loop('never reconciles a key concurrently with itself, and runs again for changes in between', async () => {
  const { api, clock, start } = setUp()
  let atOnce = 0
  let most = 0
  const finished: string[] = []
  const releases: (() => void)[] = []
  const stop = await start({
    workers: 4,
    async reconcile(key) {
      if (key === 'a/x') most = Math.max(most, ++atOnce)
      await new Promise<void>(resolve => releases.push(resolve))
      if (key === 'a/x') atOnce--
      finished.push(key)
    },
  })
  for (let i = 0; i < 5; i++) {
    api.put(path, thing('x', { size: i }))
    await clock.advance(0)
  }
  api.put(path, thing('y'))
  await clock.advance(0)
  assert.is(releases.length, 2, 'x once, y beside it')
  while (releases.length > 0) {
    releases.shift()?.()
    await clock.advance(0)
  }
  assert.is(most, 1)
  assert.equal(finished.sort(), ['a/x', 'a/x', 'a/y'])
  await stop()
})

loop('retries a failing key with backoff, which a success resets', async () => {
  const { api, clock, logger, start } = setUp()
  const times: number[] = []
  let failures = 6
  const stop = await start({
    async reconcile() {
      times.push(clock.now())
      if (failures-- > 0) throw new Error('not yet')
    },
  })
  api.put(path, thing('x'))
  await clock.advance(10_000)
  const gaps = times.slice(1).map((time, i) => time - times[i]!)
  assert.equal(gaps, [5, 10, 20, 40, 80, 160])
  assert.is(logger.lines.filter(line => line.message === 'reconcile failed').length, 6)
  times.length = 0
  failures = 1
  api.put(path, thing('x', { size: 2 }))
  await clock.advance(10_000)
  assert.is(times[1]! - times[0]!, 5)
  await stop()
})

loop('runs again after requeueAfterMs', async () => {
  const { api, clock, start } = setUp()
  const times: number[] = []
  const stop = await start({
    async reconcile() {
      times.push(clock.now())
      if (times.length < 3) return { requeueAfterMs: 60_000 }
    },
  })
  api.put(path, thing('x'))
  await clock.advance(300_000)
  assert.equal(
    times.map(time => time - times[0]!),
    [0, 60_000, 120_000],
  )
  await stop()
})

loop('reconciles everything again at the resync interval', async () => {
  const { api, clock, start } = setUp()
  api.put(path, thing('x'))
  let count = 0
  const stop = await start({
    resyncMs: 1_000,
    async reconcile() {
      count++
    },
  })
  await clock.advance(3_500)
  assert.is(count, 4)
  await stop()
})

loop('stopping waits for work in progress, leaves no timer and no watch, and may be done twice', async () => {
  const { api, clock, start } = setUp()
  api.put(path, thing('x'))
  api.put(path, thing('y'))
  let release: () => void = () => {}
  let finished = false
  let count = 0
  const stop = await start({
    resyncMs: 1_000,
    async reconcile() {
      if (++count === 1) throw new Error('leaves a retry waiting')
      await new Promise<void>(resolve => {
        release = resolve
      })
      finished = true
    },
  })
  await clock.advance(0)
  let stopped = false
  const stopping = stop().then(() => {
    stopped = true
  })
  await clock.advance(0)
  assert.not.ok(stopped)
  release()
  await stopping
  await stop()
  assert.ok(finished)
  assert.is(clock.pending, 0)
  assert.is(api.watchers, 0)
  assert.is(count, 2)
})

loop('loops on one collection share one watch, which ends with the last', async () => {
  const { api, clock, start } = setUp()
  const reconcile = async () => {}
  const stopFirst = await start({ name: 'first', reconcile })
  const stopSecond = await start({ name: 'second', reconcile })
  const stopOther = await start({ name: 'other', reconcile, sources: [{ resource: things, labelSelector: 'a=b' }] })
  await clock.advance(0)
  assert.is(api.watchers, 2)
  await stopFirst()
  await stopOther()
  assert.is(api.watchers, 1)
  await stopSecond()
  assert.is(api.watchers, 0)
})

loop(
  'begins to work once all its sources are ready, and counts as started without them if they do not respond',
  async () => {
    const { api, clock, logger, start } = setUp()
    api.put(path, thing('x'))
    let isDown = true
    api.intercept = request => (isDown && request.path.includes('/parts') ? answer(500, {}) : undefined)
    let count = 0
    const starting = start({
      sources: [{ resource: things }, { resource: parts }],
      async reconcile() {
        count++
      },
    })
    await clock.advance(10_000)
    const stop = await starting
    assert.is(count, 0)
    assert.ok(logger.lines.some(line => line.level === 'warn'))
    isDown = false
    await clock.advance(60_000)
    assert.is(count, 1)
    await stop()
  },
)

loop('a change of owner reconciles the old and the new owner', async () => {
  const { api, clock, start } = setUp()
  const owner = (name: string) =>
    controllerReference({ apiVersion: 'v1', kind: 'Thing', metadata: { name, uid: name } })
  const seen: string[] = []
  const stop = await start({
    sources: [{ resource: parts, keys: ownerKeys('Thing', { group: '', controllerOnly: true }) }],
    async reconcile(key) {
      seen.push(key)
    },
  })
  const part = (name: string) => ({ metadata: { name: 'p', ownerReferences: [owner(name)] } })
  api.put('/api/v1/namespaces/a/parts', part('one'))
  await clock.advance(0)
  api.put('/api/v1/namespaces/a/parts', part('two'))
  await clock.advance(0)
  assert.equal(seen.slice(0, 1), ['a/one'])
  assert.equal(seen.slice(1).sort(), ['a/one', 'a/two'])
  assert.equal(labelKeys('of')({ metadata: { name: 'p', namespace: 'a', labels: { of: 'x' } } }, undefined), ['a/x'])
  await stop()
})

loop('requesting a cache that is not a source throws an error that names the loop', async () => {
  const { api, clock, logger, start } = setUp()
  api.put(path, thing('x'))
  let message = ''
  const stop = await start({
    async reconcile(_, caches) {
      try {
        caches.of(parts)
      } catch (error) {
        message = (error as Error).message
      }
    },
  })
  await clock.advance(0)
  await stop()
  assert.match(message, /"test".*"parts"/)
  assert.is(logger.lines.filter(line => line.level === 'error').length, 0)
})

loop('measures itself', async () => {
  const { api, clock, start } = setUp()
  const seen: Record<string, number[]> = {}
  const note = (name: string) => (value: number) => (seen[name] ??= []).push(value)
  const metrics: Metrics = {
    counter: name => ({ inc: (_, by = 1) => note(name)(by) }),
    gauge: name => ({ set: value => note(name)(value) }),
    histogram: name => ({ observe: seconds => note(name)(seconds) }),
  }
  let isFirst = true
  const stop = await start({
    metrics,
    async reconcile() {
      if (!isFirst) return
      isFirst = false
      throw new Error('once')
    },
  })
  api.put(path, thing('x'))
  await clock.advance(1_000)
  await stop()
  assert.equal(seen['workqueue_depth'], [1, 0, 1, 0, 0])
  assert.equal(seen['workqueue_retries_total'], [1])
  assert.is(seen['workqueue_work_duration_seconds']?.length, 2)
})
loop.run()
