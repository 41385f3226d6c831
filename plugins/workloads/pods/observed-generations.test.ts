import type { Pod } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { keepObservedGenerations } from './observed-generations.js'

const podWith = (
  own: number | undefined,
  conditions: readonly (readonly [type: string, generation?: number])[],
): Pod => ({
  spec: { containers: [] },
  status: {
    ...(own === undefined ? {} : { observedGeneration: own }),
    conditions: conditions.map(([type, observedGeneration]) => ({
      type,
      status: 'True',
      ...(observedGeneration === undefined ? {} : { observedGeneration }),
    })),
  } as NonNullable<Pod['status']>,
})
const kept = (sent: Pod, stored: Pod) => {
  keepObservedGenerations(sent, stored)
  const { observedGeneration, conditions } = sent.status ?? {}
  return [observedGeneration, conditions?.map(({ type, observedGeneration: of }) => [type, of])]
}

const generations = suite('observed generations of Pods')
generations('stay where they are omitted, by type and order', () => {
  const stored = podWith(3, [
    ['Ready', 3],
    ['a/b', 1],
    ['a/b', 2],
  ])
  const sent = podWith(undefined, [['a/b'], ['New'], ['a/b'], ['a/b'], ['Ready']])
  assert.equal(kept(sent, stored), [
    3,
    [
      ['a/b', 1],
      ['New', undefined],
      ['a/b', 2],
      ['a/b', undefined],
      ['Ready', 3],
    ],
  ])
})
generations('are what was sent', () => {
  assert.equal(kept(podWith(4, [['Ready', 4]]), podWith(3, [['Ready', 3]])), [4, [['Ready', 4]]])
})
generations.run()
