import { testAuthority } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import type { Behaviour } from './behaviour.js'
import { startWorld } from './start-world.js'
import type { WebhookWorld } from './webhook-world.js'

const failures = suite('a webhook that does not answer')
let world: WebhookWorld
let count = 0
const create = (namespace = 'town') => world.create(namespace, `c${++count}`)
async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const startedAt = performance.now()
  return [await work, performance.now() - startedAt]
}
const allow: Behaviour = { is: 'answer', response: { allowed: true } }

failures('the server and the webhook start', async () => {
  world = await startWorld()
  await world.namespace('town')
  await world.namespace('quiet')
})
const behaviours: Record<string, Behaviour> = {
  hangs: { is: 'hang' },
  'resets the connection': { is: 'reset' },
  'answers byte by byte': { is: 'drip', everyMs: 50 },
  'answers without end': { is: 'flood' },
}
for (const kind of ['Mutating', 'Validating'] as const)
  for (const [title, behaviour] of Object.entries(behaviours))
    failures(`${kind.toLowerCase()}, ${title}: its failure policy decides, within its timeout`, async () => {
      await world.webhook.behave('/town/a', behaviour)
      for (const [failurePolicy, expected] of [
        ['Fail', 500],
        ['Ignore', 201],
      ] as const) {
        await world.configure(kind, 'a', [world.hook('town', 'a', { failurePolicy, timeoutSeconds: 1 })])
        const [{ status, body }, tookMs] = await timed(create())
        assert.is(status, expected)
        if (status === 500)
          assert.match(body.message, /failed calling webhook "a.acme.test": failed to call webhook: Post/)
        // Without its timeout of a second it would take for ever; how slow the machine is must not matter.
        assert.ok(tookMs < 20_000, `took ${tookMs} ms`)
      }
      await world.removeConfiguration(kind, 'a')
    })

const unreachable: Record<
  string,
  (changes: typeof world) => Promise<Record<string, unknown>> | Record<string, unknown>
> = {
  'nobody listens': () => ({ url: 'https://127.0.0.1:1/x' }),
  'its certificate is of another authority': async () => ({
    url: `${world.webhook.url}/town/a`,
    caBundle: Buffer.from((await testAuthority('other')).caPem).toString('base64'),
  }),
  'no authority is named and the system does not know it': () => ({ url: `${world.webhook.url}/town/a` }),
  'its authority is no certificate': () => ({ url: `${world.webhook.url}/town/a`, caBundle: 'bm90IHBlbQ==' }),
  'its certificate is for another name': () => ({
    url: `https://localhost.localdomain:${world.webhook.port}/town/a`,
    caBundle: world.caBundle,
  }),
  'its host has no address': () => ({ url: 'https://nowhere.invalid/x', caBundle: world.caBundle }),
}
for (const [title, clientConfig] of Object.entries(unreachable))
  failures(`because ${title}: its failure policy decides`, async () => {
    await world.webhook.behave('/town/a', allow)
    for (const [failurePolicy, expected] of [
      ['Fail', 500],
      ['Ignore', 201],
    ] as const) {
      await world.configure('Validating', 'a', [
        world.hook('town', 'a', { failurePolicy, clientConfig: await clientConfig(world), timeoutSeconds: 3 }),
      ])
      assert.is((await create()).status, expected)
    }
    assert.equal(await world.webhook.takeCalls('/town/a'), [])
  })
failures('is called again once it works', async () => {
  await world.configure('Validating', 'a', [world.hook('town', 'a', { timeoutSeconds: 1 })])
  await world.webhook.behave('/town/a', { is: 'hang' })
  assert.is((await create()).status, 500)
  await world.webhook.behave('/town/a', allow)
  assert.is((await create()).status, 201)
})
/** Waits until the webhook was called so often since it was last told how to behave. */
const called = async (path: string, times: number) => {
  let seen = 0
  const isEnough = async () => {
    seen += (await world.webhook.takeCalls(path)).length
    return seen >= times || undefined
  }
  await eventually(`${times} calls of ${path}`, isEnough, 30_000)
}
/** Has it happened yet? */
const watched = <T>(work: Promise<T>) => {
  const state = { isOver: false }
  const end = () => {
    state.isOver = true
  }
  work.then(end, end)
  return state
}

