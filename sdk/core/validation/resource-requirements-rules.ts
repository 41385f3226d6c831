import type { Vendor } from '../../plugin/vendor.js'
import { addAll, type FieldError, forbiddenField, invalidValue, requiredValue } from '../../resource/field-errors.js'
import { ownValue } from '../../resource/own-value.js'
import type { ResourceRequirements } from '../resource-requirements.js'
import {
  compareAmountTexts,
  isExtendedResource,
  isHugePagesResource,
  isNativeResource,
  isOvercommitAllowed,
  isStandardContainerResource,
  isWholePages,
  validateResourceAmount,
  validateResourceName,
} from './resource-quantities.js'

/** A resource that a container can request. */
export function validateContainerResourceName(name: string, field: string, vendor: Vendor): FieldError[] {
  const errors = validateResourceName(name, field)
  if (!name.includes('/')) {
    if (!isStandardContainerResource(name))
      errors.push(invalidValue(field, name, 'must be a standard resource for containers'))
  } else if (!isNativeResource(name, vendor) && !isExtendedResource(name, vendor))
    errors.push(invalidValue(field, name, "doesn't follow extended resource name standard"))
  return errors
}

/** Requests and limits of a container. */
export const validateResourceRequirements = (
  requirements: ResourceRequirements,
  field: string,
  vendor: Vendor,
): FieldError[] => validateRequirements(requirements, field, vendor, validateContainerResourceName)

/** Requests and limits of the resources that `checkName` accepts. */
export function validateRequirements(
  { limits = {}, requests = {} }: ResourceRequirements,
  field: string,
  vendor: Vendor,
  checkName: (name: string, field: string, vendor: Vendor) => FieldError[],
): FieldError[] {
  const checkOne = (name: string, amount: string, at: string) => [
    ...checkName(name, at, vendor),
    ...validateResourceAmount(name, amount, at, vendor),
  ]
  const errors: FieldError[] = []
  for (const [name, amount] of Object.entries(limits)) {
    const at = `${field}.limits[${name}]`
    addAll(errors, checkOne(name, amount, at), checkPages(name, amount, at))
  }
  for (const [name, amount] of Object.entries(requests)) {
    const at = `${field}.requests[${name}]`
    addAll(errors, checkOne(name, amount, at))
    addAll(errors, checkAgainstLimit(name, amount, ownValue(limits, name), field, vendor))
    addAll(errors, checkPages(name, amount, at))
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)]
  if (names.some(isHugePagesResource) && !names.includes('cpu') && !names.includes('memory'))
    errors.push(forbiddenField(field, 'HugePages require cpu or memory'))
  return errors
}

const checkPages = (name: string, amount: string, field: string): FieldError[] =>
  isHugePagesResource(name) && !isWholePages(name, amount)
    ? [invalidValue(field, amount, `${amount} is not positive integer multiple of ${name}`)]
    : []

function checkAgainstLimit(name: string, request: string, limit: string | undefined, field: string, vendor: Vendor) {
  const mayDiffer = isOvercommitAllowed(name, vendor)
  if (limit === undefined)
    return mayDiffer ? [] : [requiredValue(`${field}.limits`, 'Limit must be set for non overcommitable resources')]
  const difference = compareAmountTexts(request, limit)
  if (difference !== 0 && !mayDiffer)
    return [invalidValue(`${field}.requests`, request, `must be equal to ${name} limit`)]
  return difference > 0
    ? [invalidValue(`${field}.requests`, request, `must be less than or equal to ${name} limit`)]
    : []
}
