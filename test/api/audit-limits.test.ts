import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { ids, lostEvents, patienceMs, withReceiver } from './audit-receiver.js'

const limits = suite('audit events that are too large or too many')

limits(
  'an event that is too large is sent without its bodies; one that is still too large is dropped and counted',
  () => {
    const folder = temporaryFolder()
    const policy = { apiVersion: 'audit.api.acme.test/v1', kind: 'Policy', rules: [{ level: 'RequestResponse' }] }
    const sizes = { auditWebhookTruncateMaxEventSize: 4000, auditLogTruncateMaxEventSize: 4000 }
    return withReceiver(
      () => ({ code: 200 }),
      {
        auditPolicyFile: folder.write('policy.json', JSON.stringify(policy)),
        auditWebhookTruncateEnabled: true,
        auditLogTruncateEnabled: true,
        ...sizes,
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
  },
)

limits('batches are throttled, and no event is lost', () => {
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
      // A burst of two, then one every 200 ms: a slow machine only makes it slower.
      const [first = 0] = times
      const tooSoon = times.filter((at, index) => at - first < ((index - 2) / perSecond) * 900)
      assert.equal(tooSoon, [])
      assert.ok(times.length >= 10)
      assert.is(await metric(lostEvents), 0)
    },
  )
})

limits.run()
