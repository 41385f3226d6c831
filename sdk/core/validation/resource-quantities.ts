import type { Vendor } from '../../plugin/vendor.js'
import { type FieldError, invalidValue } from '../../resource/field-errors.js'
import { isQualifiedName } from '../../validation/object-names.js'
import {
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  quantityValue,
  roundUpQuantity,
} from '../../validation/quantity.js'

/** Amounts of named resources, such as `{ cpu: '500m', memory: '1Gi' }`. */
export type ResourceList = Record<string, string>

const zero = parseQuantity('0')
const milli = -3

/** Rounds every amount up to thousandths, the finest that is accounted. Changes the list. */
export function roundResourceList(list: ResourceList | undefined): void {
  for (const [name, amount] of Object.entries(list ?? {})) {
    const parsed = parseQuantity(amount)
    const rounded = roundUpQuantity(parsed, milli)
    if (list !== undefined && rounded !== parsed) list[name] = formatQuantity(rounded)
  }
}

/** Negative, zero or positive as the amount `left` is less than, equal to or greater than `right`. */
export const compareAmountTexts = (left: string, right: string): number =>
  compareQuantities(parseQuantity(left), parseQuantity(right))

/** An amount must be zero or more. */
export const checkNonNegative = (amount: string, field: string): FieldError[] =>
  compareQuantities(parseQuantity(amount), zero) < 0
    ? [invalidValue(field, canonicalQuantity(amount), 'must be greater than or equal to 0')]
    : []

/** An amount must be more than zero. */
export const checkPositive = (amount: string, field: string): FieldError[] =>
  compareQuantities(parseQuantity(amount), zero) <= 0
    ? [invalidValue(field, canonicalQuantity(amount), 'must be greater than zero')]
    : []

const maxInt64 = 2n ** 63n - 1n
/**
 * Whether an amount has no fraction. Counted in thousandths, in 64 bits as by the reference: an amount that overflows counts
 * as whole, and of a number that does not fit at all, or is in binary units, the lowest 64 bits count.
 */
export function isWholeAmount(amount: string): boolean {
  const quantity = parseQuantity(amount)
  const thousandths = quantityValue(quantity, milli)
  if (thousandths <= maxInt64) return thousandths % 1000n === 0n
  if (quantity.format !== 'binary' && quantity.unscaled <= maxInt64) return true
  return BigInt.asIntN(64, thousandths) % 1000n === 0n
}

const countedTypes = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]
const measured = ['cpu', 'memory', 'ephemeral-storage']
const standardNames = new Set([
  ...measured,
  ...measured.map(name => `requests.${name}`),
  ...measured.map(name => `limits.${name}`),
  ...countedTypes,
  'storage',
  'requests.storage',
])
const hugePagesPrefix = 'hugepages-'

/** Pages of a fixed size, `hugepages-2Mi`. */
export const isHugePagesResource = (name: string): boolean => name.startsWith(hugePagesPrefix)
/** Whether an amount of huge pages is a number of pages of the size in their name. A name without a size has none. */
export function isWholePages(name: string, amount: string): boolean {
  try {
    const page = name.slice(hugePagesPrefix.length)
    const size = quantityValue(parseQuantity(page), 0)
    return size > 0n && isWholeAmount(page) && quantityValue(parseQuantity(amount), 0) % size === 0n
  } catch {
    return false
  }
}
/** A name without a domain that the API knows. */
export const isStandardResource = (name: string): boolean =>
  standardNames.has(name) || [hugePagesPrefix, `requests.${hugePagesPrefix}`].some(prefix => name.startsWith(prefix))
/** cpu, memory, ephemeral storage and huge pages: what a container can be given. */
export const isStandardContainerResource = (name: string): boolean =>
  measured.includes(name) || isHugePagesResource(name)

/** A resource the vendor itself defines: without a domain or in the vendor's. */
export const isNativeResource = (name: string, vendor: Vendor): boolean =>
  !name.includes('/') || name.includes(`${vendor.profile.domain}/`)

/** An extended resource, such as `example.com/gpu`: counted in whole units, never overcommitted. */
export const isExtendedResource = (name: string, vendor: Vendor): boolean =>
  !isNativeResource(name, vendor) && !name.startsWith('requests.') && isQualifiedName(`requests.${name}`).length === 0

/** Whether limits may exceed requests. */
export const isOvercommitAllowed = (name: string, vendor: Vendor): boolean =>
  isNativeResource(name, vendor) && !isHugePagesResource(name)

/** Resources that only exist in whole numbers. */
export const isIntegerResource = (name: string, vendor: Vendor): boolean =>
  countedTypes.includes(name) || isExtendedResource(name, vendor)

/** A resource is known or has a domain. */
export function validateResourceName(name: string, field: string): FieldError[] {
  const broken = isQualifiedName(name)
  if (broken.length > 0) return broken.map(text => invalidValue(field, name, text))
  return name.includes('/') || isStandardResource(name)
    ? []
    : [invalidValue(field, name, 'must be a standard resource type or fully qualified')]
}

/** An amount of a resource: not negative, and whole for resources that only exist in whole numbers. */
export const validateResourceAmount = (name: string, amount: string, field: string, vendor: Vendor): FieldError[] => [
  ...checkNonNegative(amount, field),
  ...(isIntegerResource(name, vendor) && !isWholeAmount(amount)
    ? [invalidValue(field, amount, 'must be an integer')]
    : []),
]
