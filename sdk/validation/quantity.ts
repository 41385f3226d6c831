import { recognizedAcrossCopies } from '../plugin/across-copies.js'

/**
 * Quantities: numbers with a unit, such as `500m`, `1.5Gi` or `12e6`. They are exact (never a floating-point number), finer
 * values than a billionth are rounded up, and a quantity is written in the family of units it was read in.
 */
export type QuantityFormat = 'decimal' | 'binary' | 'exponent'

/** A parsed quantity: `unscaled * 10^scale`. */
export interface QuantityAmount {
  readonly unscaled: bigint
  readonly scale: number
  readonly format: QuantityFormat
  /** The text it was read from, when that is close enough to canonical to be written again as it was. */
  readonly text?: string
}

/** No two parts of it can take the same characters: otherwise a long text that is none would be tried in every possible split. */
const quantityForm = /^([+-]?)0*([1-9][0-9]*)?(?:\.([0-9]*))?((?:[eEinumkKMGTP]+[-+]?|[-+])[0-9]*)?$/
const nano = -9
/** Digits that fit a 64-bit integer with room to scale; more take the slow path, whose text is never reused. */
const maxFastDigits = 18
/** Beyond this an exponent is a mistake or an attack: `1e1000000000` would take a gigabyte to compare. */
const maxExponent = 1000
const maxTextLength = 2 * maxExponent
const maxBinary = 2n ** 63n - 1n

const decimalUnits = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']
const binaryUnits = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

/** Why a text is no quantity. */
export class QuantityError extends Error {
  override readonly name = 'QuantityError'
}
recognizedAcrossCopies(QuantityError, 'QuantityError')

/** The same few quantities are read again and again, often for many containers of one object. */
const known = new Map<string, QuantityAmount>()
const mostKnown = 1000
const longestKnown = 24

/** Reads a quantity. JSON numbers are quantities too. Throws QuantityError. */
export function parseQuantity(value: string | number): QuantityAmount {
  const text = String(value).trim()
  const found = known.get(text)
  if (found) return found
  const amount = readQuantity(text)
  if (text.length <= longestKnown) {
    if (known.size >= mostKnown) known.clear()
    known.set(text, amount)
  }
  return amount
}

function readQuantity(text: string): QuantityAmount {
  const match = text.length > maxTextLength ? null : quantityForm.exec(text)
  if (!match || text === '') {
    throw new QuantityError(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    )
  }
  const isNegative = match[1] === '-'
  const [, , whole = '0', fraction = '', suffix = ''] = match
  const unit = parseUnit(suffix)
  const digits = whole + fraction
  const magnitude = BigInt(digits)
  const amount = { unscaled: isNegative ? -magnitude : magnitude, scale: unit.decimal - fraction.length }
  if (unit.format === 'binary') return binaryQuantity(text, amount, unit.binary, whole.length, fraction)
  const isFast = digits.length <= maxFastDigits && amount.scale >= nano
  if (!isFast) return { ...roundUp(amount, nano), format: unit.format }
  const isCanonical = amount.scale % 3 === 0 && !digits.endsWith('000') && digits[0] !== '0'
  return { ...amount, format: unit.format, ...(isCanonical || text === '0' ? { text } : {}) }
}

interface Amount {
  readonly unscaled: bigint
  readonly scale: number
}

function binaryQuantity(
  text: string,
  amount: Amount,
  exponent: number,
  wholeDigits: number,
  fraction: string,
): QuantityAmount {
  const scaled = { unscaled: amount.unscaled << BigInt(exponent), scale: amount.scale }
  // 2^10 has about three decimal digits; what may not fit 15 of them is never written back as it was.
  const isFast = fraction === '' && 14 - wholeDigits - (exponent * 3) / 10 >= 0
  if (isFast) {
    const isCanonical = (magnitudeOf(amount.unscaled) & 7n) !== 0n
    return { ...scaled, format: 'binary', ...(isCanonical ? { text } : {}) }
  }
  const rounded = roundUp(scaled, nano)
  if (compareAmounts(rounded, { unscaled: maxBinary, scale: 0 }) > 0)
    return { unscaled: maxBinary, scale: 0, format: 'binary' }
  if (compareAmounts(rounded, { unscaled: -maxBinary, scale: 0 }) < 0)
    return { unscaled: -maxBinary, scale: 0, format: 'binary' }
  const isBelowOne = compareAmounts(absolute(rounded), { unscaled: 1n, scale: 0 }) < 0 && rounded.unscaled !== 0n
  return { ...rounded, format: isBelowOne ? 'decimal' : 'binary' }
}

