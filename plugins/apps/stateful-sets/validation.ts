import { isDeepStrictEqual } from 'node:util'
import {
  addAll,
  type Difference,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  requiredValue,
  type StrategyContext,
  type Vendor,
} from 'orch/sdk'
import {
  checkNotNegative,
  checkRunsForever,
  checkSelected,
  ownerNameWarnings,
  type PodTemplateSpec,
  validateAnnotations,
  validatePersistentVolumeClaimSpec,
  validatePodAnnotations,
  validatePodTemplate,
} from 'orch/sdk/core'
import { isDns1123Label, isValidPercent, nameIsDnsLabel, nameIsDnsSubdomain, validateLabels } from 'orch/sdk/validation'
import {
  checkedServiceNames,
  checkedSetTemplates,
  claimRetention,
  mutableHistoryLimit,
  repeatedNumbers,
} from '../differences.js'
import { tryMatcher, validateSelector } from '../selector-rules.js'
import { checkCollisions, checkCounts, checkParts } from '../status-rules.js'
import type { StatefulSet, StatefulSetSpec } from './schema.js'

const policies: readonly string[] = ['OrderedReady', 'Parallel']

export const validateStatefulSet = ({ metadata, spec }: StatefulSet, vendor: Vendor): FieldError[] => [
  ...(metadata ? validateNewName(metadata, vendor) : []),
  ...validateSpec(spec, vendor),
]

interface StoredSpec {
  readonly stored?: StatefulSetSpec | undefined
  /** Whether the Pods of the template may be invalid: they may if the stored set is. */
  readonly mayBeInvalid?: (() => boolean) | undefined
}

/** Of a stored set, claims and the name of the service cannot be changed, so they are not checked again. */
function validateSpec(
  spec: StatefulSetSpec | undefined = {} as StatefulSetSpec,
  vendor: Vendor,
  { stored, mayBeInvalid }: StoredSpec = {},
): FieldError[] {
  const { selector, template = {}, podManagementPolicy = '' } = spec
  const errors: FieldError[] = []
  if (!policies.includes(podManagementPolicy))
    errors.push(
      podManagementPolicy === ''
        ? requiredValue('spec.podManagementPolicy')
        : invalidValue('spec.podManagementPolicy', podManagementPolicy, "must be 'OrderedReady' or 'Parallel'"),
    )
  addAll(errors, validateUpdateStrategy(spec), validateRetention(spec))
  if (!stored) addAll(errors, validateClaims(spec, vendor))
  addAll(errors, validateNumbers(spec))
  if (!stored) addAll(errors, validateServiceName(spec, vendor))
  addAll(
    errors,
    selector ? validateSelector(selector, 'spec.selector', 'statefulset', vendor) : [requiredValue('spec.selector')],
  )
  const matches = tryMatcher(selector)
  if (matches === undefined) errors.push(invalidValue('spec.selector', selector, ''))
  else {
    addAll(errors, checkSelected(template, matches, 'spec.template'))
    addAll(errors, validateTemplate(spec, vendor, { stored, mayBeInvalid }))
  }
  addAll(errors, checkRunsForever(template, 'spec.template', 'StatefulSet'))
  return errors
}

/**
 * Before `checkedSetTemplates` the reference validates only labels and annotations; an invalid Pod is rejected when it is created. Since
 * then it validates them twice.
 */
function validateTemplate(
  { template = {}, volumeClaimTemplates = [] }: StatefulSetSpec,
  vendor: Vendor,
  { stored, mayBeInvalid }: StoredSpec,
): FieldError[] {
  const storedTemplate = stored?.template
  if (!vendor.profile.acceptsWhatReferenceAccepts)
    return validatePodTemplate(template, 'spec.template', vendor, storedTemplate)
  const { metadata, spec = { containers: [] } } = template
  const annotations = metadata?.annotations
  const podErrors = vendor.level.has(checkedSetTemplates)
    ? validatePodTemplate(withClaims(template, volumeClaimTemplates), 'spec.template', vendor, storedTemplate)
    : []
  return [
    ...(podErrors.length > 0 && mayBeInvalid?.() ? [] : podErrors),
    ...validateLabels(metadata?.labels, 'spec.template.labels'),
    ...validateAnnotations(annotations, 'spec.template.annotations'),
    ...validatePodAnnotations(annotations, spec, 'spec.template.annotations', vendor),
  ]
}

/** The template as its Pods will be: with a volume for each claim, and without the host names that the set assigns. */
function withClaims(
  template: PodTemplateSpec,
  claims: NonNullable<StatefulSetSpec['volumeClaimTemplates']>,
): PodTemplateSpec {
  if (!template.spec) return template
  const { subdomain: _, hostname: __, ...spec } = template.spec
  const names = new Set(claims.map(({ metadata }) => metadata?.name ?? ''))
  const volumes = [
    ...[...names].map(name => ({ name, persistentVolumeClaim: { claimName: name } })),
    ...(spec.volumes ?? []).filter(({ name }) => !names.has(name)),
  ]
  return { ...template, spec: volumes.length > 0 ? { ...spec, volumes } : spec }
}

/** The DNS names of its Pods contain its name. An error of an invalid subdomain has been reported already. */
function validateNewName(
  { name, generateName }: NonNullable<StatefulSet['metadata']>,
  { level }: Vendor,
): FieldError[] {
  if (!level.has(ownerNameWarnings)) return []
  const check = (field: string, value = '', isPrefix = false) =>
    nameIsDnsLabel(value, isPrefix)
      .slice(nameIsDnsSubdomain(value, isPrefix).length)
      .map(text => invalidValue(`metadata.${field}`, value, text))
  return [
    ...(generateName ? check('generateName', generateName, true) : []),
    ...(name === undefined ? [] : check('name', name)),
  ]
}

