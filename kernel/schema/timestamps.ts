import { memoize } from './derive.js'

/** Times as objects carry them: RFC 3339 in UTC, to the second or to the microsecond. */

const form = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)([.,]\d+)?(Z|[+-]\d\d:\d\d)$/
/** An unset time that was written. */
const zeroTime = '0001-01-01T00:00:00Z'

export interface Instant {
  /** Seconds since 1970. */
  readonly seconds: number
  readonly nanos: number
}

/** Objects created together share their times, and managed fields repeat them. */
const rememberedTimes = 1000
/** A fraction may have any number of digits: only canonical times are cached. */
const canonicalLength = zeroTime.length

/** The canonical form of a time; null for the zero time, undefined for invalid text. */
export const canonicalTime = (text: string): string | null | undefined =>
  text.length === canonicalLength ? canonicalTimeLately(text) : readCanonical(text)

function readCanonical(text: string): string | null | undefined {
  const instant = parseInstant(text)
  return instant && (formatTime(instant) ?? null)
}
const canonicalTimeLately = memoize(readCanonical, rememberedTimes)

/** Parses RFC 3339; undefined if the text is invalid. */
export function parseInstant(text: string): Instant | undefined {
  const match = form.exec(text)
  if (!match) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const offset = offsetSeconds(match[8]!)
  if (offset === undefined) return undefined
  const seconds = utcSeconds(year, month, day) + hour * 3600 + minute * 60 + second - offset
  const nanos = match[7] === undefined ? 0 : Number(match[7].slice(1, 10).padEnd(9, '0'))
  return { seconds, nanos }
}

/** `2024-05-01T10:00:00Z`; undefined for the zero time and for years that RFC 3339 cannot express. */
export function formatTime(instant: Instant): string | undefined {
  const date = new Date(instant.seconds * 1000)
  const year = date.getUTCFullYear()
  if (Number.isNaN(year) || year < 0 || year > 9999) return undefined
  const text = `${date.toISOString().slice(0, 19)}Z`
  return text === zeroTime ? undefined : text
}

/** `2024-05-01T10:00:00.000000Z`. */
export function formatMicroTime(instant: Instant): string | undefined {
  const seconds = formatTime(instant)
  const micros = Math.floor(instant.nanos / 1000)
  return seconds && `${seconds.slice(0, 19)}.${String(micros).padStart(6, '0')}Z`
}

const lastTimestampMs = Date.UTC(9999, 11, 31, 23, 59, 59)
let latest = { second: Number.NaN, text: '' }

/**
 * `2024-05-01T10:00:00Z` for milliseconds since 1970. The year has four digits: later times become the last possible one.
 * Most writes happen in the same second as the one before, so its text is kept: `npm run bench:compare -- --only create-c64`.
 */
export function timestamp(ms: number): string {
  const second = Math.floor(Math.min(ms, lastTimestampMs) / 1000)
  if (second !== latest.second) latest = { second, text: `${new Date(second * 1000).toISOString().slice(0, 19)}Z` }
  return latest.text
}

// Date.UTC would read the years 0 to 99 as 1900 to 1999.
const utcSeconds = (year: number, month: number, day: number): number =>
  new Date(0).setUTCFullYear(year, month - 1, day) / 1000

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

function offsetSeconds(zone: string): number | undefined {
  if (zone === 'Z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(4, 6))
  if (hours > 23 || minutes > 59) return undefined
  return (zone[0] === '-' ? -1 : 1) * (hours * 3600 + minutes * 60)
}
