import { Duration, maxInt, minInt, Timestamp } from '../run/values.js'
import { Failure, type Work } from '../run/work.js'
import { type Library, method } from './overload.js'

const second = 1_000_000_000n
/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999999999Z. */
export const minTimestamp = -62_135_596_800n * second
export const maxTimestamp = 253_402_300_800n * second - 1n

const maxTimestampLength = 64
const timestampPattern = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/

/** Parses a timestamp of RFC 3339; undefined if it is invalid. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const found = text.length > maxTimestampLength ? null : timestampPattern.exec(text)
  if (!found) return undefined
  const [, date, time, fraction = '', zone] = found
  const ms = Date.parse(`${date}T${time}${zone!.toUpperCase()}`)
  // The calendar of JavaScript would accept the 30th of February.
  if (Number.isNaN(ms) || new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10) !== date) return undefined
  const nanoseconds = BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9))
  return nanoseconds < minTimestamp || nanoseconds > maxTimestamp ? undefined : new Timestamp(nanoseconds)
}

const unitNanoseconds: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: second,
  m: 60n * second,
  h: 3600n * second,
}
const maxDurationLength = 1000
const durationPart = /(?:(\d+)(?:\.(\d*))?|\.(\d+))(ns|us|µs|μs|ms|s|m|h)/y

/** Parses a duration such as `1h30m` or `-1.5s`; undefined if it is invalid. */
export function parseDuration(text: string): Duration | undefined {
  if (text.length > maxDurationLength) return undefined
  const start = text.startsWith('-') || text.startsWith('+') ? 1 : 0
  if (text.slice(start) === '0') return new Duration(0n)
  let sum = 0n
  let at = start
  while (at < text.length) {
    durationPart.lastIndex = at
    const [part, whole = '', fraction = '', onlyFraction = '', unit = ''] = durationPart.exec(text) ?? []
    if (part === undefined || whole.length > 20) return undefined
    at += part.length
    const size = unitNanoseconds[unit]!
    sum += BigInt(whole || 0) * size
    const digits = (fraction || onlyFraction).slice(0, 18)
    if (digits !== '') sum += (BigInt(digits) * size) / 10n ** BigInt(digits.length)
  }
  if (at === start) return undefined
  const signed = text.startsWith('-') ? -sum : sum
  return signed < minInt || signed > maxInt ? undefined : new Duration(signed)
}

/** A timestamp in RFC 3339, without trailing zeros in its fraction. */
export function timestampText({ nanoseconds }: Timestamp): string {
  const fraction = nanoseconds - floorDivide(nanoseconds, second) * second
  const whole = new Date(Number(floorDivide(nanoseconds, second)) * 1000).toISOString().slice(0, 19)
  const digits = fractionDigits(fraction)
  return `${whole}${digits === '' ? '' : `.${digits}`}Z`
}
/** A duration in seconds. */
export function durationText({ nanoseconds }: Duration): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds
  const digits = fractionDigits(size % second)
  return `${nanoseconds < 0n ? '-' : ''}${size / second}${digits === '' ? '' : `.${digits}`}s`
}

/** The fraction of a second without trailing zeros. */
function fractionDigits(nanoseconds: bigint): string {
  const digits = String(nanoseconds).padStart(9, '0')
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

const floorDivide = (value: bigint, by: bigint): bigint => (value < 0n ? -((-value + by - 1n) / by) : value / by)
const msOf = ({ nanoseconds }: Timestamp): number => Number(floorDivide(nanoseconds, 1_000_000n))

/** Creating a formatter takes as long as evaluating a large rule. */
const stepsOfNewZone = 20_000
const stepsOfZone = 400
const maxZoneLength = 64
const maxFormatters = 100
/** Formatters by time zone; the oldest is evicted first. */
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(work: Work, zone: string): Intl.DateTimeFormat {
  work.steps(stepsOfZone)
  let found = formatters.get(zone)
  if (!found) {
    work.steps(stepsOfNewZone)
    try {
      found = new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        hourCycle: 'h23',
        ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
      })
    } catch {
      throw new Failure(`unknown time zone ${zone}`)
    }
    if (formatters.size >= maxFormatters) formatters.delete(formatters.keys().next().value!)
    formatters.set(zone, found)
  }
  return found
}

