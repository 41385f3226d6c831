import type { ConformanceSamples } from 'orch/sdk'
import type { HorizontalPodAutoscaler } from './horizontal-pod-autoscalers/schema.js'

const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }

/** Samples for `orch conformance`. */
export const conformance = {
  samples: {
    'horizontalpodautoscalers.autoscaling': {
      valid: (): HorizontalPodAutoscaler => ({ spec: { scaleTargetRef, maxReplicas: 5 } }),
      invalid: {
        'a maximum below the minimum': (object: HorizontalPodAutoscaler) => {
          object.spec = { scaleTargetRef, minReplicas: 3, maxReplicas: 2 }
        },
        'no scale target': (object: HorizontalPodAutoscaler) => {
          object.spec = { scaleTargetRef: { kind: '', name: '' }, maxReplicas: 2 }
        },
      },
      update: (object: HorizontalPodAutoscaler) => {
        object.spec = { scaleTargetRef, maxReplicas: 7 }
      },
    },
  },
} satisfies ConformanceSamples
