import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { rejects } from '../support/rejects.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { type Batch, ids, lostEvents, patienceMs, withReceiver } from './audit-receiver.js'
import { withServer } from './with-server.js'

const webhook = suite('audit to a webhook')

webhook(
  'receives every event once, in batches, with the client certificate of its config; the file has the same events',
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

webhook('a slow receiver delays no request and gets larger batches', () => {
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
      // The receiver has not answered yet, but all requests have been served.
      for (const status of await Promise.all(ids(30).map(ask))) assert.is(status, 200)
      assert.is(batches().length, 0)
      isOpen.release()
      await eventually('all of them', () => arrived('ResponseComplete').length >= 30, patienceMs)
      assert.ok(batches().length < 30)
    },
  )
})

webhook(
  'the buffer is bounded: events beyond it are dropped, counted and logged once; later ones are sent again',
  () => {
    let isDown = true
    return withReceiver(
      () => ({ code: isDown ? 500 : 200 }),
      { auditWebhookBatchBufferSize: 10, auditWebhookInitialBackoff: '1s' },
      async ({ ask, arrived, metric, log }) => {
        for (const status of await Promise.all(ids(30).map(ask))) assert.is(status, 200)
        await eventually('losses to be counted', async () => (await metric(lostEvents)) >= 50 - 10, patienceMs)
        assert.is(log().split('the audit webhook does not accept events').length - 1, 1)
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
        await eventually('the report of the losses', () => /"lost":\d+.*accepts events again/.test(log()), patienceMs)
      },
    )
  },
)

webhook('a receiver that was unavailable for a while gets the buffered events', () =>
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

webhook('blocking: a request waits for the receiver, but does not fail with it', () => {
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

webhook('blocking-strict: a request fails if the receiver rejects its event', () => {
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

webhook('buffered events are sent when the server stops', async () => {
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
