import {
  Condition,
  embedded,
  field,
  Int32,
  Int64,
  IntOrString,
  Kind,
  kept,
  LabelSelector,
  ListOf,
  MapOf,
  needed,
  type Static,
  Struct,
  Time,
} from 'orch/sdk'

export const PodDisruptionBudgetSpec = Struct('policy.v1.PodDisruptionBudgetSpec', {
  minAvailable: kept(1, IntOrString()),
  selector: kept(2, LabelSelector),
  maxUnavailable: kept(3, IntOrString()),
})
export type PodDisruptionBudgetSpec = Static<typeof PodDisruptionBudgetSpec>

export const PodDisruptionBudgetStatus = Struct('policy.v1.PodDisruptionBudgetStatus', {
  observedGeneration: field(1, Int64()),
  disruptedPods: field(2, MapOf(Time())),
  disruptionsAllowed: needed(3, Int32()),
  currentHealthy: needed(4, Int32()),
  desiredHealthy: needed(5, Int32()),
  expectedPods: needed(6, Int32()),
  conditions: field(
    7,
    ListOf(Condition, { listType: 'map', listMapKeys: ['type'], patchStrategy: 'merge', patchMergeKey: 'type' }),
  ),
})
export type PodDisruptionBudgetStatus = Static<typeof PodDisruptionBudgetStatus>

export const PodDisruptionBudget = Kind('policy.v1.PodDisruptionBudget', {
  spec: embedded(2, PodDisruptionBudgetSpec),
  status: embedded(3, PodDisruptionBudgetStatus),
})
export type PodDisruptionBudget = Static<typeof PodDisruptionBudget>