/** The local time in a time zone, represented as if it were UTC. */
function localTime(work: Work, timestamp: Timestamp, zone = 'UTC'): Date {
  const ms = msOf(timestamp)
  if (zone === 'UTC' || zone === '') return new Date(ms)
  const offset = /^([+-]?)(\d\d):(\d\d)$/.exec(zone.slice(0, 8))
  if (offset && zone.length <= 6) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3])
    return new Date(ms + (offset[1] === '-' ? -minutes : minutes) * 60_000)
  }
  if (zone.length > maxZoneLength || !/^[A-Za-z][\w/+-]*$/.test(zone))
    throw new Failure(`unknown time zone ${zone.slice(0, maxZoneLength)}`)
  const parts = formatterOf(work, zone).formatToParts(new Date(ms))
  const part = (type: string) => Number(parts.find(each => each.type === type)?.value)
  const local = new Date(0)
  local.setUTCFullYear(part('year'), part('month') - 1, part('day'))
  local.setUTCHours(part('hour'), part('minute'), part('second'), ((ms % 1000) + 1000) % 1000)
  return local
}

const dayOfYear = (date: Date): number =>
  Math.floor((Date.UTC(2000, date.getUTCMonth(), date.getUTCDate()) - Date.UTC(2000, 0, 1)) / 86_400_000) -
  (isLeapYear(date.getUTCFullYear()) || date.getUTCMonth() < 2 ? 0 : 1)
const isLeapYear = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

const getter = (ids: readonly [string, string], read: (local: Date) => number) => ({
  [ids[0]]: method('timestamp:int', (work, time: Timestamp) => BigInt(read(localTime(work, time)))),
  [ids[1]]: method('timestamp,string:int', (work, time: Timestamp, zone: string) =>
    BigInt(read(localTime(work, time, zone))),
  ),
})
const durationGetter = (id: string, unit: bigint) => ({
  [id]: method('duration:int', (_, { nanoseconds }: Duration) => nanoseconds / unit),
})

export const times: Library = {
  name: 'times',
  since: 0,
  functions: {
    getFullYear: getter(['timestamp_to_year', 'timestamp_to_year_with_tz'], date => date.getUTCFullYear()),
    getMonth: getter(['timestamp_to_month', 'timestamp_to_month_with_tz'], date => date.getUTCMonth()),
    getDayOfYear: getter(['timestamp_to_day_of_year', 'timestamp_to_day_of_year_with_tz'], dayOfYear),
    getDayOfMonth: getter(
      ['timestamp_to_day_of_month', 'timestamp_to_day_of_month_with_tz'],
      date => date.getUTCDate() - 1,
    ),
    getDate: getter(['timestamp_to_day_of_month_1_based', 'timestamp_to_day_of_month_1_based_with_tz'], date =>
      date.getUTCDate(),
    ),
    getDayOfWeek: getter(['timestamp_to_day_of_week', 'timestamp_to_day_of_week_with_tz'], date => date.getUTCDay()),
    getHours: {
      ...getter(['timestamp_to_hours', 'timestamp_to_hours_with_tz'], date => date.getUTCHours()),
      ...durationGetter('duration_to_hours', 3600n * second),
    },
    getMinutes: {
      ...getter(['timestamp_to_minutes', 'timestamp_to_minutes_with_tz'], date => date.getUTCMinutes()),
      ...durationGetter('duration_to_minutes', 60n * second),
    },
    getSeconds: {
      ...getter(['timestamp_to_seconds', 'timestamp_to_seconds_tz'], date => date.getUTCSeconds()),
      ...durationGetter('duration_to_seconds', second),
    },
    getMilliseconds: {
      ...getter(['timestamp_to_milliseconds', 'timestamp_to_milliseconds_with_tz'], date => date.getUTCMilliseconds()),
      ...durationGetter('duration_to_milliseconds', 1_000_000n),
    },
  },
}
