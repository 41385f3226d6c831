import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nextDueTime, parseSchedule } from './parse-schedule.js'

const schedules = suite('schedules')
const start = Date.parse('2026-11-15T21:50:00Z')
const times = (text: string, from = start) => {
  const schedule = parseSchedule(text)
  const found: string[] = []
  for (let at: number | undefined = from; found.length < 3; ) {
    at = nextDueTime(schedule, at)
    if (at === undefined) break
    found.push(new Date(at).toISOString().slice(5, 16))
  }
  return found
}

const due: Record<string, string[]> = {
  '*/5 * * * *': ['11-15T21:55', '11-15T22:00', '11-15T22:05'],
  '5/20 * * * *': ['11-15T22:05', '11-15T22:25', '11-15T22:45'],
  '0 0 ? * MON': ['11-16T00:00', '11-23T00:00', '11-30T00:00'],
  '0 12 * dec mon-fri': ['12-01T12:00', '12-02T12:00', '12-03T12:00'],
  // Either of the two days, when both say something; a star leaves it to the other one.
  '0 0 20 * 1': ['11-16T00:00', '11-20T00:00', '11-23T00:00'],
  '0 0 */31 * 1': ['11-16T00:00', '11-23T00:00', '11-30T00:00'],
  '@weekly': ['11-22T00:00', '11-29T00:00', '12-06T00:00'],
  '@hourly': ['11-15T22:00', '11-15T23:00', '11-16T00:00'],
  ' 0 0 20 * * ': ['11-20T00:00', '12-20T00:00', '01-20T00:00'],
  'TZ=UTC  @weekly ': ['11-22T00:00', '11-29T00:00', '12-06T00:00'],
  '@every 1h30m': ['11-15T23:20', '11-16T00:50', '11-16T02:20'],
  'TZ=Europe/Paris 0 3 * * *': ['11-16T02:00', '11-17T02:00', '11-18T02:00'],
  'CRON_TZ=Asia/Tokyo 0 9 * * *': ['11-16T00:00', '11-17T00:00', '11-18T00:00'],
  '0 0 31 2 *': [],
}
for (const [text, expected] of Object.entries(due)) schedules(`"${text}"`, () => assert.equal(times(text), expected))

schedules('a time that a change to daylight saving time skips is run afterwards', () => {
  const [first] = times('TZ=Europe/Paris 30 2 * * *', Date.parse('2026-03-28T12:00:00Z'))
  assert.is(first, '03-29T01:00')
})

const refused: Readonly<Record<string, string>> = {
  '': 'empty spec string',
  '* * * *': 'expected exactly 5 fields, found 4: [* * * *]',
  '* * *  * * *': 'expected exactly 5 fields, found 6: [* * * * * *]',
  '60 * * * *': 'end of range (60) above maximum (59): 60',
  '* 24 * * *': 'end of range (24) above maximum (23): 24',
  '* * 0 * *': 'beginning of range (0) below minimum (1): 0',
  '* * * 13 *': 'end of range (13) above maximum (12): 13',
  '* * * * 7': 'end of range (7) above maximum (6): 7',
  '5-1 * * * *': 'beginning of range (5) beyond end of range (1): 5-1',
  '*/0 * * * *': 'step of range should be a positive number: */0',
  '1/2/3 * * * *': 'too many slashes: 1/2/3',
  '1-2-3 * * * *': 'too many hyphens: 1-2-3',
  '*/-2 * * * *': 'negative number (-2) not allowed: -2',
  'x * * * *': 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax',
  '0 0 L * *': 'failed to parse int from L: strconv.Atoi: parsing "L": invalid syntax',
  '-1 * * * *': 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax',
  '@hourly ': 'unrecognized descriptor: @hourly ',
  ' @hourly': 'expected exactly 5 fields, found 1: [@hourly]',
  ' ': 'expected exactly 5 fields, found 0: []',
  'TZ=UTC ': 'expected exactly 5 fields, found 0: []',
  '@never': 'unrecognized descriptor: @never',
  '@every': 'unrecognized descriptor: @every',
  '@every soon': 'failed to parse duration @every soon: time: invalid duration "soon"',
  'TZ=Nowhere/Land 0 0 * * *': 'provided bad location Nowhere/Land: unknown time zone Nowhere/Land',
}
for (const [text, says] of Object.entries(refused)) {
  schedules(`"${text}" is refused`, () =>
    assert.throws(
      () => parseSchedule(text),
      (error: Error) => error.message === says,
    ),
  )
}

schedules.run()
