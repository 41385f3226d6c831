import { isDeepStrictEqual } from 'node:util'
import {
  addAll,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  requiredValue,
  type Vendor,
} from 'orch/sdk'
import {
  type ClaimRules,
  checkNonNegative,
  compareAmountTexts,
  isNativeResource,
  type PersistentVolumeClaimSpec,
  type ResourceList,
  validatePersistentVolumeClaimSpec,
} from 'orch/sdk/core'
import { formatQuantity, isQualifiedName, parseQuantity } from 'orch/sdk/validation'
import { resizeStatusesHaveTheirName } from '../differences.js'
import { checkUnchanged } from '../immutable-field.js'
import type { StorageNames } from '../names.js'
import type { ClaimFeatures } from '../options.js'
import type { PersistentVolumeClaim } from './schema.js'

export const validateClaim = ({ spec = {} }: PersistentVolumeClaim, rules: ClaimRules = {}): FieldError[] =>
  validatePersistentVolumeClaimSpec(spec, 'spec', rules)

/**
 * The spec of a claim is immutable, because quotas count it: only the volume may be set once, and a bound claim may
 * request more storage. Before `claimsAreCheckedOnce`, errors of the object are reported twice.
 */
export function validateClaimUpdate(
  sent: PersistentVolumeClaim,
  stored: PersistentVolumeClaim,
  { classAnnotation }: Pick<StorageNames, 'classAnnotation'>,
  features: ClaimRules &
    Pick<ClaimFeatures, 'recoverVolumeExpansionFailure' | 'retroactiveDefaultClass' | 'checkedOnce'> = {
    recoverVolumeExpansionFailure: false,
  },
): FieldError[] {
  const errors = [...validateClaim(sent, features), ...(features.checkedOnce ? [] : validateClaim(sent, features))]
  const { spec: before = {} } = stored
  const { spec: after = {} } = sent
  const expected = comparableSpec(before)
  const found = comparableSpec(after)
  if (!before.volumeName) expected.volumeName = found.volumeName
  const oldClass = stored.metadata?.annotations?.[classAnnotation]
  const newClass = sent.metadata?.annotations?.[classAnnotation]
  if (isClassMovedToSpec(before, after, oldClass, newClass)) delete found.storageClassName
  else {
    if ((oldClass ?? '') !== (newClass ?? ''))
      errors.push(invalidValue(`metadata.annotations.${classAnnotation}`, newClass ?? '', 'field is immutable'))
    // A claim without a class may get a default class that was created later; one with the annotation, the class of that.
    const mayGetClass = oldClass === undefined || after.storageClassName === oldClass
    if (before.storageClassName === undefined && mayGetClass && features.retroactiveDefaultClass)
      delete found.storageClassName
  }
  const requests = found.resources?.requests
  const oldStorage = expected.resources?.requests?.['storage']
  if (sent.status?.phase === 'Bound' && requests && oldStorage !== undefined) requests['storage'] = oldStorage
  // A bound claim may get other attributes.
  if (sent.status?.phase === 'Bound') found.volumeAttributesClassName = expected.volumeAttributesClassName
  if (!isDeepStrictEqual(defined(found), defined(expected)))
    errors.push(forbiddenField('spec', 'spec is immutable after creation except resources.requests for bound claims'))
  if (compareAmountTexts(storageOf(after), storageOf(before)) < 0) addAll(errors, shrinkErrors(after, stored, features))
  return [
    ...errors,
    ...checkUnchanged(after.volumeMode, before.volumeMode, 'volumeMode'),
    ...checkAttributesKept(after, stored),
  ]
}

/** Once a volume has an attributes class, the claim cannot drop it. */
function checkAttributesKept(
  { volumeAttributesClassName: name }: PersistentVolumeClaimSpec,
  { spec, status }: PersistentVolumeClaim,
): FieldError[] {
  if (name || name === spec?.volumeAttributesClassName || !status?.currentVolumeAttributesClassName) return []
  const to = name === undefined ? 'nil' : 'empty string'
  return [
    forbiddenField(
      'spec.volumeAttributesClassName',
      `update to ${to} is forbidden when status.currentVolumeAttributesClassName is not nil`,
    ),
  ]
}

