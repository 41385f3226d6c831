import type { ConformanceSamples } from 'orch/sdk'
import type { PodDisruptionBudget } from './pod-disruption-budgets/schema.js'

/** Samples for `orch conformance`: budgets, and the Pods that they cover. */
export const conformance = {
  samples: {
    pods: { valid: () => ({ spec: { containers: [{ name: 'c', image: 'i' }] } }) },
    'poddisruptionbudgets.policy': {
      valid: (): PodDisruptionBudget => ({ spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } } }),
      invalid: {
        'both minAvailable and maxUnavailable': (object: PodDisruptionBudget) => {
          object.spec = { minAvailable: 1, maxUnavailable: 1 }
        },
        'more than 100%': (object: PodDisruptionBudget) => {
          object.spec = { minAvailable: '101%' }
        },
      },
      update: (object: PodDisruptionBudget) => {
        object.spec = { ...object.spec, minAvailable: 2 }
      },
    },
  },
} satisfies ConformanceSamples
