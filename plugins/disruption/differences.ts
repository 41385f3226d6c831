import { defineDifference } from 'orch/sdk'

export const evictedPodsAreMarked = defineDifference({
  name: 'evicted-pods-have-a-condition',
  since: '1.26',
  additive: true,
  description:
    'An evicted Pod has the condition DisruptionTarget, which is reset if the Pod still exists two minutes later.',
  knownFrom: 'gate',
})

export const outOfServiceNodes = defineDifference({
  name: 'pods-of-nodes-out-of-service-are-removed',
  since: '1.26',
  additive: true,
  description: 'Pods that are being deleted are removed from nodes with the taint out-of-service that do not report.',
  knownFrom: 'gate',
})

export const longerGracePeriod = defineDifference({
  name: 'nodes-may-be-silent-for-50-seconds',
  since: '1.32',
  description: 'A node that does not report becomes Unknown after 50 seconds by default; before, after 40.',
  knownFrom: 'source',
})

export const disruptionDifferences = [evictedPodsAreMarked, outOfServiceNodes, longerGracePeriod]
