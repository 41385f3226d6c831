import { addAll, type FieldError, invalidValue, notSupported } from '../../resource/field-errors.js'
import { isQualifiedName, isValidLabelValue } from '../../validation/object-names.js'
import type { Toleration } from '../taints.js'

/** What a taint can do to Pods. */
export const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const

/** Tolerations of a Pod, or those a class adds to Pods. */
export const validateTolerations = (tolerations: readonly Toleration[], field: string): FieldError[] =>
  tolerations.flatMap((toleration, i) => validateToleration(toleration, `${field}[${i}]`))

function validateToleration(toleration: Toleration, field: string): FieldError[] {
  const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration
  const errors: FieldError[] = []
  if (key !== '')
    addAll(
      errors,
      isQualifiedName(key).map(text => invalidValue(`${field}.key`, key, text)),
    )
  if (key === '' && operator !== 'Exists')
    errors.push(
      invalidValue(
        `${field}.operator`,
        operator,
        'operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ),
    )
  if (tolerationSeconds !== undefined && effect !== 'NoExecute')
    errors.push(invalidValue(`${field}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"))
  switch (operator) {
    case 'Equal':
    case '': {
      const broken = isValidLabelValue(value)
      if (broken.length > 0) errors.push(invalidValue(`${field}.operator`, value, broken.join(';')))
      break
    }
    case 'Exists':
      if (value !== '')
        errors.push(invalidValue(`${field}.operator`, value, 'value must be empty when `operator` is `Exists`'))
      break
    default:
      errors.push(notSupported(`${field}.operator`, operator, ['Equal', 'Exists']))
  }
  if (effect !== '' && !taintEffects.some(known => known === effect))
    errors.push(notSupported(`${field}.effect`, effect, taintEffects))
  return errors
}
