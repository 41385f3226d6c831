import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { numbersOf, type StoredJob } from './job-state.js'
import { FailureTimes } from './job-work.js'
import { firstIndexes } from './manage-pods.js'
import { fulfilledRule } from './success-policy.js'

const completions = 2 ** 31 - 1
const jobOf = (succeededIndexes: string, succeededCount?: number): StoredJob =>
  ({
    metadata: { name: 'huge', namespace: 'town', uid: 'u' },
    spec: { completions, successPolicy: { rules: [{ succeededIndexes, succeededCount }] } },
  }) as StoredJob

const huge = suite('jobs with billions of completions')

huge('only as many free indexes are searched as are needed', () => {
  const taken = new Set([0, 1, 3])
  assert.equal(
    firstIndexes(completions, 3, index => !taken.has(index)),
    [2, 4, 5],
  )
})
huge('a success policy is decided without a list of its indexes', () => {
  const all = `0-${completions - 1}`
  assert.is(fulfilledRule(jobOf(all, 2), new Set([completions - 1, 5])), 0)
  assert.is(fulfilledRule(jobOf(all), new Set([5])), undefined)
  assert.is(fulfilledRule(jobOf('1,3-5'), new Set([5, 3, 4, 1, 9])), 0)
  assert.is(fulfilledRule(jobOf('1,3-5'), new Set([5, 2, 4, 1, 9])), undefined)
})
huge('a status that lists too many indexes is an error', () => {
  assert.throws(() => numbersOf(`0-${completions - 1}`), /more than 10000000 indexes/)
})
huge('failures of a deleted job are forgotten', () => {
  const failures = new FailureTimes()
  const job = jobOf('')
  failures.set(job, { count: 1, at: 7 })
  failures.set(job, { count: 2, at: 8 }, '/3')
  assert.equal([failures.get(job)?.at, failures.get(job, '/3')?.at], [7, 8])
  failures.forget('town/huge')
  assert.is(failures.get(job, '/3'), undefined)
})

huge.run()
