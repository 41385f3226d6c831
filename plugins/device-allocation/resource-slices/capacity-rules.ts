import { type FieldError, forbiddenField, invalidValue, requiredValue, type ServedLevel } from 'orch/sdk'
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type QuantityAmount,
  quantityValue,
} from 'orch/sdk/validation'
import { longListsAreNotRead } from '../differences.js'
import { limits } from '../limits.js'
import { checkSet } from '../schemas/rules.js'
import type { DeviceCapacity, RequestPolicy } from './schema.js'

/** Only the capacity of a shareable device can be divided. */
export function validateCapacity(
  { value, requestPolicy }: DeviceCapacity,
  isShared: boolean,
  field: string,
  level: ServedLevel,
): FieldError[] {
  if (!requestPolicy) return []
  const at = `${field}.requestPolicy`
  if (!isShared) return [forbiddenField(at, 'allowMultipleAllocations must be true')]
  return validatePolicy(requestPolicy, parseQuantity(value), at, level)
}

function validatePolicy(
  policy: RequestPolicy,
  capacity: QuantityAmount,
  field: string,
  level: ServedLevel,
): FieldError[] {
  const { validValues = [], validRange, default: given } = policy
  if (validValues.length > 0 && validRange)
    return [forbiddenField(field, 'validValues and validRange cannot be set at the same time')]
  if (validValues.length === 0 && !validRange) return []
  // The field is nullable and always written, so unset may be null.
  if (given === undefined || given === null)
    return [requiredValue(`${field}.default`, 'required with validValues and validRange')]
  const usual = parseQuantity(given)
  return validRange
    ? validateRange(validRange, usual, capacity, `${field}.validRange`)
    : validateValues(validValues, usual, capacity, `${field}.validValues`, level)
}

const isMore = (one: QuantityAmount, other: QuantityAmount) => compareQuantities(one, other) > 0

function validateValues(
  values: readonly string[],
  usual: QuantityAmount,
  capacity: QuantityAmount,
  field: string,
  level: ServedLevel,
): FieldError[] {
  const amounts = values.map(parseQuantity)
  const unsorted = amounts.flatMap((amount, i) =>
    i > 0 && isMore(amounts[i - 1]!, amount)
      ? [invalidValue(`${field}[${i}]`, values[i], 'values must be sorted in ascending order')]
      : [],
  )
  const isLooked = values.length <= limits.validValues || !level.has(longListsAreNotRead)
  const hasUsual = isLooked && amounts.some(amount => compareQuantities(amount, usual) === 0)
  return [
    ...unsorted,
    ...checkSet(
      values,
      limits.validValues,
      (value, at) =>
        isMore(parseQuantity(value), capacity)
          ? [invalidValue(at, value, `is larger than the capacity, ${formatQuantity(capacity)}`)]
          : [],
      { of: value => String(quantityValue(parseQuantity(value))) },
      field,
      level,
    ),
    ...(hasUsual ? [] : [invalidValue(field, formatQuantity(usual), 'the default must be one of the values')]),
  ]
}

function validateRange(
  { min, max, step }: NonNullable<RequestPolicy['validRange']>,
  usual: QuantityAmount,
  capacity: QuantityAmount,
  field: string,
): FieldError[] {
  if (min === undefined) return [requiredValue(`${field}.min`, 'required with validRange')]
  const least = parseQuantity(min)
  const errors: FieldError[] = []
  const refuse = (name: string, value: QuantityAmount, why: string) =>
    errors.push(invalidValue(`${field}.${name}`, formatQuantity(value), why))
  const most = formatQuantity(capacity)
  if (isMore(least, capacity)) refuse('min', least, `is larger than the capacity, ${most}`)
  if (isMore(least, usual)) refuse('min', usual, `the default is less than min, ${min}`)
  const largest = max === undefined ? undefined : parseQuantity(max)
  if (largest) {
    if (isMore(least, largest)) refuse('max', least, `min is larger than max, ${max}`)
    if (isMore(largest, capacity)) refuse('max', largest, `is larger than the capacity, ${most}`)
    if (isMore(usual, largest)) refuse('max', usual, `the default is more than max, ${max}`)
  }
  if (step === undefined) return errors
  const distance = parseQuantity(step)
  if (isMore(addQuantities(least, distance), capacity))
    refuse('step', distance, `min and one step exceed the capacity, ${most}`)
  for (const amount of largest ? [usual, largest] : [usual])
    if (!isWholeSteps(amount, least, distance)) refuse('step', amount, `is not a multiple of ${step} from ${min}`)
  return errors
}

/** With a step of zero only the minimum itself is valid. */
function isWholeSteps(amount: QuantityAmount, least: QuantityAmount, step: QuantityAmount): boolean {
  const [added, each] = [quantityValue(amount) - quantityValue(least), quantityValue(step)]
  return each === 0n ? added === 0n : added % each === 0n
}
