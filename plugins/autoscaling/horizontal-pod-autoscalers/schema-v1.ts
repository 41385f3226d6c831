import { embedded, Int32, Kind, kept, required, type SentObjectOf, Struct } from 'orch/sdk'
import { referenceStruct } from './metric-structs.js'
import * as stable from './schema.js'

const { minReplicas, maxReplicas } = stable.HorizontalPodAutoscalerSpec.properties
const { observedGeneration, lastScaleTime, desiredReplicas } = stable.HorizontalPodAutoscalerStatus.properties

/** The oldest version: it knows the cpu only. What it does not know is kept in annotations. */
export const HorizontalPodAutoscaler = Kind(
  'autoscaling.v1.HorizontalPodAutoscaler',
  {
    spec: embedded(
      2,
      Struct(
        'autoscaling.v1.HorizontalPodAutoscalerSpec',
        {
          scaleTargetRef: required(1, referenceStruct('v1'), 'What is scaled.'),
          minReplicas,
          maxReplicas,
          targetCPUUtilizationPercentage: kept(
            4,
            Int32(),
            'The part of the cpu they request that Pods should use, in percent. 80 by default.',
          ),
        },
        { description: 'What is scaled, and by what.' },
      ),
      'Desired state.',
    ),
    status: embedded(
      3,
      Struct(
        'autoscaling.v1.HorizontalPodAutoscalerStatus',
        {
          observedGeneration,
          lastScaleTime,
          currentReplicas: required(3, Int32(), 'How many Pods there are.'),
          desiredReplicas,
          currentCPUUtilizationPercentage: kept(
            5,
            Int32(),
            'The part of the cpu they request that Pods use, in percent.',
          ),
        },
        { description: 'What was measured and done.' },
      ),
      'Observed state. Written by the system.',
    ),
  },
  { description: 'Changes a number of Pods by what is measured.' },
)
export type HorizontalPodAutoscaler = SentObjectOf<typeof HorizontalPodAutoscaler>