function parseUnit(suffix: string): { format: QuantityFormat; decimal: number; binary: number } {
  const decimal = decimalUnits.indexOf(suffix)
  if (decimal >= 0) return { format: 'decimal', decimal: (decimal - 3) * 3, binary: 0 }
  const binary = binaryUnits.indexOf(suffix)
  if (binary > 0) return { format: 'binary', decimal: 0, binary: binary * 10 }
  const exponent = /^[eE]([+-]?[0-9]+)$/.exec(suffix)
  if (!exponent || Number(exponent[1]) > maxExponent) throw new QuantityError("unable to parse quantity's suffix")
  return { format: 'exponent', decimal: Math.max(Number(exponent[1]), -maxExponent), binary: 0 }
}

/** The canonical text of a quantity: no fraction, the largest unit that loses nothing. */
export function formatQuantity(quantity: QuantityAmount): string {
  if (quantity.text !== undefined) return quantity.text
  if (quantity.unscaled === 0n) return '0'
  if (quantity.format === 'binary') {
    const whole = wholeNumber(quantity)
    if (whole !== undefined && magnitudeOf(whole) >= 1024n) return formatBinary(whole)
  }
  let { unscaled, scale } = quantity
  while (unscaled % 10n === 0n) {
    unscaled /= 10n
    scale++
  }
  const shift = ((scale % 3) + 3) % 3
  unscaled *= 10n ** BigInt(shift)
  scale -= shift
  const unit = quantity.format === 'exponent' ? undefined : decimalUnits[scale / 3 + 3]
  return `${unscaled}${unit ?? (scale === 0 ? '' : `e${scale}`)}`
}

function formatBinary(value: bigint): string {
  let unit = 0
  while (value % 1024n === 0n && unit < binaryUnits.length - 1) {
    value /= 1024n
    unit++
  }
  return `${value}${binaryUnits[unit]}`
}

/** The text a quantity is stored and sent as. Throws QuantityError. */
export const canonicalQuantity = (value: string | number): string => formatQuantity(parseQuantity(value))

/** Negative, zero or positive as `left` is less than, equal to or greater than `right`. */
export const compareQuantities = (left: QuantityAmount, right: QuantityAmount): number => compareAmounts(left, right)

/** The sum, in the format of `left` unless that is zero. */
export const addQuantities = (left: QuantityAmount, right: QuantityAmount): QuantityAmount => combine(left, right, 1n)

/** The difference, in the format of `left` unless that is zero. */
export const subtractQuantities = (left: QuantityAmount, right: QuantityAmount): QuantityAmount =>
  combine(left, right, -1n)

function combine(left: QuantityAmount, right: QuantityAmount, sign: bigint): QuantityAmount {
  const scale = Math.min(left.scale, right.scale)
  return {
    unscaled: rescale(left, scale) + sign * rescale(right, scale),
    scale,
    format: left.unscaled === 0n ? right.format : left.format,
  }
}

/** Rounds away from zero to `10^scale` (-3: to a thousandth), as resource lists do. */
export function roundUpQuantity(quantity: QuantityAmount, scale: number): QuantityAmount {
  return quantity.scale >= scale ? quantity : { ...roundUp(quantity, scale), format: quantity.format }
}

/** The value in units of `10^scale`, rounded away from zero: `quantityValue(parseQuantity('1.5'), -3)` is 1500n. */
export const quantityValue = (quantity: QuantityAmount, scale = 0): bigint =>
  rescale(roundUpQuantity(quantity, scale), scale)

function roundUp(amount: Amount, scale: number): Amount {
  if (amount.scale >= scale) return amount
  const divisor = 10n ** BigInt(scale - amount.scale)
  const rest = amount.unscaled % divisor
  const away = rest === 0n ? 0n : amount.unscaled < 0n ? -1n : 1n
  return { unscaled: amount.unscaled / divisor + away, scale }
}

function wholeNumber(amount: Amount): bigint | undefined {
  if (amount.scale >= 0) return rescale(amount, 0)
  const divisor = 10n ** BigInt(-amount.scale)
  return amount.unscaled % divisor === 0n ? amount.unscaled / divisor : undefined
}

const magnitudeOf = (value: bigint): bigint => (value < 0n ? -value : value)
const absolute = (amount: Amount): Amount => ({ unscaled: magnitudeOf(amount.unscaled), scale: amount.scale })
/** The digits of `amount` at a scale that is not coarser than its own. */
const rescale = (amount: Amount, scale: number): bigint => amount.unscaled * 10n ** BigInt(amount.scale - scale)

function compareAmounts(left: Amount, right: Amount): number {
  const scale = Math.min(left.scale, right.scale)
  const difference = rescale(left, scale) - rescale(right, scale)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}
