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
    scaleTargetRef: required(1, structs.reference, 'What is scaled.'),
    ...specRest,
    metrics: field(4, ListOf(structs.spec), 'What the number of Pods depends on; the largest result counts.'),
    behavior: kept(5, structs.behavior, 'How fast the number of Pods changes.'),
  },
  { description: 'What is scaled, and by what.' },
)
export const HorizontalPodAutoscalerStatus = Struct(
  'autoscaling.v2beta2.HorizontalPodAutoscalerStatus',
  {
    observedGeneration,
    lastScaleTime,
    currentReplicas: required(3, Int32(), 'How many Pods there are.'),
    desiredReplicas,
    currentMetrics: field(5, ListOf(structs.status), {
      description: 'What was last measured.',
      presence: 'always',
    }),
    conditions: field(6, ListOf(structs.condition), {
      description: 'Observed conditions.',
      presence: 'always',
    }),
  },
  { description: 'What was measured and done.' },
)
export const HorizontalPodAutoscaler = Kind(
  'autoscaling.v2beta2.HorizontalPodAutoscaler',
  {
    spec: embedded(2, HorizontalPodAutoscalerSpec, 'Desired state.'),
    status: embedded(3, HorizontalPodAutoscalerStatus, 'Observed state. Written by the system.'),
  },
  { description: 'Changes a number of Pods by what is measured.' },
)
export type HorizontalPodAutoscaler = SentObjectOf<typeof HorizontalPodAutoscaler>
