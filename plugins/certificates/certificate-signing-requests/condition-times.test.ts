import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isTrue, stored } from '../testing/acme.js'
import { fillConditionTimes } from './condition-times.js'

const times = suite('times of conditions')
const now = Date.parse('2024-05-05T05:05:05.500Z')
const nowText = '2024-05-05T05:05:05Z'
const early = '2020-01-01T00:00:00Z'
const later = '2020-01-02T00:00:00Z'
const before = stored({ conditions: [isTrue('Custom', { lastTransitionTime: early, lastUpdateTime: early })] })

function filled(condition: { type: string; status: string }) {
  const draft = stored({ conditions: [condition] })
  fillConditionTimes(draft, before, now)
  const { lastTransitionTime, lastUpdateTime } = draft.status?.conditions?.[0] ?? {}
  return { lastTransitionTime, lastUpdateTime }
}
times('a new condition has the current time', () => {
  assert.equal(filled(isTrue('Approved')), { lastTransitionTime: nowText, lastUpdateTime: nowText })
})
times('a condition with the same status keeps its transition time', () => {
  assert.equal(filled(isTrue('Custom')), { lastTransitionTime: early, lastUpdateTime: nowText })
})
times('a changed status has the current time', () => {
  const changed = { type: 'Custom', status: 'False' }
  assert.equal(filled(changed), { lastTransitionTime: nowText, lastUpdateTime: nowText })
})
times('given times are kept', () => {
  const given = isTrue('Approved', { lastTransitionTime: early, lastUpdateTime: later })
  assert.equal(filled(given), { lastTransitionTime: early, lastUpdateTime: later })
})
times.run()
