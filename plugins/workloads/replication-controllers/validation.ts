import { addAll, type FieldError, invalidValue, ownValue, requiredValue, type Vendor } from 'orch/sdk'
import { checkNotNegative, validateReplicatedTemplate } from 'orch/sdk/core'
import { controllersAreCheckedOnce } from './differences.js'
import type { ReplicationController } from './schema.js'

export function validateReplicationController({ spec = {} }: ReplicationController, vendor: Vendor): FieldError[] {
  const { selector = {}, template, replicas, minReadySeconds } = spec
  // As they stand: what could not be a label matches nothing, and says so at the template.
  const wanted = Object.entries(selector)
  const hasWanted = (labels: Readonly<Record<string, string>>) =>
    wanted.every(([key, value]) => ownValue(labels, key) === value)
  return [
    ...checkNotNegative(minReadySeconds, 'spec.minReadySeconds'),
    ...(wanted.length === 0 ? [requiredValue('spec.selector')] : []),
    ...checkNotNegative(replicas, 'spec.replicas'),
    ...(template === undefined
      ? [requiredValue('spec.template')]
      : validateReplicatedTemplate(template, 'spec.template', {
          kind: 'ReplicationController',
          replicas: replicas ?? 0,
          vendor,
          ...(wanted.length === 0 ? {} : { matches: hasWanted }),
        })),
  ]
}

/** Before that difference clients see the errors of the object twice. */
export const validateReplicationControllerUpdate = (sent: ReplicationController, vendor: Vendor): FieldError[] => [
  ...(vendor.level.has(controllersAreCheckedOnce) ? [] : validateReplicationController(sent, vendor)),
  ...validateReplicationController(sent, vendor),
]

const counts = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const
/** Of all Pods some are labelled fully, some are ready, and of those some are available. */
export function validateReplicationControllerStatus({ status }: ReplicationController): FieldError[] {
  const { replicas = 0, fullyLabeledReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = status ?? {}
  const errors = counts.flatMap(name => checkNotNegative(status?.[name], `status.${name}`))
  addAll(errors, checkNotNegative(status?.observedGeneration, 'status.observedGeneration'))
  const more = (name: string, value: number, than: string) =>
    errors.push(invalidValue(`status.${name}`, value, `cannot be greater than status.${than}`))
  if (fullyLabeledReplicas > replicas) more('fullyLabeledReplicas', fullyLabeledReplicas, 'replicas')
  if (readyReplicas > replicas) more('readyReplicas', readyReplicas, 'replicas')
  if (availableReplicas > replicas) more('availableReplicas', availableReplicas, 'replicas')
  if (availableReplicas > readyReplicas) more('availableReplicas', availableReplicas, 'readyReplicas')
  return errors
}
