import { setImmediate } from 'node:timers/promises'
import { fakeClock, fakeLogger } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AuditWebhook } from './audit-webhook.js'

/** A receiver that takes a batch or hangs until the sender gives up, as it is told. */
function aWebhook() {
  const [clock, logger] = [fakeClock(0), fakeLogger()]
  const receiver = { hangs: 0, attempts: 0, taken: [] as string[] }
  let lost = 0
  const post = (body: string, signal?: AbortSignal): Promise<never> => {
    receiver.attempts++
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (receiver.hangs > 0) {
      receiver.hangs--
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    }
    receiver.taken.push(...(JSON.parse(body).items as string[]))
    return Promise.resolve(undefined as never)
  }
  const webhook = new AuditWebhook({
    endpoint: { post, close: async () => {} },
    recordType: { kind: 'Event', apiVersion: 'audit/v1' },
    clock,
    logger,
    mode: 'batch',
    maxBatchEvents: 2,
    maxWaitMs: 1000,
    maxBufferedEvents: 100,
    maxBufferedBytes: 10_000,
    maxBatchBytes: 10_000,
    firstBackoffMs: 1000,
    onLoss: events => (lost += events),
  })
  return { webhook, clock, logger, receiver, lost: () => lost }
}

const stop = suite('the audit webhook of a server that stops')

stop('sends what waits, also when the receiver does not answer what it was sent before', async () => {
  const { webhook, clock, receiver, lost } = aWebhook()
  receiver.hangs = 1
  for (let event = 1; event <= 5; event++) webhook.write(String(event))
  await setImmediate()
  const closed = webhook.close()
  await clock.advance(2500)
  await closed
  assert.equal(receiver.taken, [1, 2, 3, 4, 5])
  assert.is(lost(), 0)
})

stop('gives up in time, and tells how much was lost', async () => {
  const { webhook, clock, receiver, lost, logger } = aWebhook()
  receiver.hangs = Number.POSITIVE_INFINITY
  for (let event = 1; event <= 5; event++) webhook.write(String(event))
  await setImmediate()
  const closed = webhook.close()
  await clock.advance(2500)
  await setImmediate()
  await clock.advance(2500)
  await closed
  assert.equal([receiver.taken, lost()], [[], 5])
  assert.is(logger.lines.at(-1)?.message, 'the audit webhook has lost events')
})

stop.run()
