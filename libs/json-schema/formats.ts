import { isValidCidr, isValidIp } from 'orch/sdk/validation'
import { isMailAddress } from './mail-address.js'
import { isRequestUri } from './request-uri.js'

/** Formats that strings are checked against. Others, such as `password`, are not checked. */
const checks: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: text => /^[0-9a-f]{24}$/i.test(text),
  uri: isRequestUri,
  email: isMailAddress,
  hostname: isHostname,
  // An IPv6 address may end in an IPv4 address.
  ipv4: text => text.includes('.') && isValidIp(text).length === 0,
  ipv6: text => text.includes(':') && isValidIp(text).length === 0,
  cidr: text => isValidCidr(text).length === 0,
  mac: text => text.length <= maxMacLength && macs.some(mac => mac.test(text)),
  uuid: text => uuid.test(text),
  uuid3: text => uuid3.test(text),
  uuid4: text => uuid4.test(text),
  uuid5: text => uuid5.test(text),
  isbn: text => isIsbn(text),
  isbn10: text => isIsbn(text, 10),
  isbn13: text => isIsbn(text, 13),
  creditcard: text => creditCard.test(numbersOf(text)) && hasLuhnDigit(numbersOf(text)),
  ssn: text => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: text => /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text),
  rgbcolor: text => text.length <= maxColorLength && rgbColor.test(text),
  byte: text => text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text),
  password: () => true,
  date: text => /^\d{4}-\d{2}-\d{2}$/.test(text) && isDay(text),
  duration: text => durationNanoseconds(text) !== undefined,
  datetime: isDateTime,
}
/** The formats of names were added later. */
const nameChecks: Readonly<Record<string, (text: string) => boolean>> = {
  k8sshortname: text => text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text),
  k8slongname: text =>
    text.length <= 253 && text.split('.').every(part => /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(part)),
}

/** The check of a format of strings; undefined for formats that are not checked. Dashes do not matter: `date-time`, `datetime`. */
export function formatCheck(format: string, { nameFormats = true } = {}): ((text: string) => boolean) | undefined {
  const name = format.replaceAll('-', '')
  if (Object.hasOwn(checks, name)) return checks[name]
  return nameFormats && Object.hasOwn(nameChecks, name) ? nameChecks[name] : undefined
}

/** Formats of numbers, by type. */
const numberFormats: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
}

/** Whether values of a type are checked against a format. */
export function isKnownFormat(type: string, format: string, options?: { readonly nameFormats: boolean }): boolean {
  if (type === '' || type === 'string') return formatCheck(format, options) !== undefined
  return numberFormats[type]?.includes(format) ?? false
}

