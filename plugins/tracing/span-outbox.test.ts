import { fakeLogger, fakeMetrics } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SpanOutbox } from './span-outbox.js'
import type { SpanRecord } from './span-record.js'

/** An outbox whose batches are accepted or rejected by the test. */
function anOutbox() {
  const batches: { readonly size: number; take(): void; refuse(): void }[] = []
  const send = (spans: readonly SpanRecord[]) =>
    new Promise<void>((resolve, reject) => {
      batches.push({ size: spans.length, take: resolve, refuse: () => reject(new Error('the receiver is ill')) })
    })
  const [logger, metrics] = [fakeLogger(), fakeMetrics()]
  const outbox = new SpanOutbox({ send, to: 'http://collector', logger, metrics })
  const add = (count: number) => {
    for (let i = 0; i < count; i++) outbox.add({} as SpanRecord)
  }
  const settled = () => new Promise(resolve => setImmediate(resolve))
  return { outbox, add, batches, logger, metrics, settled }
}

const boxes = suite('queued spans')

boxes('are sent in full batches, one at a time, and dropped ones are counted', async () => {
  const { outbox, add, batches, metrics, settled } = anOutbox()
  add(512 + 2048 + 3)
  assert.equal(
    batches.map(({ size }) => size),
    [512],
  )
  assert.is(metrics.valueOf('tracing_spans_total', { result: 'lost' }), 3)
  batches[0]!.take()
  await settled()
  assert.is(batches.length, 2)
  const closed = outbox.close()
  for (let at = 1; at < batches.length; at++) {
    batches[at]!.take()
    await settled()
  }
  await closed
  assert.equal(
    batches.map(({ size }) => size),
    [512, 512, 512, 512, 512],
  )
  assert.is(metrics.valueOf('tracing_spans_total', { result: 'sent' }), 5 * 512)
})

boxes('that cannot be delivered are dropped, which is logged once, as is the recovery', async () => {
  const { outbox, add, batches, logger, metrics, settled } = anOutbox()
  for (const isTaken of [false, false, true, true]) {
    add(1)
    const closed = outbox.close()
    const last = batches.at(-1)!
    if (isTaken) last.take()
    else last.refuse()
    await closed
    await settled()
  }
  assert.equal(
    logger.lines.map(({ message }) => message),
    ['traces cannot be delivered and are dropped', 'traces are delivered again'],
  )
  assert.is(metrics.valueOf('tracing_spans_total', { result: 'lost' }), 2)
})

boxes('are sent soon if there are few', async () => {
  const { add, batches } = anOutbox()
  add(2)
  while (batches.length === 0) await new Promise(resolve => setTimeout(resolve, 10))
  assert.is(batches[0]!.size, 2)
})

boxes.run()