const retentions = ['Retain', 'Delete']
const validateRetention = ({ persistentVolumeClaimRetentionPolicy: policy }: StatefulSetSpec): FieldError[] =>
  policy
    ? (['whenDeleted', 'whenScaled'] as const).flatMap(name =>
        retentions.includes(policy[name] ?? '')
          ? []
          : [notSupported(`spec.persistentVolumeClaimRetentionPolicy.${name}`, policy[name] ?? '', retentions)],
      )
    : []

const validateClaims = ({ volumeClaimTemplates = [] }: StatefulSetSpec, { level }: Vendor): FieldError[] =>
  level.has(checkedSetTemplates)
    ? volumeClaimTemplates.flatMap(({ spec }, i) =>
        validatePersistentVolumeClaimSpec(spec ?? {}, `spec.volumeClaimTemplates[${i}].spec`, {
          singlePod: true,
          checksValues: true,
          checkedGroups: true,
        }),
      )
    : []

const validateServiceName = ({ serviceName = '' }: StatefulSetSpec, { level }: Vendor): FieldError[] =>
  serviceName === '' || !level.has(checkedServiceNames)
    ? []
    : isDns1123Label(serviceName).map(text => invalidValue('spec.serviceName', serviceName, text))

function validateUpdateStrategy({ updateStrategy = {} }: StatefulSetSpec): FieldError[] {
  const field = 'spec.updateStrategy'
  const { type = '', rollingUpdate } = updateStrategy
  if (type === '') return [requiredValue(field)]
  if (type === 'OnDelete')
    return rollingUpdate
      ? [invalidValue(`${field}.rollingUpdate`, rollingUpdate, "only allowed for updateStrategy 'RollingUpdate'")]
      : []
  if (type === 'RollingUpdate')
    return [
      ...checkNotNegative(rollingUpdate?.partition, `${field}.rollingUpdate.partition`),
      ...validateMaxUnavailable(rollingUpdate?.maxUnavailable, `${field}.rollingUpdate.maxUnavailable`),
    ]
  return [invalidValue(field, updateStrategy, "must be 'RollingUpdate' or 'OnDelete'")]
}

/** A positive number of Pods, or a percentage up to 100%. */
function validateMaxUnavailable(share: number | string | undefined, field: string): FieldError[] {
  if (share === undefined) return []
  if (typeof share === 'number')
    return share > 0
      ? []
      : [invalidValue(field, share, share === 0 ? 'cannot be 0' : 'must be greater than or equal to 0')]
  const broken = isValidPercent(share)
  if (broken.length > 0) return broken.map(text => invalidValue(field, share, text))
  const percent = Number(share.slice(0, -1))
  if (percent === 0) return [invalidValue(field, share, 'cannot be 0')]
  return percent > 100 ? [invalidValue(field, share, 'must not be greater than 100%')] : []
}

const validateNumbers = ({ replicas, minReadySeconds, ordinals }: StatefulSetSpec): FieldError[] => [
  ...checkNotNegative(replicas, 'spec.replicas'),
  ...checkNotNegative(minReadySeconds, 'spec.minReadySeconds'),
  ...checkNotNegative(ordinals?.start, 'spec.ordinals.start'),
]

const mutableFields = ['replicas', 'template', 'updateStrategy', 'minReadySeconds'] as const
const mutableFieldsSince: readonly (readonly [Difference, readonly (keyof StatefulSetSpec)[]])[] = [
  [claimRetention, ['ordinals', 'persistentVolumeClaimRetentionPolicy']],
  [mutableHistoryLimit, ['revisionHistoryLimit']],
]
const fixedPart = (spec: StatefulSetSpec | undefined, { level }: Vendor) => {
  const rest: Partial<StatefulSetSpec> = { ...spec }
  for (const name of mutableFields) delete rest[name]
  for (const [difference, names] of mutableFieldsSince)
    if (level.has(difference)) for (const name of names) delete rest[name]
  return rest
}

const isInvalid = (stored: StatefulSet, { vendor, limitErrors }: StrategyContext): boolean =>
  validateSpec(stored.spec, vendor, { stored: stored.spec }).length > 0 || (limitErrors?.(stored) ?? []).length > 0

/** Are the limits of the Pods in the template checked? They are by the rules of `validateTemplate`. */
export function checksPodTemplate(
  { spec }: StatefulSet,
  stored: StatefulSet | undefined,
  context: StrategyContext,
): boolean {
  const { profile, level } = context.vendor
  if (!profile.acceptsWhatReferenceAccepts) return true
  return (
    level.has(checkedSetTemplates) &&
    tryMatcher(spec?.selector) !== undefined &&
    !(stored && isInvalid(stored, context))
  )
}

export const validateStatefulSetUpdate = (
  sent: StatefulSet,
  stored: StatefulSet,
  context: StrategyContext,
): FieldError[] => {
  const { vendor } = context
  return [
    ...validateSpec(sent.spec, vendor, {
      stored: stored.spec ?? ({} as StatefulSetSpec),
      mayBeInvalid: () => isInvalid(stored, context),
    }),
    ...(isDeepStrictEqual(fixedPart(sent.spec, vendor), fixedPart(stored.spec, vendor))
      ? []
      : [
          forbiddenField(
            'spec',
            "updates to statefulset spec for fields other than 'replicas', 'template', 'updateStrategy' and 'minReadySeconds' are forbidden",
          ),
        ]),
    ...(sent.spec && vendor.level.has(repeatedNumbers) ? validateNumbers(sent.spec) : []),
  ]
}

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
