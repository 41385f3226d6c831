import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { orchProfile } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { type HttpsReceiver, type Received, startHttpsReceiver } from '../support/https-receiver.js'
import { rejects } from '../support/rejects.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { type ServerUnderTest, withServer } from './with-server.js'

/** However slow the machine is. */
const patienceMs = 60_000
const vendor = { ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'api.acme.test' }

interface Batch {
  readonly kind: string
  readonly apiVersion: string
  readonly items: readonly { readonly auditID: string; readonly stage: string; readonly kind?: string }[]
}
interface World {
  readonly server: ServerUnderTest
  readonly receiver: HttpsReceiver
  readonly received: Received[]
  /** The ids of what arrived, by stage. */
  arrived(stage: string): string[]
  batches(): Batch[]
  /** A request with an id of its own, and its status. */
  ask(id: string): Promise<number>
  metric(name: string): Promise<number>
  log(): string
  /** The audit log in the file. */
  lines(): string[]
}

/** Runs a test on a server whose audit events go to a receiver that answers like this. */
async function withReceiver(
  answer: (received: Received) => { code: number } | Promise<{ code: number }>,
  options: object,
  run: (world: World) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder()
  const received: Received[] = []
  const receiver = await startHttpsReceiver(async one => {
    const { code } = await answer(one)
    if (code === 200) received.push(one)
    return { code, text: '' }
  })
  let log = ''
  const batches = () => received.map(({ body }) => JSON.parse(body) as Batch)
  const all = {
    auditWebhookConfigFile: receiver.configFile(folder),
    auditWebhookInitialBackoff: '10ms',
    auditWebhookBatchMaxWait: '20ms',
    auditLogPath: join(folder.path, 'audit.log'),
    ...options,
  }
  try {
    await withServer({ vendor, options: all, log: line => (log += line) }, server =>
      run({
        server,
        receiver,
        received,
        batches,
        arrived: stage =>
          batches().flatMap(({ items }) => items.filter(one => one.stage === stage).map(one => one.auditID)),
        ask: async id => (await server.ask('GET', '/version', undefined, { 'audit-id': id })).status,
        metric: async name => {
          const line = (await server.ask('GET', '/metrics')).text.split('\n').find(one => one.startsWith(name))
          return line === undefined ? 0 : Number(line.split(' ').at(-1))
        },
        log: () => log,
        lines: () => readFileSync(all.auditLogPath, 'utf8').split('\n'),
      }),
    )
  } finally {
    await receiver.stop().catch(() => {})
    folder.remove()
  }
}
const ids = (count: number, name = 'r') => Array.from({ length: count }, (_, index) => `${name}${index}`)
const lostEvents = 'apiserver_audit_error_total{plugin="webhook"}'

const webhook = suite('audit to a webhook')

