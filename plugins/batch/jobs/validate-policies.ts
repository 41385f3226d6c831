import {
  addAll,
  duplicate,
  type FieldError,
  invalidValue,
  notSupported,
  requiredValue,
  tooLong,
  tooMany,
  type Vendor,
} from 'orch/sdk'
import { checkNotNegative } from 'orch/sdk/core'
import { isQualifiedName } from 'orch/sdk/validation'
import { failingIndexes } from '../differences.js'
import { parseIndexes } from './indexes.js'
import type { PodFailurePolicyRule, SuccessPolicyRule } from './policies.js'
import type { JobSpec } from './schema.js'

const operators = ['In', 'NotIn']
const statuses = ['False', 'True', 'Unknown']
const maxRules = 20
const maxPatterns = 20
const maxExitCodes = 255
const maxIndexesLength = 64 * 1024

/** Actions for failed Pods. */
export function validateFailurePolicy(spec: JobSpec, field: string, { level }: Vendor): FieldError[] {
  const actions = ['Count', ...(level.has(failingIndexes) ? ['FailIndex'] : []), 'FailJob', 'Ignore']
  const rules = spec.podFailurePolicy?.rules ?? []
  const podSpec = spec.template?.spec
  const names = new Set([...(podSpec?.containers ?? []), ...(podSpec?.initContainers ?? [])].map(({ name }) => name))
  return [
    ...(rules.length > maxRules ? [tooMany(`${field}.rules`, rules.length, maxRules)] : []),
    ...rules.flatMap((rule, i) => validateFailureRule(rule, `${field}.rules[${i}]`, spec, names, actions)),
  ]
}

function validateFailureRule(
  rule: PodFailurePolicyRule,
  field: string,
  { backoffLimitPerIndex }: JobSpec,
  names: ReadonlySet<string>,
  actions: readonly string[],
): FieldError[] {
  const { action, onExitCodes } = rule
  const onPodConditions = rule.onPodConditions ?? []
  const errors: FieldError[] = []
  const at = `${field}.action`
  if (action === '') errors.push(requiredValue(at, `valid values: ${actions.join(', ')}`))
  else if (!actions.includes(action)) errors.push(notSupported(at, action, actions))
  else if (action === 'FailIndex' && backoffLimitPerIndex === undefined)
    errors.push(invalidValue(at, action, 'requires the backoffLimitPerIndex to be set'))
  if (onExitCodes) addAll(errors, validateExitCodes(onExitCodes, `${field}.onExitCodes`, names))
  addAll(errors, validatePatterns(onPodConditions, `${field}.onPodConditions`))
  if (onExitCodes && onPodConditions.length > 0)
    errors.push(invalidValue(field, undefined, 'specifying both OnExitCodes and OnPodConditions is not supported'))
  if (!onExitCodes && onPodConditions.length === 0)
    errors.push(invalidValue(field, undefined, 'specifying one of OnExitCodes and OnPodConditions is required'))
  return errors
}

function validatePatterns(patterns: NonNullable<PodFailurePolicyRule['onPodConditions']>, field: string): FieldError[] {
  const errors: FieldError[] = []
  if (patterns.length > maxPatterns) errors.push(tooMany(field, patterns.length, maxPatterns))
  for (const [i, { type, status = '' }] of patterns.entries()) {
    const at = `${field}[${i}]`
    addAll(
      errors,
      isQualifiedName(type).map(text => invalidValue(`${at}.type`, type, text)),
    )
    if (status === '') errors.push(requiredValue(`${at}.status`, `valid values: ${statuses.join(', ')}`))
    else if (!statuses.includes(status)) errors.push(notSupported(`${at}.status`, status, statuses))
  }
  return errors
}

function validateExitCodes(
  { containerName, operator, values: sent }: NonNullable<PodFailurePolicyRule['onExitCodes']>,
  field: string,
  names: ReadonlySet<string>,
): FieldError[] {
  const errors: FieldError[] = []
  // A list that is always written is null if a message in Protobuf has none.
  const values = sent ?? []
  if (operator === '') errors.push(requiredValue(`${field}.operator`, `valid values: ${operators.join(', ')}`))
  else if (!operators.includes(operator)) errors.push(notSupported(`${field}.operator`, operator, operators))
  if (typeof containerName === 'string' && !names.has(containerName))
    errors.push(
      invalidValue(
        `${field}.containerName`,
        containerName,
        'must be one of the container or initContainer names in the pod template',
      ),
    )
  const at = `${field}.values`
  if (values.length === 0) errors.push(invalidValue(at, values, 'at least one value is required'))
  else if (values.length > maxExitCodes) errors.push(tooMany(at, values.length, maxExitCodes))
  const seen = new Set<number>()
  for (const [i, value] of values.entries()) {
    if (operator === 'In' && value === 0)
      errors.push(invalidValue(`${at}[${i}]`, value, 'must not be 0 for the In operator'))
    if (seen.has(value)) errors.push(duplicate(`${at}[${i}]`, value))
    seen.add(value)
  }
  if (values.some((value, i) => i > 0 && values[i - 1]! > value))
    errors.push(invalidValue(at, values, 'must be ordered'))
  return errors
}

/** When a job succeeds before all its Pods have. */
export function validateSuccessPolicy(spec: JobSpec, field: string): FieldError[] {
  const rules = spec.successPolicy?.rules ?? []
  if (spec.completionMode !== 'Indexed')
    return [invalidValue(field, spec.successPolicy, 'requires indexed completion mode')]
  return [
    ...(rules.length === 0
      ? [requiredValue(`${field}.rules`, 'at least one rules must be specified when the successPolicy is specified')]
      : []),
    ...(rules.length > maxRules ? [tooMany(`${field}.rules`, rules.length, maxRules)] : []),
    ...rules.flatMap((rule, i) => validateSuccessRule(rule, `${field}.rules[${i}]`, spec.completions ?? 0)),
  ]
}

function validateSuccessRule(
  { succeededCount: count, succeededIndexes: indexes }: SuccessPolicyRule,
  field: string,
  completions: number,
): FieldError[] {
  const errors: FieldError[] = []
  if (count === undefined && indexes === undefined)
    errors.push(requiredValue(field, 'at least one of succeededCount or succeededIndexes must be specified'))
  let total = 0
  if (indexes !== undefined) {
    const at = `${field}.succeededIndexes`
    if (indexes.length > maxIndexesLength) errors.push(tooLong(at, maxIndexesLength))
    const parsed = parseIndexes(indexes, completions)
    if (typeof parsed === 'string') errors.push(invalidValue(at, indexes, `error parsing succeededIndexes: ${parsed}`))
    else total = parsed.reduce((sum, [first, last]) => sum + last - first + 1, 0)
  }
  if (count === undefined) return errors
  const at = `${field}.succeededCount`
  addAll(errors, checkNotNegative(count, at))
  if (count > completions)
    errors.push(
      invalidValue(at, count, `must be less than or equal to ${completions} (the number of specified completions)`),
    )
  if (indexes !== undefined && count > total)
    errors.push(
      invalidValue(
        at,
        count,
        `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`,
      ),
    )
  return errors
}
