import { Cron } from 'croner'
import { parseDuration } from 'orch/sdk'

/** Calendar times, or a fixed interval. */
export type Schedule =
  | { readonly is: 'calendar'; readonly pattern: string; readonly timeZone: string }
  | { readonly is: 'interval'; readonly everyMs: number }

interface Field {
  readonly min: number
  readonly max: number
  readonly words?: readonly string[]
}
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const fields: readonly Field[] = [
  { min: 0, max: 59 }, // minute
  { min: 0, max: 23 }, // hour
  { min: 1, max: 31 }, // day of the month
  { min: 1, max: 12, words: months },
  { min: 0, max: 6, words: weekdays },
]
const nicknames: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

/**
 * Parses a schedule: five fields of cron, `@hourly` and the like, or `@every 1h30m`, optionally after a time zone
 * (`TZ=Europe/Paris` or `CRON_TZ=…`). Throws an Error with the message of the reference's parser, which ignores blanks around `@hourly` only
 * after a time zone.
 */
export function parseSchedule(text: string): Schedule {
  const zone = /^(?:TZ|CRON_TZ)=(\S*)\s+/.exec(text)
  const timeZone = zone ? checkTimeZone(zone[1] ?? '') : 'UTC'
  if (text === '') throw new Error('empty spec string')
  const rest = zone ? text.slice(zone[0].length).trimEnd() : text
  if (rest.startsWith('@every ')) return { is: 'interval', everyMs: parseInterval(rest) }
  if (rest.startsWith('@') && nicknames[rest] === undefined) throw new Error(`unrecognized descriptor: ${rest}`)
  const parts = (nicknames[rest] ?? rest).split(/\s+/).filter(part => part !== '')
  if (parts.length !== fields.length)
    throw new Error(`expected exactly ${fields.length} fields, found ${parts.length}: [${parts.join(' ')}]`)
  const pattern = fields.map((field, i) => canonicalField(parts[i] ?? '', field)).join(' ')
  return { is: 'calendar', pattern, timeZone }
}

function checkTimeZone(name: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name === 'Local' || name === '' ? 'UTC' : name }).resolvedOptions()
      .timeZone
  } catch {
    throw new Error(`provided bad location ${name}: unknown time zone ${name}`)
  }
}

/** Whole seconds, at least one. */
function parseInterval(descriptor: string): number {
  const text = descriptor.slice('@every '.length)
  let ms: number
  try {
    ms = parseDuration(text)
  } catch {
    throw new Error(`failed to parse duration ${descriptor}: time: invalid duration ${JSON.stringify(text)}`)
  }
  return Math.max(1000, ms - (ms % 1000))
}

/**
 * A field as the list of its values; `*` if it is unrestricted, because cron combines day and weekday only if both are
 * restricted.
 */
function canonicalField(text: string, field: Field): string {
  const values = new Set<number>()
  let isAny = false
  for (const part of text.split(',').filter(each => each !== '')) {
    const range = readRange(part, field)
    isAny ||= range.isAny
    for (let value = range.first; value <= range.last; value += range.step) values.add(value)
  }
  return isAny || values.size === 0 ? '*' : [...values].sort((a, b) => a - b).join(',')
}

function readRange(text: string, field: Field): { first: number; last: number; step: number; isAny: boolean } {
  const wrong = (why: string) => new Error(`${why}: ${text}`)
  const [span = '', stepText, ...moreSteps] = text.split('/')
  const [from = '', to, ...moreEnds] = span.split('-')
  if (moreSteps.length > 0) throw wrong('too many slashes')
  if (moreEnds.length > 0) throw wrong('too many hyphens')
  const isStar = from === '*' || from === '?'
  const first = isStar ? field.min : readValue(from, field)
  const step = stepText === undefined ? 1 : readNumber(stepText)
  const single = stepText === undefined ? first : field.max
  const last = isStar ? field.max : to === undefined ? single : readValue(to, field)
  if (first < field.min) throw wrong(`beginning of range (${first}) below minimum (${field.min})`)
  if (last > field.max) throw wrong(`end of range (${last}) above maximum (${field.max})`)
  if (first > last) throw wrong(`beginning of range (${first}) beyond end of range (${last})`)
  if (step === 0) throw wrong('step of range should be a positive number')
  return { first, last, step, isAny: isStar && step === 1 }
}

function readValue(text: string, { words = [], min }: Field): number {
  const at = words.indexOf(text.toLowerCase())
  return at >= 0 ? at + min : readNumber(text)
}
function readNumber(text: string): number {
  if (/^-\d+$/.test(text)) throw new Error(`negative number (${Number(text)}) not allowed: ${text}`)
  if (/^\+?\d+$/.test(text)) return Number(text)
  const quoted = JSON.stringify(text)
  throw new Error(`failed to parse int from ${text}: strconv.Atoi: parsing ${quoted}: invalid syntax`)
}

/** The first time after `after` at which the schedule is due, in ms since the epoch; undefined if it never is again. */
export function nextDueTime(schedule: Schedule, after: number): number | undefined {
  if (schedule.is === 'interval') return after - (after % 1000) + schedule.everyMs
  const { pattern, timeZone } = schedule
  return new Cron(pattern, { timezone: timeZone, mode: '5-part' }).nextRun(new Date(after))?.getTime()
}
