import {
  type FieldError,
  forbiddenField,
  invalidValue,
  labelMatcher,
  notSupported,
  type PodTemplateSpec,
  required,
  type Vendor,
  type Volume,
} from 'orch/sdk'
import { validatePodTemplate } from '../pod-spec/validate-pod-template.js'
import type { ReplicationController, ReplicationControllerSpec } from './schema.js'

export const checkNotNegative = (value: number | undefined, field: string): FieldError[] =>
  (value ?? 0) < 0 ? [invalidValue(field, value, 'must be greater than or equal to 0')] : []

export function validateReplicationController({ spec = {} }: ReplicationController, vendor: Vendor): FieldError[] {
  const { selector = {}, template, replicas, minReadySeconds } = spec
  return [
    ...checkNotNegative(minReadySeconds, 'spec.minReadySeconds'),
    ...(Object.keys(selector).length === 0 ? [required('spec.selector')] : []),
    ...checkNotNegative(replicas, 'spec.replicas'),
    ...(template === undefined ? [required('spec.template')] : validateTemplate(template, spec, vendor)),
  ]
}

/** Such a disk can be on several machines only when nobody writes to it. */
const checkSharedDisks = (volumes: readonly Volume[]): FieldError[] =>
  volumes.flatMap(({ gcePersistentDisk }, i) =>
    !gcePersistentDisk || gcePersistentDisk.readOnly
      ? []
      : [
          invalidValue(
            `spec.template.spec.volumes[${i}].gcePersistentDisk.readOnly`,
            false,
            'must be true for replicated pods > 1: such a disk can be mounted on several machines only if it is read-only',
          ),
        ],
  )

/** Clients see the errors of the object twice, as from the reference. */
export const validateReplicationControllerUpdate = (sent: ReplicationController, vendor: Vendor): FieldError[] => [
  ...validateReplicationController(sent, vendor),
  ...validateReplicationController(sent, vendor),
]

/** Its Pods must be its own, and live until it ends them. */
function validateTemplate(
  template: PodTemplateSpec,
  { selector = {}, replicas = 0 }: ReplicationControllerSpec,
  vendor: Vendor,
): FieldError[] {
  const errors: FieldError[] = []
  const labels = template.metadata?.labels ?? {}
  const requirements = Object.entries(selector).map(([key, value]) => ({
    key,
    operator: 'In' as const,
    values: [value],
  }))
  if (requirements.length > 0 && !labelMatcher(requirements)(labels))
    errors.push(invalidValue('spec.template.metadata.labels', labels, '`selector` does not match template `labels`'))
  errors.push(...validatePodTemplate(template, 'spec.template', vendor))
  if (replicas > 1) errors.push(...checkSharedDisks(template.spec?.volumes ?? []))
  const { restartPolicy, activeDeadlineSeconds } = template.spec ?? {}
  if (restartPolicy !== 'Always')
    errors.push(notSupported('spec.template.spec.restartPolicy', restartPolicy ?? '', ['Always']))
  if (activeDeadlineSeconds !== undefined)
    errors.push(
      forbiddenField(
        'spec.template.spec.activeDeadlineSeconds',
        'activeDeadlineSeconds in ReplicationController is not Supported',
      ),
    )
  return errors
}

const counts = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const
/** Of all Pods some are labelled fully, some are ready, and of those some are available. */
export function validateReplicationControllerStatus({ status }: ReplicationController): FieldError[] {
  const { replicas = 0, fullyLabeledReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = status ?? {}
  const errors = counts.flatMap(name => checkNotNegative(status?.[name], `status.${name}`))
  errors.push(...checkNotNegative(status?.observedGeneration, 'status.observedGeneration'))
  const more = (name: string, value: number, than: string) =>
    errors.push(invalidValue(`status.${name}`, value, `cannot be greater than status.${than}`))
  if (fullyLabeledReplicas > replicas) more('fullyLabeledReplicas', fullyLabeledReplicas, 'replicas')
  if (readyReplicas > replicas) more('readyReplicas', readyReplicas, 'replicas')
  if (availableReplicas > replicas) more('availableReplicas', availableReplicas, 'replicas')
  if (availableReplicas > readyReplicas) more('availableReplicas', availableReplicas, 'readyReplicas')
  return errors
}
