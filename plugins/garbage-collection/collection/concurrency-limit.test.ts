import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ConcurrencyLimit } from './concurrency-limit.js'

const limits = suite('concurrency limits')

limits('bound concurrency, and run everything in order', async () => {
  const begun: number[] = []
  let running = 0
  let most = 0
  const limit = new ConcurrencyLimit(3)
  const work = (n: number) => async () => {
    begun.push(n)
    most = Math.max(most, ++running)
    await new Promise(resolve => setImmediate(resolve))
    running--
    return n
  }
  const numbers = Array.from({ length: 20 }, (_, n) => n)
  assert.equal(await Promise.all(numbers.map(n => limit.run(work(n)))), numbers)
  assert.equal(begun, numbers)
  assert.is(most, 3)
})

limits('continue after work that fails', async () => {
  const limit = new ConcurrencyLimit(1)
  const failing = limit.run(() => Promise.reject(new Error('no')))
  const next = limit.run(async () => 'done')
  await failing.then(assert.unreachable, error => assert.is(error.message, 'no'))
  assert.is(await next, 'done')
})

limits.run()
