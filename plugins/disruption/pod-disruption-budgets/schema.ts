import {
  Condition,
  embedded,
  field,
  Int32,
  Int64,
  IntOrString,
  KeyedList,
  Kind,
  kept,
  LabelSelector,
  MapOf,
  required,
  type Static,
  Struct,
  Text,
  Time,
} from 'orch/sdk'

export const PodDisruptionBudgetSpec = Struct(
  'policy.v1.PodDisruptionBudgetSpec',
  {
    minAvailable: kept(
      1,
      IntOrString(),
      'How many Pods must be available after an eviction, as a number or a percentage. Excludes maxUnavailable.',
    ),
    selector: kept(2, LabelSelector, { description: 'Labels of the Pods.', patchStrategy: 'replace' }),
    maxUnavailable: kept(
      3,
      IntOrString(),
      'How many Pods may be unavailable after an eviction, as a number or a percentage. Excludes minAvailable.',
    ),
    unhealthyPodEvictionPolicy: kept(4, Text(), {
      description:
        'When running Pods that are not ready may be evicted: IfHealthyBudget (the default), or AlwaysAllow.',
      since: '1.26',
      gate: 'PDBUnhealthyPodEvictionPolicy',
    }),
  },
  { description: 'How many Pods must be available.' },
)
export type PodDisruptionBudgetSpec = Static<typeof PodDisruptionBudgetSpec>

export const PodDisruptionBudgetStatus = Struct(
  'policy.v1.PodDisruptionBudgetStatus',
  {
    observedGeneration: field(1, Int64(), 'The generation of the budget that the status refers to.'),
    disruptedPods: field(
      2,
      MapOf(Time()),
      'Pods whose eviction was allowed but not yet observed, with the time it was allowed.',
    ),
    disruptionsAllowed: required(3, Int32(), {
      description: 'How many Pods may be evicted now.',
      revised: [{ since: '1.36', to: { isRequired: false } }],
    }),
    currentHealthy: required(4, Int32(), {
      description: 'How many Pods are healthy.',
      revised: [{ since: '1.36', to: { isRequired: false } }],
    }),
    desiredHealthy: required(5, Int32(), {
      description: 'How many Pods must be healthy.',
      revised: [{ since: '1.36', to: { isRequired: false } }],
    }),
    expectedPods: required(6, Int32(), {
      description: 'How many Pods the budget covers.',
      revised: [{ since: '1.36', to: { isRequired: false } }],
    }),
    conditions: field(7, KeyedList(Condition, 'type'), 'Observed conditions.'),
  },
  { description: 'How many evictions are possible now.' },
)
export type PodDisruptionBudgetStatus = Static<typeof PodDisruptionBudgetStatus>

export const PodDisruptionBudget = Kind(
  'policy.v1.PodDisruptionBudget',
  {
    spec: embedded(2, PodDisruptionBudgetSpec, 'Desired state.'),
    status: embedded(3, PodDisruptionBudgetStatus, 'Observed state. Written by the system.'),
  },
  { description: 'How many Pods of a group may be disrupted at the same time.' },
)
export type PodDisruptionBudget = Static<typeof PodDisruptionBudget>
