import { Cron } from 'croner'
import type { Schedule } from './parse-schedule.js'

/** The first time after `after` at which the schedule is due, in ms since the epoch; undefined if it never is again. */
export function nextDueTime(schedule: Schedule, after: number): number | undefined {
  if (schedule.is === 'interval') return after - (after % 1000) + schedule.everyMs
  const { pattern, timeZone } = schedule
  return new Cron(pattern, { timezone: timeZone, mode: '5-part' }).nextRun(new Date(after))?.getTime()
}
