import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AdaptiveTimeout } from './adaptive-timeout.js'

const timeouts = suite('the adaptive timeout of a webhook')
const timeOut = (with_: AdaptiveTimeout, times = 1) => {
  for (let i = 0; i < times; i++) with_.begin(10_000).end('timeout', 10_000)
}

timeouts('is the full timeout at first, and after a timeout or two', () => {
  const webhook = new AdaptiveTimeout()
  timeOut(webhook, 2)
  assert.is(webhook.begin(10_000).waitMs, 10_000)
})
timeouts('is full for one call at a time after three timeouts in a row, and a second for the others', () => {
  const webhook = new AdaptiveTimeout()
  timeOut(webhook, 3)
  const first = webhook.begin(10_000)
  assert.is(first.waitMs, 10_000)
  assert.is(webhook.begin(10_000).waitMs, 1000)
  assert.is(webhook.begin(500).waitMs, 500)
  first.end('timeout', 10_000)
  assert.is(webhook.begin(10_000).waitMs, 10_000, 'the next one takes over')
})
timeouts('does not shrink because of short timeouts of clients', () => {
  const webhook = new AdaptiveTimeout()
  timeOut(webhook, 2)
  for (let i = 0; i < 5; i++) webhook.begin(10_000).end('cut short', 100)
  assert.not.ok(webhook.isPresumedHanging)
  timeOut(webhook)
  assert.ok(webhook.isPresumedHanging, 'nor is it reset')
})
timeouts('is full again after the first response', () => {
  const webhook = new AdaptiveTimeout()
  timeOut(webhook, 3)
  webhook.begin(10_000).end('answer', 20)
  assert.not.ok(webhook.isPresumedHanging)
  assert.equal([webhook.begin(10_000).waitMs, webhook.begin(10_000).waitMs], [10_000, 10_000])
})
timeouts('does not shrink because of immediate failures', () => {
  const webhook = new AdaptiveTimeout()
  for (let i = 0; i < 10; i++) webhook.begin(10_000).end('failure', 1)
  assert.not.ok(webhook.isPresumedHanging)
})
timeouts('is longer for a webhook that is known to be slow', () => {
  const webhook = new AdaptiveTimeout()
  webhook.begin(10_000).end('answer', 2000)
  timeOut(webhook, 3)
  webhook.begin(10_000)
  assert.is(webhook.begin(10_000).waitMs, 4000)
})

timeouts.run()
