import { embedded, Kind, type Static, Struct } from 'orch/sdk'
import * as stable from './schema.js'

/** The same fields as in v1, under the names of the older version. */
export const PodDisruptionBudgetSpec = Struct(
  'policy.v1beta1.PodDisruptionBudgetSpec',
  stable.PodDisruptionBudgetSpec.properties,
)
export type PodDisruptionBudgetSpec = Static<typeof PodDisruptionBudgetSpec>

export const PodDisruptionBudgetStatus = Struct(
  'policy.v1beta1.PodDisruptionBudgetStatus',
  stable.PodDisruptionBudgetStatus.properties,
)
export type PodDisruptionBudgetStatus = Static<typeof PodDisruptionBudgetStatus>

export const PodDisruptionBudget = Kind(
  'policy.v1beta1.PodDisruptionBudget',
  {
    spec: embedded(2, PodDisruptionBudgetSpec, 'Desired state.'),
    status: embedded(3, PodDisruptionBudgetStatus, 'Observed state. Written by the system.'),
  },
  { description: 'How many Pods of a group may be disrupted at the same time.' },
)
export type PodDisruptionBudget = Static<typeof PodDisruptionBudget>
