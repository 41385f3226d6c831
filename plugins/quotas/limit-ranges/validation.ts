import {
  addAll,
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  ownValue,
  requiredValue,
  type Vendor,
} from 'orch/sdk'
import {
  compareAmountTexts,
  isOvercommitAllowed,
  validateContainerResourceName,
  validateResourceName,
} from 'orch/sdk/core'
import { isQualifiedName, parseQuantity, quantityValue } from 'orch/sdk/validation'
import type { LimitRange, LimitRangeItem } from './schema.js'

const standardTypes = ['Pod', 'Container', 'PersistentVolumeClaim']

export function validateLimitRange({ spec }: LimitRange, vendor: Vendor): FieldError[] {
  const types = new Set<string>()
  return (spec?.limits ?? []).flatMap((item, i) => {
    const at = `spec.limits[${i}]`
    const errors = validateType(item.type, `${at}.type`)
    if (types.has(item.type)) errors.push(duplicate(`${at}.type`, item.type))
    types.add(item.type)
    return [...errors, ...validateItem(item, at, vendor)]
  })
}

function validateType(type: string, field: string): FieldError[] {
  const broken = isQualifiedName(type)
  if (broken.length > 0) return broken.map(text => invalidValue(field, type, text))
  return type.includes('/') || standardTypes.includes(type)
    ? []
    : [invalidValue(field, type, 'must be a standard limit type or fully qualified')]
}

type Lists = 'max' | 'min' | 'default' | 'defaultRequest' | 'maxLimitRequestRatio'

function validateItem(item: LimitRangeItem, field: string, vendor: Vendor): FieldError[] {
  const names = (list: Lists) =>
    Object.keys(item[list] ?? {}).flatMap(name => {
      const at = `${field}.${list}[${name}]`
      return item.type === 'Pod' || item.type === 'Container'
        ? validateContainerResourceName(name, at, vendor)
        : validateResourceName(name, at)
    })
  const errors = [...names('max'), ...names('min')]
  if (item.type === 'Pod') {
    for (const list of ['default', 'defaultRequest'] as const)
      if (Object.keys(item[list] ?? {}).length > 0)
        errors.push(forbiddenField(`${field}.${list}`, "may not be specified when `type` is 'Pod'"))
  } else addAll(errors, names('default'), names('defaultRequest'))
  if (item.type === 'PersistentVolumeClaim' && !item.min?.['storage'] && !item.max?.['storage'])
    errors.push(
      requiredValue(`${field}.limits`, 'either minimum or maximum storage value is required, but neither was provided'),
    )
  addAll(errors, names('maxLimitRequestRatio'))
  const all = new Set(
    [item.max, item.min, item.default, item.defaultRequest, item.maxLimitRequestRatio].flatMap(list =>
      Object.keys(list ?? {}),
    ),
  )
  for (const name of [...all].sort()) addAll(errors, validateAmounts(name, item, field, vendor))
  return errors
}

/** min ≤ default request ≤ default ≤ max, and a ratio that can be satisfied. */
function validateAmounts(name: string, item: LimitRangeItem, field: string, vendor: Vendor): FieldError[] {
  const errors: FieldError[] = []
  const amountOf = (list: Lists) => ownValue(item[list], name)
  const min = amountOf('min')
  const max = amountOf('max')
  const limit = item.type === 'Pod' ? undefined : amountOf('default')
  const request = item.type === 'Pod' ? undefined : amountOf('defaultRequest')
  const ratio = amountOf('maxLimitRequestRatio')
  const check = (list: Lists, low: string | undefined, high: string | undefined, words: [string, string]) => {
    if (low !== undefined && high !== undefined && compareAmountTexts(low, high) > 0)
      errors.push(
        invalidValue(
          `${field}.${list}[${name}]`,
          low,
          `${words[0]} value ${low} is greater than ${words[1]} value ${high}`,
        ),
      )
  }
  check('min', min, max, ['min', 'max'])
  check('defaultRequest', min, request, ['min', 'default request'])
  check('defaultRequest', request, max, ['default request', 'max'])
  check('defaultRequest', request, limit, ['default request', 'default limit'])
  check('default', min, limit, ['min', 'default'])
  check('default', limit, max, ['default', 'max'])
  const ratioField = `${field}.maxLimitRequestRatio[${name}]`
  if (ratio !== undefined && compareAmountTexts(ratio, '1') < 0)
    errors.push(invalidValue(ratioField, ratio, `ratio ${ratio} is less than 1`))
  if (ratio !== undefined && min !== undefined && max !== undefined && exceeds(ratio, max, min))
    errors.push(invalidValue(ratioField, ratio, `ratio ${ratio} is greater than max/min`))
  const mustMatch = limit !== undefined && request !== undefined && !isOvercommitAllowed(name, vendor)
  if (mustMatch && compareAmountTexts(limit, request) !== 0)
    errors.push(
      invalidValue(
        `${field}.defaultRequest[${name}]`,
        request,
        `default value ${limit} must equal to defaultRequest value ${request} in ${name}`,
      ),
    )
  return errors
}

const milli = (amount: string) => quantityValue(parseQuantity(amount), -3)
/** Whether the ratio is greater than max / min. */
const exceeds = (ratio: string, max: string, min: string) => milli(ratio) * milli(min) > milli(max) * 1000n
