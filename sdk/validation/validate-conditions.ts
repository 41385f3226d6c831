import {
  duplicate,
  type FieldError,
  invalidValue,
  notSupported,
  requiredValue,
  tooLong,
} from '../resource/field-errors.js'
import type { Condition } from '../resource/meta.js'
import { isQualifiedName } from './object-names.js'
import { repeats } from './repeats.js'

const statuses = ['False', 'True', 'Unknown']
const reasonForm = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/
const maxReasonBytes = 1024
const maxMessageBytes = 32 * 1024

/** Conditions: one of each type, with a reason that programs can read and the time since when it holds. */
export function validateConditions(conditions: readonly Condition[] = [], field: string): FieldError[] {
  const isRepeat = repeats(conditions.map(({ type }) => type))
  return conditions.flatMap((condition, i) => {
    const at = `${field}[${i}]`
    return [...(isRepeat[i] ? [duplicate(`${at}.type`, condition.type)] : []), ...validateCondition(condition, at)]
  })
}

function validateCondition(condition: Condition, field: string): FieldError[] {
  const { type, status, observedGeneration = 0, lastTransitionTime, reason, message } = condition
  const errors = isQualifiedName(type).map(text => invalidValue(`${field}.type`, type, text))
  if (!statuses.includes(status)) errors.push(notSupported(`${field}.status`, status ?? '', statuses))
  if (observedGeneration < 0)
    errors.push(
      invalidValue(`${field}.observedGeneration`, observedGeneration, 'must be greater than or equal to zero'),
    )
  if (!lastTransitionTime) errors.push(requiredValue(`${field}.lastTransitionTime`, 'must be set'))
  if (reason === '') errors.push(requiredValue(`${field}.reason`, 'must be set'))
  else {
    if (!reasonForm.test(reason))
      errors.push(invalidValue(`${field}.reason`, reason, `must match the regex '${reasonForm.source}'`))
    if (Buffer.byteLength(reason) > maxReasonBytes) errors.push(tooLong(`${field}.reason`, maxReasonBytes))
  }
  if (Buffer.byteLength(message) > maxMessageBytes) errors.push(tooLong(`${field}.message`, maxMessageBytes))
  return errors
}
