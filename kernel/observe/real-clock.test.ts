import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { realClock } from './real-clock.js'

const clock = suite('the clock of this machine')

clock('a delay of months does not fire at once', async () => {
  const called: string[] = []
  const cancels = [2 ** 31, 1e12, Number.POSITIVE_INFINITY].map(ms =>
    realClock.after(ms, () => called.push(String(ms))),
  )
  await new Promise<void>(resolve => {
    // Timers of this clock do not keep the process alive, so another one does.
    const alive = setInterval(() => {}, 1000)
    realClock.after(50, () => {
      clearInterval(alive)
      resolve()
    })
  })
  for (const cancel of cancels) cancel()
  assert.equal(called, [])
})

clock.run()
