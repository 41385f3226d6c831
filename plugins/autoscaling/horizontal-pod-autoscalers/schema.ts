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
    scaleTargetRef: required(1, structs.reference, 'What is scaled.'),
    minReplicas: kept(2, Int32(), { description: 'The fewest Pods. 1 by default.', default: 1 }),
    maxReplicas: required(3, Int32(), 'The most Pods.'),
    metrics: field(
      4,
      ListOf(structs.spec, { listType: 'atomic' }),
      'What the number of Pods depends on; the largest result counts. By default 80% of the cpu that Pods request.',
    ),
    behavior: kept(5, structs.behavior, 'How fast the number of Pods changes.'),
  },
  { description: 'What is scaled, and by what.' },
)
export type HorizontalPodAutoscalerSpec = Static<typeof HorizontalPodAutoscalerSpec>

export const HorizontalPodAutoscalerStatus = Struct(
  'autoscaling.v2.HorizontalPodAutoscalerStatus',
  {
    observedGeneration: kept(1, Int64(), 'The generation that the status is about.'),
    lastScaleTime: kept(2, Time(), 'When the number of Pods was last changed.'),
    currentReplicas: field(3, Int32(), 'How many Pods there are.'),
    desiredReplicas: required(4, Int32(), 'How many there should be.'),
    currentMetrics: field(5, ListOf(structs.status, { listType: 'atomic' }), {
      description: 'What was last measured.',
      presence: 'always',
    }),
    conditions: field(6, KeyedList(structs.condition, 'type'), 'Observed conditions.'),
  },
  { description: 'What was measured and done.' },
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
  { description: 'Changes a number of Pods by what is measured.' },
)
export type HorizontalPodAutoscaler = SentObjectOf<typeof HorizontalPodAutoscaler>

/** Names the collection for clients and caches. */
export const autoscalerCollection = {
  group: 'autoscaling',
  version: 'v2',
  resource: 'horizontalpodautoscalers',
} as const
