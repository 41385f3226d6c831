import { addAll, type FieldError, invalidValue, ownValue, requiredValue, type Vendor } from 'orch/sdk'
import { checkNotNegative, validateReplicatedTemplate } from 'orch/sdk/core'
import { controllersAreCheckedOnce } from './differences.js'
import type { ReplicationController } from './schema.js'

export function validateReplicationController(
  { spec = {} }: ReplicationController,
  vendor: Vendor,
  stored?: ReplicationController,
): FieldError[] {
  const { selector = {}, template, replicas, minReadySeconds } = spec
  // Compared literally: an invalid label matches nothing, and is reported at the template.
  const requirements = Object.entries(selector)
  const matches = (labels: Readonly<Record<string, string>>) =>
    requirements.every(([key, value]) => ownValue(labels, key) === value)
  return [
    ...checkNotNegative(minReadySeconds, 'spec.minReadySeconds'),
    ...(requirements.length === 0 ? [requiredValue('spec.selector')] : []),
    ...checkNotNegative(replicas, 'spec.replicas'),
    ...(template === undefined
      ? [requiredValue('spec.template')]
      : validateReplicatedTemplate(template, 'spec.template', {
          kind: 'ReplicationController',
          replicas: replicas ?? 0,
          vendor,
          stored: stored?.spec?.template,
          ...(requirements.length === 0 ? {} : { matches }),
        })),
  ]
}

/** Without the difference, errors are reported twice. */
export const validateReplicationControllerUpdate = (
  sent: ReplicationController,
  vendor: Vendor,
  stored?: ReplicationController,
): FieldError[] => [
  ...(vendor.level.has(controllersAreCheckedOnce) ? [] : validateReplicationController(sent, vendor, stored)),
  ...validateReplicationController(sent, vendor, stored),
]

const counts = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const
/** No count may exceed the total, and available Pods must be ready. */
export function validateReplicationControllerStatus({ status }: ReplicationController): FieldError[] {
  const { replicas = 0, fullyLabeledReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = status ?? {}
  const errors = counts.flatMap(name => checkNotNegative(status?.[name], `status.${name}`))
  addAll(errors, checkNotNegative(status?.observedGeneration, 'status.observedGeneration'))
  const addGreater = (name: string, value: number, than: string) =>
    errors.push(invalidValue(`status.${name}`, value, `cannot be greater than status.${than}`))
  if (fullyLabeledReplicas > replicas) addGreater('fullyLabeledReplicas', fullyLabeledReplicas, 'replicas')
  if (readyReplicas > replicas) addGreater('readyReplicas', readyReplicas, 'replicas')
  if (availableReplicas > replicas) addGreater('availableReplicas', availableReplicas, 'replicas')
  if (availableReplicas > readyReplicas) addGreater('availableReplicas', availableReplicas, 'readyReplicas')
  return errors
}
