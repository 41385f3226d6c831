import { addAll, type FieldError, invalidValue, notSupported, requiredValue, type Vendor } from 'orch/sdk'
import {
  checkNotNegative,
  checkRunsForever,
  checkSelected,
  checkSharedDisks,
  checksSelectorValues,
  validatePodTemplate,
} from 'orch/sdk/core'
import { validateLabelSelector } from 'orch/sdk/validation'
import { isEmptySelector, tryMatcher } from '../selector-rules.js'
import { checkAtMostAll, shareNumber, validateShare } from '../shares.js'
import { checkCollisions, checkCounts } from '../status-rules.js'
import type { DaemonSet, DaemonSetSpec, DaemonSetUpdateStrategy } from './schema.js'

export function validateDaemonSet(
  { spec = {} as DaemonSetSpec }: DaemonSet,
  vendor: Vendor,
  stored?: DaemonSet,
): FieldError[] {
  const { selector, template = {} } = spec
  const checksValues = checksSelectorValues(vendor.level, stored?.spec?.selector)
  const errors = validateLabelSelector(selector, 'spec.selector', { checksValues })
  const matches = tryMatcher(selector)
  if (matches) addAll(errors, checkSelected(template, matches, 'spec.template'))
  if (selector && isEmptySelector(selector))
    errors.push(invalidValue('spec.selector', selector, 'empty selector is invalid for daemonset'))
  addAll(errors, validatePodTemplate(template, 'spec.template', vendor, stored?.spec?.template))
  addAll(errors, checkSharedDisks(template.spec?.volumes ?? [], 'spec.template.spec.volumes', vendor))
  addAll(errors, checkRunsForever(template, 'spec.template', 'DaemonSet'))
  addAll(errors, checkNotNegative(spec.minReadySeconds, 'spec.minReadySeconds'))
  addAll(errors, validateUpdateStrategy(spec.updateStrategy ?? {}, 'spec.updateStrategy'))
  addAll(errors, checkNotNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit'))
  return errors
}

function validateUpdateStrategy(strategy: DaemonSetUpdateStrategy, field: string): FieldError[] {
  const { type, rollingUpdate } = strategy
  if (type === 'OnDelete') return []
  if (type !== 'RollingUpdate') return [notSupported(field, strategy, ['RollingUpdate', 'OnDelete'])]
  const at = `${field}.rollingUpdate`
  if (!rollingUpdate) return [requiredValue(at)]
  const { maxUnavailable, maxSurge } = rollingUpdate
  const errors = [
    ...validateShare(maxUnavailable, `${at}.maxUnavailable`),
    ...validateShare(maxSurge, `${at}.maxSurge`),
    ...checkAtMostAll(maxUnavailable, `${at}.maxUnavailable`),
    ...checkAtMostAll(maxSurge, `${at}.maxSurge`),
  ]
  const hasUnavailable = shareNumber(maxUnavailable) !== 0
  const hasSurge = shareNumber(maxSurge) !== 0
  if (hasUnavailable && hasSurge)
    errors.push(invalidValue(`${at}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero'))
  if (!hasUnavailable && !hasSurge) errors.push(requiredValue(`${at}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'))
  return errors
}

const counts = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
] as const

export const validateDaemonSetStatus = ({ status }: DaemonSet, stored: DaemonSet): FieldError[] => [
  ...checkCounts(status, counts),
  ...checkCollisions(status?.collisionCount, stored.status?.collisionCount),
]