/** Why a number does not fit its type and format; undefined if it does. */
export function numberProblem(value: number, type: string, format: string): string | undefined {
  const [min, max] =
    type === 'integer'
      ? format === 'int32'
        ? [-(2 ** 31), 2 ** 31 - 1]
        : [-(2 ** 63), 2 ** 63 - 1024]
      : type === 'number' && format === 'float'
        ? [-maxFloat, maxFloat]
        : [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  const isInRange = value >= min! && value <= max!
  if (isInRange && (type !== 'integer' || Number.isInteger(value))) return undefined
  return `must be of type ${type}${format === '' ? '' : ` with format ${format}`}`
}
const maxFloat = 3.4028235677973366e38

const maxMacLength = 60
const macs = [6, 8, 20].flatMap(count => [
  new RegExp(`^[0-9a-f]{2}(:[0-9a-f]{2}){${count - 1}}$`, 'i'),
  new RegExp(`^[0-9a-f]{2}(-[0-9a-f]{2}){${count - 1}}$`, 'i'),
  new RegExp(`^[0-9a-f]{4}(\\.[0-9a-f]{4}){${count / 2 - 1}}$`, 'i'),
])
const maxColorLength = 100
const component = '\\s*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*'
const rgbColor = new RegExp(`^rgb\\(${component},${component},${component}\\)$`)
const creditCard =
  /^(4\d{12}(\d{3})?|5[1-5]\d{14}|6(011|5\d\d)\d{12}|3[47]\d{13}|3(0[0-5]|[68]\d)\d{11}|(2131|1800|35\d{3})\d{11})$/
const numbersOf = (text: string) => text.replace(/[^0-9]+/g, '')

/** Letters and symbols of any script; the top-level label has at least two characters, all of them letters. */
function isHostname(text: string): boolean {
  if (Buffer.byteLength(text) > 255) return false
  const labels = text.split('.')
  if (labels.some(label => Buffer.byteLength(label) > 63)) return false
  if (labels.length === 1) return /^[a-zA-Z0-9\p{S}\p{L}](-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?$/u.test(text)
  const last = labels.pop()!
  return (
    /^[a-zA-Z\p{L}]{2,63}$/u.test(last) &&
    labels.every(label => /^[a-zA-Z0-9\p{S}\p{L}]([a-zA-Z0-9\p{S}\p{L}-]{0,61}[a-zA-Z0-9\p{S}\p{L}])?$/u.test(label))
  )
}

const digitsOf = (text: string) => text.replace(/[ -]/g, '')

const [uuid, uuid3, uuid4, uuid5] = [
  ['[0-9a-f]', '[0-9a-f]'],
  ['3', '[0-9a-f]'],
  ['4', '[89ab]'],
  ['5', '[89ab]'],
].map(
  ([version, variant]) =>
    new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`, 'i'),
) as [RegExp, RegExp, RegExp, RegExp]

const isDay = (text: string) =>
  !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)

function isDateTime(text: string): boolean {
  const [day, time, ...rest] = text.toLowerCase().split('t', 3)
  if (day === undefined || time === undefined || rest.length > 0 || !/^\d{4}-\d{2}-\d{2}$/.test(day) || !isDay(day))
    return false
  const parts = /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|[+-]\d{2}:\d{2})$/s.exec(time)
  return parts !== null && parts[1]! <= '23' && parts[2]! <= '59' && parts[3]! <= '59'
}

function hasLuhnDigit(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index])
    const doubled = digit * 2
    sum += index % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

function isIsbn(text: string, length?: number): boolean {
  const digits = digitsOf(text)
  if (length !== 13 && /^\d{9}[\dX]$/.test(digits)) {
    const sum = [...digits].reduce(
      (total, digit, index) => total + (digit === 'X' ? 10 : Number(digit)) * (10 - index),
      0,
    )
    return sum % 11 === 0
  }
  if (length === 10 || !/^\d{13}$/.test(digits)) return false
  return [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0) % 10 === 0
}

const units: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
}
/** Names of units. The last of each accepts suffixes: `days`, `hourly`. */
const spokenUnits: readonly (readonly [number, readonly string[]])[] = [
  [1, ['ns', 'nano']],
  [1e3, ['us', 'µs', 'micro']],
  [1e6, ['ms', 'milli']],
  [1e9, ['s', 'sec']],
  [60e9, ['m', 'min']],
  [3600e9, ['h', 'hr', 'hour']],
  [86_400e9, ['d', 'day']],
  [7 * 86_400e9, ['w', 'wk', 'week']],
]

/** No duration that fits is longer, apart from leading zeros. */
const maxDurationLength = 1000

/** Parses a duration such as `1h30m`, `-5s`, `3 days` or `1d 2h`; undefined if it is invalid. */
export function durationNanoseconds(text: string): bigint | undefined {
  // Parsing a number takes quadratic time in its digits.
  if (text.length > maxDurationLength) return undefined
  return exactDuration(text) ?? spokenDuration(text)
}

function exactDuration(text: string): bigint | undefined {
  const unsigned = text.replace(/^[+-]/, '')
  if (unsigned === '0') return 0n
  if (!/^((?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(unsigned)) return undefined
  let total = 0
  for (const [, amount, unit] of unsigned.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/gy))
    total += Number(amount) * units[unit!]!
  if (!Number.isFinite(total) || total > 2 ** 63) return undefined
  return BigInt(Math.round(total)) * (text.startsWith('-') ? -1n : 1n)
}

/** The digits of a 64-bit number: parsing longer ones takes quadratic time. */
const maxDigits = 19

/** Numbers and units, whatever is between them. */
function spokenDuration(text: string): bigint | undefined {
  let total: bigint | undefined
  // Tokens, because one expression for a number and its unit would take quadratic time.
  const tokens = (text.match(/\d+|[A-Za-zµ]+|[^\dA-Za-zµ]+/g) ?? []).filter(token => token.trim() !== '')
  for (const [at, amount] of tokens.entries()) {
    const word = tokens[at + 1]
    if (!/^\d/.test(amount) || word === undefined || !/^[A-Za-zµ]/.test(word)) continue
    const digits = amount.replace(/^0+/, '')
    if (digits.length > maxDigits) return undefined
    const factor = BigInt(digits)
    if (factor > 2n ** 63n - 1n) return undefined
    const unit = word.toLowerCase()
    for (const [nanoseconds, names] of spokenUnits)
      if (names.includes(unit) || unit.startsWith(names.at(-1)!)) total = (total ?? 0n) + factor * BigInt(nanoseconds)
  }
  return total
}
