import { addAll, type FieldError, invalidValue, requiredValue, type Vendor } from 'orch/sdk'
import { checkNotNegative, validateReplicatedTemplate } from 'orch/sdk/core'
import { tryMatcher, validateSelector } from '../selector-rules.js'
import { checkCounts, checkParts } from '../status-rules.js'
import type { ReplicaSet, ReplicaSetSpec } from './schema.js'

export function validateReplicaSet({ spec = {} as ReplicaSetSpec }: ReplicaSet, vendor: Vendor): FieldError[] {
  const { selector, template = {}, replicas = 0 } = spec
  const errors = checkNotNegative(replicas, 'spec.replicas')
  addAll(errors, checkNotNegative(spec.minReadySeconds, 'spec.minReadySeconds'))
  addAll(
    errors,
    selector ? validateSelector(selector, 'spec.selector', 'deployment') : [requiredValue('spec.selector')],
  )
  const matches = tryMatcher(selector)
  if (matches === undefined) errors.push(invalidValue('spec.selector', selector, 'invalid label selector'))
  else
    addAll(
      errors,
      validateReplicatedTemplate(template, 'spec.template', {
        kind: 'ReplicaSet',
        replicas,
        vendor,
        matches,
      }),
    )
  return errors
}

const counts = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'] as const
const parts = [
  ['fullyLabeledReplicas', 'replicas'],
  ['readyReplicas', 'replicas'],
  ['availableReplicas', 'replicas'],
  ['availableReplicas', 'readyReplicas'],
] as const

/** Of all Pods some are labelled fully, some are ready, and of those some are available. */
export const validateReplicaSetStatus = ({ status }: ReplicaSet): FieldError[] => [
  ...checkCounts(status, counts),
  ...checkParts(status, parts),
]
