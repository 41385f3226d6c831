import { embedded, field, Int32, Kind, kept, ListOf, required, type SentObjectOf, Struct } from 'orch/sdk'
import { metricStructs } from './metric-structs.js'
import * as stable from './schema.js'

const structs = metricStructs('v2beta2')
const { scaleTargetRef: _, metrics: __, behavior: ___, ...specRest } = stable.HorizontalPodAutoscalerSpec.properties
const { observedGeneration, lastScaleTime, desiredReplicas } = stable.HorizontalPodAutoscalerStatus.properties

/** The same fields as in v2, under the names of the older version. */
export const HorizontalPodAutoscalerSpec = Struct(
  'autoscaling.v2beta2.HorizontalPodAutoscalerSpec',
  {
    scaleTargetRef: required(1, structs.reference, 'The scale target.'),
    ...specRest,
    metrics: field(4, ListOf(structs.spec), 'Metrics that determine the number of Pods; the largest result is used.'),
    behavior: kept(5, structs.behavior, 'How fast the number of Pods may change.'),
  },
  { description: 'The scale target, its bounds and metrics.' },
)
export const HorizontalPodAutoscalerStatus = Struct(
  'autoscaling.v2beta2.HorizontalPodAutoscalerStatus',
  {
    observedGeneration,
    lastScaleTime,
    currentReplicas: required(3, Int32(), 'Current number of Pods.'),
    desiredReplicas,
    currentMetrics: field(5, ListOf(structs.status), {
      description: 'The last measurement.',
      presence: 'always',
    }),
    conditions: field(6, ListOf(structs.condition), {
      description: 'Observed conditions.',
      presence: 'always',
    }),
  },
  { description: 'The last measurement and scaling.' },
)
export const HorizontalPodAutoscaler = Kind(
  'autoscaling.v2beta2.HorizontalPodAutoscaler',
  {
    spec: embedded(2, HorizontalPodAutoscalerSpec, 'Desired state.'),
    status: embedded(3, HorizontalPodAutoscalerStatus, 'Observed state. Written by the system.'),
  },
  { description: 'Scales the number of Pods by metrics.' },
)
export type HorizontalPodAutoscaler = SentObjectOf<typeof HorizontalPodAutoscaler>
