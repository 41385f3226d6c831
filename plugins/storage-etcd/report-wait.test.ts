import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { reportWait } from './report-wait.js'

const waits = suite('a wait that is reported')
const soon = { first: 5, later: 5 }

waits('is reported again and again until it is over, and then no more', async () => {
  const told: number[] = []
  let finish = (_answer: string) => {}
  const work = new Promise<string>(resolve => (finish = resolve))
  const answer = reportWait(
    work,
    seconds => {
      told.push(seconds)
      if (told.length === 3) finish('answer')
    },
    soon,
  )
  assert.is(await answer, 'answer')
  await sleep(50)
  assert.is(told.length, 3)
})

waits('is not reported if it is short, and passes its error on', async () => {
  let told = 0
  const refused = new Error('refused')
  await reportWait(Promise.reject(refused), () => told++, soon).then(
    () => assert.unreachable('the work failed'),
    error => assert.is(error, refused),
  )
  await sleep(50)
  assert.is(told, 0)
})

waits.run()
