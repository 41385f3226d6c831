import { isDeepStrictEqual } from 'node:util'
import {
  addAll,
  type FieldError,
  forbiddenField,
  invalidValue,
  requiredValue,
  type Vendor,
  validateLabels,
} from 'orch/sdk'
import {
  checkNotNegative,
  checkRunsForever,
  checkSelected,
  type PodTemplateSpec,
  validateAnnotations,
  validatePodAnnotations,
  validatePodTemplate,
} from 'orch/sdk/core'
import { tryMatcher, validateSelector } from '../selector-rules.js'
import { checkCollisions, checkCounts, checkParts } from '../status-rules.js'
import type { StatefulSet, StatefulSetSpec } from './schema.js'

const policies: readonly string[] = ['OrderedReady', 'Parallel']

export function validateStatefulSet({ spec = {} as StatefulSetSpec }: StatefulSet, vendor: Vendor): FieldError[] {
  const { selector, template = {}, podManagementPolicy = '' } = spec
  const errors: FieldError[] = []
  if (!policies.includes(podManagementPolicy))
    errors.push(
      podManagementPolicy === ''
        ? requiredValue('spec.podManagementPolicy')
        : invalidValue('spec.podManagementPolicy', podManagementPolicy, "must be 'OrderedReady' or 'Parallel'"),
    )
  addAll(errors, validateUpdateStrategy(spec), validateNumbers(spec))
  addAll(
    errors,
    selector ? validateSelector(selector, 'spec.selector', 'statefulset') : [requiredValue('spec.selector')],
  )
  const matches = tryMatcher(selector)
  if (matches === undefined) errors.push(invalidValue('spec.selector', selector, ''))
  else {
    addAll(errors, checkSelected(template, matches, 'spec.template'))
    addAll(errors, validateTemplate(template, vendor))
  }
  addAll(errors, checkRunsForever(template, 'spec.template', 'StatefulSet'))
  return errors
}

/** The reference looks at labels and annotations only; Pods that cannot be are found out when they are made. */
function validateTemplate(template: PodTemplateSpec, vendor: Vendor): FieldError[] {
  if (!vendor.profile.acceptsWhatReferenceAccepts) return validatePodTemplate(template, 'spec.template', vendor)
  const { metadata, spec = { containers: [] } } = template
  const annotations = metadata?.annotations
  return [
    ...validateLabels(metadata?.labels, 'spec.template.labels'),
    ...validateAnnotations(annotations, 'spec.template.annotations'),
    ...validatePodAnnotations(annotations, spec, 'spec.template.annotations', vendor),
  ]
}

function validateUpdateStrategy({ updateStrategy = {} }: StatefulSetSpec): FieldError[] {
  const field = 'spec.updateStrategy'
  const { type = '', rollingUpdate } = updateStrategy
  if (type === '') return [requiredValue(field)]
  if (type === 'OnDelete')
    return rollingUpdate
      ? [invalidValue(`${field}.rollingUpdate`, rollingUpdate, "only allowed for updateStrategy 'RollingUpdate'")]
      : []
  if (type === 'RollingUpdate') return checkNotNegative(rollingUpdate?.partition, `${field}.rollingUpdate.partition`)
  return [invalidValue(field, updateStrategy, "must be 'RollingUpdate' or 'OnDelete'")]
}

const validateNumbers = ({ replicas, minReadySeconds }: StatefulSetSpec): FieldError[] => [
  ...checkNotNegative(replicas, 'spec.replicas'),
  ...checkNotNegative(minReadySeconds, 'spec.minReadySeconds'),
]

const changeable = ['replicas', 'template', 'updateStrategy', 'minReadySeconds'] as const
const fixedPart = (spec: StatefulSetSpec | undefined) => {
  const rest: Partial<StatefulSetSpec> = { ...spec }
  for (const name of changeable) delete rest[name]
  return rest
}

/** Clients see the errors of the object, and of its numbers once more, as from the reference. */
export const validateStatefulSetUpdate = (sent: StatefulSet, stored: StatefulSet, vendor: Vendor): FieldError[] => [
  ...validateStatefulSet(sent, vendor),
  ...(isDeepStrictEqual(fixedPart(sent.spec), fixedPart(stored.spec))
    ? []
    : [
        forbiddenField(
          'spec',
          "updates to statefulset spec for fields other than 'replicas', 'template', 'updateStrategy' and 'minReadySeconds' are forbidden",
        ),
      ]),
  ...(sent.spec ? validateNumbers(sent.spec) : []),
]

const counts = [
  'replicas',
  'readyReplicas',
  'currentReplicas',
  'updatedReplicas',
  'availableReplicas',
  'observedGeneration',
  'collisionCount',
] as const
const parts = [
  ['readyReplicas', 'replicas'],
  ['currentReplicas', 'replicas'],
  ['updatedReplicas', 'replicas'],
  ['availableReplicas', 'replicas'],
  ['availableReplicas', 'readyReplicas'],
] as const

export const validateStatefulSetStatus = ({ status }: StatefulSet, stored: StatefulSet): FieldError[] => [
  ...checkCounts(status, counts),
  ...checkParts(status, parts),
  ...checkCollisions(status?.collisionCount, stored.status?.collisionCount),
]
