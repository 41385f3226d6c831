import {
  embedded,
  field,
  Int32,
  Int64,
  KeyedList,
  Kind,
  kept,
  ListOf,
  required,
  type SentObjectOf,
  type Static,
  Struct,
  Time,
} from 'orch/sdk'
import { stableStructs as structs } from './metric-structs.js'

export const HorizontalPodAutoscalerSpec = Struct(
  'autoscaling.v2.HorizontalPodAutoscalerSpec',
  {
    scaleTargetRef: required(1, structs.reference, 'The scale target.'),
    minReplicas: kept(2, Int32(), { description: 'Minimum number of Pods. 1 by default.', default: 1 }),
    maxReplicas: required(3, Int32(), 'Maximum number of Pods.'),
    metrics: field(
      4,
      ListOf(structs.spec, { listType: 'atomic' }),
      'Metrics that determine the number of Pods; the largest result is used. By default 80% of the requested cpu.',
    ),
    behavior: kept(5, structs.behavior, 'How fast the number of Pods may change.'),
  },
  { description: 'The scale target, its bounds and metrics.' },
)
export type HorizontalPodAutoscalerSpec = Static<typeof HorizontalPodAutoscalerSpec>

export const HorizontalPodAutoscalerStatus = Struct(
  'autoscaling.v2.HorizontalPodAutoscalerStatus',
  {
    observedGeneration: kept(1, Int64(), 'The generation that the status refers to.'),
    lastScaleTime: kept(2, Time(), 'When the number of Pods was last changed.'),
    currentReplicas: field(3, Int32(), 'Current number of Pods.'),
    desiredReplicas: required(4, Int32(), 'Desired number of Pods.'),
    currentMetrics: field(5, ListOf(structs.status, { listType: 'atomic' }), {
      description: 'The last measurement.',
      presence: 'always',
    }),
    conditions: field(6, KeyedList(structs.condition, 'type'), 'Observed conditions.'),
  },
  { description: 'The last measurement and scaling.' },
)
export type HorizontalPodAutoscalerStatus = Static<typeof HorizontalPodAutoscalerStatus>

export const HorizontalPodAutoscaler = Kind(
  'autoscaling.v2.HorizontalPodAutoscaler',
  {
    spec: embedded(2, HorizontalPodAutoscalerSpec, {
      description: 'Desired state.',
      revised: [{ since: '1.36', to: { isRequired: true } }],
    }),
    status: embedded(3, HorizontalPodAutoscalerStatus, 'Observed state. Written by the system.'),
  },
  { description: 'Scales the number of Pods by metrics.' },
)
export type HorizontalPodAutoscaler = SentObjectOf<typeof HorizontalPodAutoscaler>

/** Names the collection for clients and caches. */
export const autoscalerCollection = {
  group: 'autoscaling',
  version: 'v2',
  resource: 'horizontalpodautoscalers',
} as const
