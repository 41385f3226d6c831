import { addAll, type FieldError, type Vendor } from 'orch/sdk'
import { checkNotNegative } from 'orch/sdk/core'
import { validateSelectorAndTemplate } from '../selector-rules.js'
import { checkCounts, checkParts } from '../status-rules.js'
import type { ReplicaSet, ReplicaSetSpec } from './schema.js'

export function validateReplicaSet(
  { spec = {} as ReplicaSetSpec }: ReplicaSet,
  vendor: Vendor,
  stored?: ReplicaSet,
): FieldError[] {
  const errors = checkNotNegative(spec.replicas, 'spec.replicas')
  addAll(errors, checkNotNegative(spec.minReadySeconds, 'spec.minReadySeconds'))
  addAll(errors, validateSelectorAndTemplate(spec, vendor, stored?.spec))
  return errors
}

const counts = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'terminatingReplicas',
  'observedGeneration',
] as const
const parts = [
  ['fullyLabeledReplicas', 'replicas'],
  ['readyReplicas', 'replicas'],
  ['availableReplicas', 'replicas'],
  ['availableReplicas', 'readyReplicas'],
] as const

/** Counts of subsets cannot exceed that of the whole. */
export const validateReplicaSetStatus = ({ status }: ReplicaSet): FieldError[] => [
  ...checkCounts(status, counts),
  ...checkParts(status, parts),
]
