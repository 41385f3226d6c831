import { isValidCidr, isValidIp, isValidIpv4 } from 'orch/sdk'

/** Formats that strings are checked against. Others, such as `int32` or `password`, are not checked. */
const checks: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: text => /^[0-9a-f]{24}$/i.test(text),
  uri: text => URL.canParse(text) || /^\/[^\s]*$/.test(text),
  email: text => /^[^\s@<>]+@[^\s@<>]+$/.test(text) && text.length <= 320,
  hostname: text =>
    text.length <= 255 && /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*\.?$/i.test(text),
  ipv4: text => isValidIpv4(text).length === 0,
  ipv6: text => text.includes(':') && isValidIp(text).length === 0,
  cidr: text => isValidCidr(text).length === 0,
  mac: text => /^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i.test(text) || /^([0-9a-f]{4}\.){2}[0-9a-f]{4}$/i.test(text),
  uuid: text => uuid.test(text),
  uuid3: text => uuid3.test(text),
  uuid4: text => uuid4.test(text),
  uuid5: text => uuid5.test(text),
  isbn: text => isIsbn(text),
  isbn10: text => isIsbn(text, 10),
  isbn13: text => isIsbn(text, 13),
  creditcard: text => /^[0-9]{12,19}$/.test(digitsOf(text)) && hasLuhnDigit(digitsOf(text)),
  ssn: text => /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: text => /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text),
  rgbcolor: text =>
    /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.test(text) &&
    (text.match(/\d+/g) ?? []).every(part => Number(part) < 256),
  byte: text => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text),
  date: text => /^\d{4}-\d{2}-\d{2}$/.test(text) && isDay(text),
  duration: text => durationNanoseconds(text) !== undefined,
  datetime: isDateTime,
  'date-time': isDateTime,
}

/** The check of a format; undefined for formats that are not checked. */
export const formatCheck = (format: string): ((text: string) => boolean) | undefined =>
  // Clients also write `datetime` and `DateTime`.
  Object.hasOwn(checks, format) ? checks[format] : undefined

const digitsOf = (text: string) => text.replace(/[ -]/g, '')

const [uuid, uuid3, uuid4, uuid5] = ['[0-9a-f]', '3', '4', '5'].map(
  version => new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`, 'i'),
) as [RegExp, RegExp, RegExp, RegExp]

const isDay = (text: string) =>
  !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)

function isDateTime(text: string): boolean {
  const parts = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})([.,]\d+)?([Zz]|[+-]\d{2}:?\d{2})$/.exec(text)
  if (!parts) return false
  const [, day = '', hour, minute, second] = parts
  return isDay(day) && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 61
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
  d: 86_400e9,
  w: 7 * 86_400e9,
}
const unitNames: Readonly<Record<string, string>> = {
  second: 's',
  sec: 's',
  minute: 'm',
  min: 'm',
  hour: 'h',
  hr: 'h',
  day: 'd',
  week: 'w',
  millisecond: 'ms',
  milli: 'ms',
  microsecond: 'us',
  micro: 'us',
  nanosecond: 'ns',
  nano: 'ns',
}

/** No duration that fits is longer, apart from leading zeros. */
const maxDurationLength = 1000

/** Parses a duration such as `1h30m`, `3 days` or `-5s`; undefined if it is invalid. */
export function durationNanoseconds(text: string): bigint | undefined {
  if (text === '0') return 0n
  // Reading a number takes time in proportion to the square of its digits.
  if (text.length > maxDurationLength) return undefined
  const spoken = /^\s*(\d+)\s+([a-z]+?)s?\s*$/i.exec(text)
  const unit = spoken ? (unitNames[spoken[2]!.toLowerCase()] ?? spoken[2]!) : ''
  if (spoken && units[unit] !== undefined) return BigInt(spoken[1]!) * BigInt(units[unit])
  const parts = /^([+-]?)((?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h|d|w))+$/.test(text)
  if (!parts) return undefined
  let total = 0
  for (const [, amount, each] of text
    .replace(/^[+-]/, '')
    .matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h|d|w)/gy))
    total += Number(amount) * units[each!]!
  if (!Number.isFinite(total) || total > 2 ** 63) return undefined
  return BigInt(Math.round(total)) * (text.startsWith('-') ? -1n : 1n)
}
