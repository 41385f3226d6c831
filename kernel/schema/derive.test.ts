import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { onceSucceeded } from './derive.js'

const deriving = suite('derived values')

deriving('work that failed is done again at the next call, work that succeeded never', async () => {
  let calls = 0
  const work = onceSucceeded(async () => {
    calls++
    if (calls === 1) throw new Error('the first call fails')
    return calls
  })
  await work().then(
    () => assert.unreachable(),
    error => assert.match(String(error), 'the first call fails'),
  )
  assert.equal(await Promise.all([work(), work()]), [2, 2])
  assert.is(await work(), 2)
})

deriving.run()
