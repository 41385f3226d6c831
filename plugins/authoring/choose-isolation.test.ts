import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { chooseIsolation } from './choose-isolation.js'

const choose = suite('the isolation of a new plugin')

/** A user at a terminal who gives this answer; undefined without a terminal. */
const person = (answer: string | undefined) => {
  const asked: string[] = []
  const ask = async (question: string) => {
    asked.push(question)
    return answer ?? ''
  }
  return { asked, context: answer === undefined ? {} : { ask } }
}

choose('is prompted for at a terminal', async () => {
  const { asked, context } = person('worker ')
  assert.equal(await chooseIsolation(undefined, context), { grade: 'worker' })
  assert.match(asked.join(), /in-process: .*\n {2}worker: .*\n {2}wasm: /)
})
choose('is in-process by default, and without a terminal', async () => {
  assert.equal(await chooseIsolation(undefined, person('').context), { grade: 'in-process' })
  assert.equal(await chooseIsolation(undefined, person(undefined).context), { grade: 'in-process' })
})
choose('is not prompted for if a flag sets it', async () => {
  const { asked, context } = person('worker')
  assert.equal(await chooseIsolation('wasm', context), { grade: 'wasm' })
  assert.equal(asked, [])
})
for (const [title, given, answer] of [
  ['by a flag', 'moon', undefined],
  ['by an empty flag', '', undefined],
  ['by an answer', undefined, 'moon'],
] as const)
  choose(`that does not exist is rejected: ${title}`, async () => {
    const chosen = await chooseIsolation(given, person(answer).context)
    assert.match('problem' in chosen ? chosen.problem : '', /^--isolation must be one of these:\n {2}in-process: /)
  })

choose.run()
