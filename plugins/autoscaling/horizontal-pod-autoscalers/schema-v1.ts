import { embedded, Int32, Kind, kept, required, type SentObjectOf, Struct } from 'orch/sdk'
import { referenceStruct } from './metric-structs.js'
import * as stable from './schema.js'

const { minReplicas, maxReplicas } = stable.HorizontalPodAutoscalerSpec.properties
const { observedGeneration, lastScaleTime, desiredReplicas } = stable.HorizontalPodAutoscalerStatus.properties

/** The oldest version, which supports only the cpu. Annotations contain the other fields. */
export const HorizontalPodAutoscaler = Kind(
  'autoscaling.v1.HorizontalPodAutoscaler',
  {
    spec: embedded(
      2,
      Struct(
        'autoscaling.v1.HorizontalPodAutoscalerSpec',
        {
          scaleTargetRef: required(1, referenceStruct('v1'), 'The scale target.'),
          minReplicas,
          maxReplicas,
          targetCPUUtilizationPercentage: kept(
            4,
            Int32(),
            'The target cpu utilization, in percent of the requests of the Pods. 80 by default.',
          ),
        },
        { description: 'The scale target, its bounds and metrics.' },
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
          currentReplicas: required(3, Int32(), 'Current number of Pods.'),
          desiredReplicas,
          currentCPUUtilizationPercentage: kept(
            5,
            Int32(),
            'The current cpu utilization, in percent of the requests of the Pods.',
          ),
        },
        { description: 'The last measurement and scaling.' },
      ),
      'Observed state. Written by the system.',
    ),
  },
  { description: 'Scales the number of Pods by metrics.' },
)
export type HorizontalPodAutoscaler = SentObjectOf<typeof HorizontalPodAutoscaler>
