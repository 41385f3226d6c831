import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AdaptiveTimeout } from './adaptive-timeout.js'

const patience = suite('patience with a webhook')
const timeOut = (with_: AdaptiveTimeout, times = 1) => {
  for (let i = 0; i < times; i++) with_.begin(10_000).end('timeout', 10_000)
}

patience('waits the whole timeout at first, and after a timeout or two', () => {
  const webhook = new AdaptiveTimeout()
  timeOut(webhook, 2)
  assert.is(webhook.begin(10_000).waitMs, 10_000)
})
patience('after three timeouts in a row lets one call wait, and the others a second', () => {
  const webhook = new AdaptiveTimeout()
  timeOut(webhook, 3)
  const first = webhook.begin(10_000)
  assert.is(first.waitMs, 10_000)
  assert.is(webhook.begin(10_000).waitMs, 1000)
  assert.is(webhook.begin(500).waitMs, 500)
  first.end('timeout', 10_000)
  assert.is(webhook.begin(10_000).waitMs, 10_000, 'the next one in its place')
})
patience('does not run out because clients are in a hurry', () => {
  const webhook = new AdaptiveTimeout()
  timeOut(webhook, 2)
  for (let i = 0; i < 5; i++) webhook.begin(10_000).end('cut short', 100)
  assert.not.ok(webhook.isLost)
  timeOut(webhook)
  assert.ok(webhook.isLost, 'nor does it begin anew')
})
patience('returns with the first answer', () => {
  const webhook = new AdaptiveTimeout()
  timeOut(webhook, 3)
  webhook.begin(10_000).end('answer', 20)
  assert.not.ok(webhook.isLost)
  assert.equal([webhook.begin(10_000).waitMs, webhook.begin(10_000).waitMs], [10_000, 10_000])
})
patience('is not lost over failures that come at once', () => {
  const webhook = new AdaptiveTimeout()
  for (let i = 0; i < 10; i++) webhook.begin(10_000).end('failure', 1)
  assert.not.ok(webhook.isLost)
})
patience('waits longer for one that is known to be slow', () => {
  const webhook = new AdaptiveTimeout()
  webhook.begin(10_000).end('answer', 2000)
  timeOut(webhook, 3)
  webhook.begin(10_000)
  assert.is(webhook.begin(10_000).waitMs, 4000)
})

patience.run()
