import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { RestartDelay } from './restart-delay.js'

const delays = suite('the delay before a worker is replaced')

delays('is zero for one that served and was killed', () => {
  assert.is(new RestartDelay().next(60_000), 0)
  assert.is(new RestartDelay().next(5), 0)
})

delays('doubles for one that never starts to serve, up to half a minute', () => {
  const delay = new RestartDelay()
  const waits = Array.from({ length: 9 }, () => delay.next(0))
  assert.equal(waits, [250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
})

delays('grows for one that dies soon after each start', () => {
  const delay = new RestartDelay()
  assert.equal([delay.next(20), delay.next(20), delay.next(20)], [0, 250, 500])
})

delays('is reset once a worker has served for a while', () => {
  const delay = new RestartDelay()
  for (let i = 0; i < 5; i++) delay.next(0)
  assert.is(delay.next(3_600_000), 0)
})

delays.run()
