import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AnswerTurns } from './answer-turns.js'

const turns = suite('turns of long answers')
const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve))

turns('one answer proceeds in each turn of the event loop, in the order of asking', async () => {
  const answers = new AnswerTurns()
  const proceeded: string[] = []
  for (const name of ['a', 'b', 'c']) answers.await(() => proceeded.push(name))
  assert.equal(proceeded, [])
  const counts: number[] = []
  for (let turn = 0; turn < 4; turn++) {
    await nextTurn()
    counts.push(proceeded.length)
  }
  assert.equal(counts, [1, 2, 3, 3])
  assert.equal(proceeded, ['a', 'b', 'c'])
})

turns('an answer that asks again comes after those that wait', async () => {
  const answers = new AnswerTurns()
  const proceeded: string[] = []
  answers.await(() => {
    proceeded.push('long')
    answers.await(() => proceeded.push('long again'))
  })
  answers.await(() => proceeded.push('other'))
  for (let turn = 0; turn < 4; turn++) await nextTurn()
  assert.equal(proceeded, ['long', 'other', 'long again'])
})

turns('those who ask later, after a pause, are served too', async () => {
  const answers = new AnswerTurns()
  let count = 0
  for (let round = 0; round < 3; round++) {
    answers.await(() => count++)
    await nextTurn()
    await nextTurn()
  }
  assert.is(count, 3)
})

turns('an answer that has proceeded is let go, even while others never stop asking', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const answers = new AnswerTurns()
  let isFlooding = true
  const flood = () => void (isFlooding && answers.await(flood))
  flood()
  const released = (() => {
    const proceed = () => {}
    answers.await(proceed)
    return new WeakRef(proceed)
  })()
  flood()
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  collectGarbage()
  assert.is(released.deref(), undefined)
  isFlooding = false
})

turns.run()
