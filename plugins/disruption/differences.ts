import { defineDifference } from 'orch/sdk'

export const evictedPodsAreMarked = defineDifference({
  name: 'evicted-pods-have-a-condition',
  since: '1.26',
  additive: true,
  description:
    'A Pod that is evicted has the condition DisruptionTarget, which is taken back if it is still there two minutes later.',
  knownFrom: 'gate',
})

export const disruptionDifferences = [evictedPodsAreMarked]
