import type { Pod } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PodDisruptionBudget } from '../pod-disruption-budgets/schema.js'
import { covers, expectationOf, isSameStatus, statusOf } from './budget-status.js'

const budgets = suite('the status of a disruption budget')
const budget = (spec: PodDisruptionBudget['spec'], rest: Partial<PodDisruptionBudget> = {}): PodDisruptionBudget => ({
  metadata: { name: 'b', generation: 2 },
  spec,
  ...rest,
})
const pod = (name: string, isReady = true, metadata: Pod['metadata'] = {}): Pod => ({
  metadata: { name, labels: { app: 'x' }, ...metadata },
  spec: { containers: [] },
  status: { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
})

const expectations: Record<
  string,
  [spec: PodDisruptionBudget['spec'], pods: number, scale: number, wanted: [number, number]]
> = {
  'minAvailable as a number refers to existing Pods': [{ minAvailable: 2 }, 3, 5, [3, 2]],
  'minAvailable as a percentage refers to desired Pods': [{ minAvailable: '50%' }, 3, 5, [5, 3]],
  'maxUnavailable as a number refers to desired Pods': [{ maxUnavailable: 1 }, 3, 5, [5, 4]],
  'maxUnavailable as a percentage is rounded up': [{ maxUnavailable: '30%' }, 3, 5, [5, 3]],
  'maxUnavailable may exceed the number of Pods': [{ maxUnavailable: 9 }, 3, 5, [5, 0]],
}
for (const [title, [spec, pods, scale, wanted]] of Object.entries(expectations))
  budgets(title, () => {
    const { expectedPods, desiredHealthy } = expectationOf(budget(spec), pods, scale)
    assert.equal([expectedPods, desiredHealthy], wanted)
  })

const now = Date.parse('2020-01-01T00:10:00Z')
const expected = { expectedPods: 3, desiredHealthy: 1 }
budgets('counts Pods that are ready, not being deleted and not being evicted', () => {
  const disruptedPods = { a: '2020-01-01T00:09:00Z', gone: '2020-01-01T00:09:00Z', d: '2020-01-01T00:00:00Z' }
  const status = { disruptedPods, disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }
  const pods = [
    pod('a'),
    pod('b'),
    pod('c', false),
    pod('d'),
    pod('e', true, { deletionTimestamp: '2020-01-01T00:00:00Z' }),
  ]
  const { conditions, ...numbers } = statusOf(budget({ minAvailable: 1 }, { status }), pods, expected, now)
  assert.equal(numbers, {
    observedGeneration: 2,
    disruptedPods: { a: '2020-01-01T00:09:00Z' },
    disruptionsAllowed: 1,
    currentHealthy: 2,
    desiredHealthy: 1,
    expectedPods: 3,
  })
  assert.equal(
    conditions?.map(({ type, status, reason }) => [type, status, reason]),
    [['DisruptionAllowed', 'True', 'SufficientPods']],
  )
})
budgets('allows no disruption when too few are healthy, or none are expected', () => {
  assert.is(statusOf(budget({}), [], { expectedPods: 0, desiredHealthy: 0 }, now).disruptionsAllowed, 0)
  const status = statusOf(budget({}), [pod('a', false)], expected, now)
  assert.equal([status.disruptionsAllowed, status.conditions?.[0]?.reason], [0, 'InsufficientPods'])
})
budgets('does not change, including the time of its condition, if nothing has changed', () => {
  const first = statusOf(budget({ minAvailable: 1 }), [pod('a'), pod('b')], expected, now)
  const second = statusOf(budget({ minAvailable: 1 }, { status: first }), [pod('a'), pod('b')], expected, now + 60_000)
  assert.ok(isSameStatus(first, second))
})
budgets('covers the Pods of its selector: none without one, all with an empty one', () => {
  assert.equal(
    [{}, { selector: {} }, { selector: { matchLabels: { app: 'y' } } }].map(spec => covers(budget(spec))(pod('a'))),
    [false, true, false],
  )
})
budgets.run()
