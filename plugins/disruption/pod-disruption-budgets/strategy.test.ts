import { type Condition, orchProfile, Vendor } from 'orch/sdk'
import { stepsOf } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PodDisruptionBudgetStatus } from './schema.js'
import { mainStrategy, statusStrategy } from './strategy.js'

const updates = suite('updates of the status of disruption budgets')
const numbers = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }
const condition = {
  type: 'a.test/B',
  status: 'True',
  reason: 'Why_not',
  message: '',
  lastTransitionTime: '2020-01-01T00:00:00Z',
}
const problems = (change: Partial<PodDisruptionBudgetStatus>, requestVersion = 'v1') =>
  stepsOf(statusStrategy)
    .validateUpdate({ status: { ...numbers, ...change } }, {}, { requestVersion } as never)
    .map(({ field, type }) => `${field} ${type.slice(10)}`)
const withConditions = (...conditions: object[]) => ({ conditions: conditions as Condition[] })

const cases: Record<string, [change: Partial<PodDisruptionBudgetStatus>, ...wrong: string[]]> = {
  'may set a condition': [withConditions(condition)],
  'may not set a condition twice': [withConditions(condition, condition), 'status.conditions[1].type Duplicate'],
  'may not omit required fields of a condition': [
    withConditions({ ...condition, type: '', status: 'Maybe', reason: '', lastTransitionTime: null }),
    'status.conditions[0].type Invalid',
    'status.conditions[0].type Invalid',
    'status.conditions[0].status NotSupported',
    'status.conditions[0].lastTransitionTime Required',
    'status.conditions[0].reason Required',
  ],
  'may not have a sentence as the reason': [
    withConditions({ ...condition, reason: 'why not', observedGeneration: -1 }),
    'status.conditions[0].observedGeneration Invalid',
    'status.conditions[0].reason Invalid',
  ],
  'may not have negative counts': [{ currentHealthy: -1 }, 'status.currentHealthy Invalid'],
}
for (const [title, [change, ...wrong]] of Object.entries(cases))
  updates(title, () => assert.equal(problems(change), wrong))
updates('may have negative counts in the older version', () =>
  assert.equal(problems({ currentHealthy: -1 }, 'v1beta1'), []),
)

const selectors = suite('selectors of disruption budgets')
const key = 'pdb.acme.test/deprecated-v1beta1-empty-selector-match'
const vendor = new Vendor({ ...orchProfile, domain: 'acme.test' })
const none = { matchExpressions: [{ key, operator: 'Exists' }] }
const other = { key: 'a', operator: 'Exists' }
const kept: Record<string, [sent: object, stored: object]> = {
  'may match nothing': [none, none],
  'lose the requirement that matches nothing if they have others': [
    { matchLabels: { [key]: 'x', b: 'c' }, matchExpressions: [...none.matchExpressions, other] },
    { matchLabels: { [key]: 'x', b: 'c' }, matchExpressions: [other] },
  ],
  'keep a label of the same key, without which they would match everything': [
    { matchLabels: { [key]: 'x' } },
    { matchLabels: { [key]: 'x' } },
  ],
}
for (const [title, [sent, stored]] of Object.entries(kept))
  selectors(title, () => {
    const draft = { spec: { selector: structuredClone(sent) } }
    stepsOf(mainStrategy).prepareForCreate(draft, { vendor } as never)
    assert.equal(draft.spec.selector, stored)
  })

updates.run()
selectors.run()
