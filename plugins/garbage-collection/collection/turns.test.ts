import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Turns } from './turns.js'

const turns = suite('turns')

turns('does no more than so much at once, all of it, and in order', async () => {
  const begun: number[] = []
  let running = 0
  let most = 0
  const taken = new Turns(3)
  const work = (n: number) => async () => {
    begun.push(n)
    most = Math.max(most, ++running)
    await new Promise(resolve => setImmediate(resolve))
    running--
    return n
  }
  const numbers = Array.from({ length: 20 }, (_, n) => n)
  assert.equal(await Promise.all(numbers.map(n => taken.run(work(n)))), numbers)
  assert.equal(begun, numbers)
  assert.is(most, 3)
})

turns('gives the turn of work that fails to the next', async () => {
  const taken = new Turns(1)
  const failing = taken.run(() => Promise.reject(new Error('no')))
  const next = taken.run(async () => 'done')
  await failing.then(assert.unreachable, error => assert.is(error.message, 'no'))
  assert.is(await next, 'done')
})

turns.run()