webhook(
  'gets every event once, in lists, with the client certificate of its config; the file gets the same events',
  () =>
    withReceiver(
      () => ({ code: 200 }),
      { auditWebhookBatchMaxSize: 7 },
      async ({ ask, arrived, batches, received, lines }) => {
        await Promise.all(ids(40).map(ask))
        await eventually('all of them', () => arrived('ResponseComplete').length >= 40, patienceMs)
        const [first] = received
        assert.equal([first?.path, first?.client], ['/review', 'the-api-server'])
        for (const { kind, apiVersion, items } of batches()) {
          assert.equal([kind, apiVersion], ['EventList', 'audit.api.acme.test/v1'])
          assert.ok(items.length <= 7)
        }
        for (const stage of ['RequestReceived', 'ResponseComplete'])
          assert.equal(
            arrived(stage)
              .filter(id => id.startsWith('r'))
              .sort(),
            ids(40).sort(),
          )
        const inFile = () => lines().filter(line => line.includes('"auditID":"r'))
        await eventually('the file to have them', () => inFile().length >= 80, patienceMs)
        const sent = batches().flatMap(({ items }) => items.map(item => JSON.stringify(item)))
        for (const line of inFile())
          assert.ok(sent.includes(line.replace(/^\{"kind":"Event","apiVersion":"[^"]+",/, '{')))
      },
    ),
)

webhook('a slow receiver holds up no request, and gets larger batches', () => {
  const isOpen = { release: () => {}, until: Promise.resolve() }
  isOpen.until = new Promise<void>(resolve => {
    isOpen.release = resolve
  })
  return withReceiver(
    async () => {
      await isOpen.until
      return { code: 200 }
    },
    { auditWebhookBatchMaxWait: '1ms' },
    async ({ ask, arrived, batches }) => {
      // Nothing is taken yet, and all are answered.
      for (const status of await Promise.all(ids(30).map(ask))) assert.is(status, 200)
      assert.is(batches().length, 0)
      isOpen.release()
      await eventually('all of them', () => arrived('ResponseComplete').length >= 30, patienceMs)
      assert.ok(batches().length < 30)
    },
  )
})

webhook('what waits is bounded: more is lost, counted, and told of once; then it goes on', () => {
  let isDown = true
  return withReceiver(
    () => ({ code: isDown ? 500 : 200 }),
    { auditWebhookBatchBufferSize: 10, auditWebhookInitialBackoff: '1s' },
    async ({ ask, arrived, metric, log }) => {
      for (const status of await Promise.all(ids(30).map(ask))) assert.is(status, 200)
      await eventually('losses to be counted', async () => (await metric(lostEvents)) >= 50 - 10, patienceMs)
      assert.is(log().split('the audit webhook does not take events').length - 1, 1)
      assert.match(log(), /"why":"(it answered 500|too many events are waiting for it)"/)
      isDown = false
      await eventually(
        'later ones to arrive',
        async () => {
          await ask('later')
          return arrived('ResponseComplete').includes('later')
        },
        patienceMs,
      )
      await eventually('that to be told', () => /"lost":\d+.*takes events again/.test(log()), patienceMs)
    },
  )
})

webhook('a receiver that is away for a while gets what happened meanwhile', () =>
  withReceiver(
    () => ({ code: 200 }),
    { auditWebhookInitialBackoff: '200ms' },
    async ({ ask, arrived, receiver, metric }) => {
      await receiver.stop()
      await Promise.all(ids(5).map(ask))
      await receiver.start()
      await eventually('all of them', () => ids(5).every(id => arrived('ResponseComplete').includes(id)), patienceMs)
      assert.is(await metric(lostEvents), 0)
    },
  ),
)

webhook('blocking: a request goes on when its event was taken, also when it never is', () => {
  let isDown = false
  return withReceiver(
    () => ({ code: isDown ? 400 : 200 }),
    { auditWebhookMode: 'blocking' },
    async ({ ask, arrived, metric }) => {
      for (const id of ids(3)) {
        assert.is(await ask(id), 200)
        assert.ok(arrived('RequestReceived').includes(id))
      }
      isDown = true
      assert.is(await ask('unseen'), 200)
      assert.ok((await metric(lostEvents)) > 0)
    },
  )
})

webhook('blocking-strict: a request whose event is not taken is refused', () => {
  let isDown = false
  return withReceiver(
    () => ({ code: isDown ? 400 : 200 }),
    { auditWebhookMode: 'blocking-strict' },
    async ({ server, ask, metric }) => {
      assert.is(await ask('a'), 200)
      isDown = true
      const { status, json } = await server.ask('POST', server.path, { metadata: { name: 'a' } })
      assert.equal([status, json['reason']], [500, 'InternalError'])
      isDown = false
      assert.is((await server.ask('GET', `${server.path}/a`)).status, 404)
      assert.is(await metric('apiserver_audit_requests_rejected_total'), 1)
    },
  )
})

webhook('an event that is too large goes without its bodies; one that is so even then is lost, and counted', () => {
  const folder = temporaryFolder()
  const policy = { apiVersion: 'audit.api.acme.test/v1', kind: 'Policy', rules: [{ level: 'RequestResponse' }] }
  const limits = { auditWebhookTruncateMaxEventSize: 4000, auditLogTruncateMaxEventSize: 4000 }
  return withReceiver(
    () => ({ code: 200 }),
    {
      auditPolicyFile: folder.write('policy.json', JSON.stringify(policy)),
      auditWebhookTruncateEnabled: true,
      auditLogTruncateEnabled: true,
      ...limits,
    },
    async ({ server, ask, batches, lines, metric }) => {
      const create = (name: string, length: number) => {
        const metadata = { name, annotations: { text: 'x'.repeat(length) } }
        return server.ask('POST', server.path, { metadata }, { 'audit-id': name })
      }
      for (const [name, length] of [
        ['small', 10],
        ['large', 8000],
      ] as const)
        assert.is((await create(name, length)).status, 201)
      await server.ask('GET', `/version?x=${'y'.repeat(5000)}`, undefined, { 'audit-id': 'huge' })
      assert.is(await ask('last'), 200)
      interface Event {
        readonly auditID: string
        readonly stage: string
        readonly requestObject?: object
        readonly annotations?: Record<string, string>
      }
      const sent = () => batches().flatMap(({ items }) => items as readonly Event[])
      const logged = () => lines().flatMap(line => (line === '' ? [] : [JSON.parse(line) as Event]))
      for (const events of [sent, logged]) {
        const find = (id: string) => events().find(one => one.auditID === id && one.stage === 'ResponseComplete')
        await eventually('the last one', () => find('last'), patienceMs)
        const shown = ['small', 'large', 'huge']
          .map(find)
          .map(one => [one?.requestObject !== undefined, one?.annotations?.['audit.api.acme.test/truncated']])
        assert.equal(shown, [
          [true, undefined],
          [false, 'true'],
          [false, undefined],
        ])
        assert.is(find('huge'), undefined)
      }
      for (const plugin of ['webhook', 'log'])
        assert.is(await metric(`apiserver_audit_error_total{plugin="${plugin}"}`), 2)
    },
  ).finally(() => folder.remove())
})

webhook('no more batches are sent than the throttle allows, and nothing is lost', () => {
  const times: number[] = []
  const perSecond = 5
  return withReceiver(
    () => {
      times.push(performance.now())
      return { code: 200 }
    },
    {
      auditWebhookBatchMaxSize: 2,
      auditWebhookBatchMaxWait: '1ms',
      auditWebhookBatchThrottleQps: perSecond,
      auditWebhookBatchThrottleBurst: 2,
    },
    async ({ ask, arrived, metric }) => {
      await Promise.all(ids(10).map(ask))
      await eventually('all of them', () => arrived('ResponseComplete').length >= 10, patienceMs)
      // Two at once, then one in a fifth of a second: a slow machine only makes it slower.
      const [first = 0] = times
      const tooSoon = times.filter((at, index) => at - first < ((index - 2) / perSecond) * 900)
      assert.equal(tooSoon, [])
      assert.ok(times.length >= 10)
      assert.is(await metric(lostEvents), 0)
    },
  )
})

webhook('what is left is sent when the server stops', async () => {
  let all: string[] = []
  await withReceiver(
    ({ body }) => {
      all = [...all, ...(JSON.parse(body) as Batch).items.map(({ auditID }) => auditID)]
      return { code: 200 }
    },
    { auditWebhookBatchMaxWait: '10m' },
    async ({ ask }) => {
      await ask('last')
      assert.equal(all, [])
    },
  )
  assert.is(all.filter(id => id === 'last').length, 2)
})

webhook('a config that cannot be used stops the start', async () => {
  const folder = temporaryFolder()
  const file = folder.write('webhook.yaml', 'kind: Config\ncurrent-context: none\n')
  const start = withServer({ options: { auditWebhookConfigFile: file } }, async () => {})
  await rejects(start, /none/)
  folder.remove()
})

webhook.run()