failures('does not delay requests that it does not match', async () => {
  await world.configure('Validating', 'a', [world.hook('town', 'a', { timeoutSeconds: 30 })])
  await world.webhook.behave('/town/a', { is: 'hold' })
  const waiting = Array.from({ length: 20 }, () => create())
  const firstAnswer = watched(Promise.race(waiting))
  await called('/town/a', 20)
  for (const { status } of await Promise.all(Array.from({ length: 50 }, () => create('quiet')))) assert.is(status, 201)
  assert.not(firstAnswer.isOver)
  await world.webhook.behave('/town/a', allow)
  for (const { status } of await Promise.all(waiting)) assert.is(status, 201)
})
failures('delays later requests less and less, and affects nothing else', async () => {
  await world.configure('Validating', 'b', [world.hook('town', 'b', { timeoutSeconds: 4, failurePolicy: 'Ignore' })])
  await world.removeConfiguration('Validating', 'a')
  await world.webhook.behave('/town/b', { is: 'hang' })
  await Promise.all(Array.from({ length: 3 }, () => create()))
  await world.webhook.takeCalls('/town/b')
  // One waits on in case it is only slow; the rest do not.
  const full = create()
  const isWaiting = watched(full)
  await called('/town/b', 1)
  assert.is((await create()).status, 201)
  assert.not(isWaiting.isOver)
  assert.is((await full).status, 201)
  await world.webhook.behave('/town/b', { is: 'answer', response: { allowed: false } })
  assert.is((await create()).status, 400, 'it was called all the time')
})
failures('does not block other writers of the same object', async () => {
  await world.webhook.behave('/town/b', allow)
  await world.configure('Validating', 'b', [
    world.hook('town', 'b', { timeoutSeconds: 30, objectSelector: { matchLabels: { slow: 'yes' } } }),
  ])
  await world.create('town', 'shared')
  await world.webhook.behave('/town/b', { is: 'hold' })
  const path = '/api/v1/namespaces/town/configmaps/shared'
  const merge = 'application/merge-patch+json'
  const slow = world.send('PATCH', path, { metadata: { labels: { slow: 'yes' } } }, merge)
  const isWaiting = watched(slow)
  await called('/town/b', 1)
  assert.is((await world.send('PATCH', path, { data: { a: '1' } }, merge)).status, 200)
  assert.not(isWaiting.isOver)
  await world.webhook.behave('/town/b', allow)
  const { status, body } = await slow
  assert.equal([status, body.data], [200, { a: '1' }], 'it started over')
})
failures('is not awaited beyond the timeout of the client; then nothing is stored', async () => {
  await world.configure('Validating', 'b', [world.hook('town', 'b', { timeoutSeconds: 30 })])
  await world.webhook.behave('/town/b', { is: 'hold' })
  const { status, body } = await world.create('town', 'hurried', {}, '?timeout=1s')
  assert.equal([status, body.reason], [504, 'Timeout'])
  await world.webhook.behave('/town/b', allow)
  assert.is((await world.create('town', 'later')).status, 201)
  assert.is((await world.send('GET', '/api/v1/namespaces/town/configmaps/hurried')).status, 404)
  assert.is((await world.create('town', 'odd', {}, '?timeout=soon')).status, 400)
})
failures('gets the timeout of the client if that is shorter than its own', async () => {
  await world.webhook.behave('/town/a', allow)
  await world.webhook.behave('/town/b', allow)
  for (const kind of ['Mutating', 'Validating'] as const)
    await world.configure(kind, 'b', [
      world.hook('town', 'a', { timeoutSeconds: 30 }),
      world.hook('town', 'b', { timeoutSeconds: 5 }),
    ])
  assert.is((await world.create('town', 'patient', {}, '?timeout=20s')).status, 201)
  const told = async (path: string) => (await world.webhook.takeCalls(path)).map(({ query }) => query)
  for (const query of await told('/town/a')) assert.match(query, /^timeout=(1\d|20)s$/)
  assert.equal(await told('/town/b'), ['timeout=5s', 'timeout=5s'])
})
failures('fails the request when the timeout of the client expires, even if its failures are ignored', async () => {
  await world.removeConfiguration('Validating', 'b')
  await world.configure('Mutating', 'b', [
    world.hook('town', 'a', { timeoutSeconds: 30, failurePolicy: 'Ignore' }),
    world.hook('town', 'b', { timeoutSeconds: 30, failurePolicy: 'Ignore' }),
  ])
  await world.webhook.behave('/town/a', { is: 'hold' })
  await world.webhook.behave('/town/b', allow)
  assert.is((await world.create('town', 'late', {}, '?timeout=1s')).status, 504)
  await world.webhook.behave('/town/a', allow)
  assert.is((await world.create('town', 'calm')).status, 201)
  const seen = await world.webhook.takeCalls('/town/b')
  assert.equal(
    seen.map(({ review }) => review.request.object?.metadata['name']),
    ['calm'],
  )
})
failures('the server and the webhook stop', () => world.stop())

failures.run()