/** A claim cannot shrink; where the gate is on, one whose expansion failed may request less again. */
function shrinkErrors(
  after: PersistentVolumeClaimSpec,
  { status }: PersistentVolumeClaim,
  { recoverVolumeExpansionFailure }: Pick<ClaimFeatures, 'recoverVolumeExpansionFailure'>,
): FieldError[] {
  const path = 'spec.resources.requests.storage'
  if (!recoverVolumeExpansionFailure) return [forbiddenField(path, 'field can not be less than previous value')]
  // A claim that is not bound yet has no capacity: any positive request is more.
  const isMore = compareAmountTexts(storageOf(after), status?.capacity?.['storage'] ?? '0') > 0
  return isMore ? [] : [forbiddenField(path, 'field can not be less than status.capacity')]
}

const storageOf = (spec: PersistentVolumeClaimSpec) => spec.resources?.requests?.['storage'] ?? '0'

/** The class named by the old annotation may be written into the field that replaced it. */
const isClassMovedToSpec = (
  before: PersistentVolumeClaimSpec,
  after: PersistentVolumeClaimSpec,
  oldClass: string | undefined,
  newClass: string | undefined,
): boolean =>
  oldClass !== undefined &&
  before.storageClassName === undefined &&
  after.storageClassName === oldClass &&
  (newClass === undefined || newClass === oldClass)

function comparableSpec(spec: PersistentVolumeClaimSpec): PersistentVolumeClaimSpec {
  const limits = comparableAmounts(spec.resources?.limits)
  const requests = comparableAmounts(spec.resources?.requests)
  return { ...spec, resources: { ...(limits ? { limits } : {}), ...(requests ? { requests } : {}) } }
}
const defined = (spec: PersistentVolumeClaimSpec) =>
  Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined))

const resizeStatuses = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
]

/** Validates the progress of a resize: of storage, and of resources outside the server's domains. */
function checkResize({ status }: PersistentVolumeClaim, vendor: Vendor): FieldError[] {
  const checkName = (name: string, path: string) => {
    const wrong = isQualifiedName(name).map(text => invalidValue(path, name, text))
    if (wrong.length > 0 || name === 'storage' || !isNativeResource(name, vendor)) return wrong
    return [notSupported(path, name, ['storage'])]
  }
  const statuses = vendor.level.has(resizeStatusesHaveTheirName)
    ? 'status.allocatedResourceStatuses'
    : 'status.allocatedResourceStatus'
  const allocated = 'status.allocatedResources'
  return [
    ...Object.entries(status?.allocatedResourceStatuses ?? {}).flatMap(([name, value]) => [
      ...checkName(name, statuses),
      ...(resizeStatuses.includes(value) ? [] : [notSupported(statuses, name, resizeStatuses)]),
    ]),
    ...Object.entries(status?.allocatedResources ?? {}).flatMap(([name, amount]) => {
      const wrong = checkName(name, allocated)
      return wrong.length > 0 ? wrong : checkNonNegative(amount, `${allocated}[${name}]`)
    }),
  ]
}

export function validateClaimStatus(
  claim: PersistentVolumeClaim,
  vendor?: Vendor,
  features: Pick<ClaimFeatures, 'recoverVolumeExpansionFailure'> = { recoverVolumeExpansionFailure: false },
): FieldError[] {
  const { spec, status } = claim
  const errors: FieldError[] = (spec?.accessModes ?? []).length === 0 ? [requiredValue('Spec.accessModes')] : []
  for (const [resource, amount] of Object.entries(status?.capacity ?? {}))
    addAll(errors, checkNonNegative(amount, `status.capacity[${resource}]`))
  if (vendor && features.recoverVolumeExpansionFailure) addAll(errors, checkResize(claim, vendor))
  return errors
}

/** Normalizes amounts, so that equal ones have the same text: `1k`, `1e3` and `1000`. */
const comparableAmounts = (list: ResourceList | undefined): ResourceList | undefined =>
  list &&
  Object.fromEntries(
    Object.entries(list).map(([name, amount]) => {
      const { unscaled, scale } = parseQuantity(amount)
      return [name, formatQuantity({ unscaled, scale, format: 'decimal' })]
    }),
  )
