import { addAll, type FieldError, invalidValue, notSupported, requiredValue, type Vendor } from 'orch/sdk'
import { checkNotNegative } from 'orch/sdk/core'
import { dnsLabelMaxLength } from 'orch/sdk/validation'
import { schedulesWithoutZones } from '../differences.js'
import type { JobTemplateSpec } from '../jobs/schema.js'
import { validateJobSpec } from '../jobs/validation.js'
import { parseSchedule } from '../schedules/parse-schedule.js'
import { isKnownZone } from '../schedules/time-zones.js'
import type { CronJob, CronJobSpec } from './schema.js'

/** The names of jobs consist of this name and the time, which takes eleven characters. */
const maxNameLength = dnsLabelMaxLength - 11
const policies = ['Allow', 'Forbid', 'Replace']

export function validateNewCronJob(cronJob: CronJob, vendor: Vendor): FieldError[] {
  const errors = validateCronJob(cronJob, vendor)
  const { name = '' } = cronJob.metadata ?? {}
  if (name.length > maxNameLength)
    errors.push(invalidValue('metadata.name', name, `must be no more than ${maxNameLength} characters`))
  return errors
}

export function validateCronJob({ spec = {} as CronJobSpec }: CronJob, vendor: Vendor, stored?: CronJob): FieldError[] {
  const { schedule = '', concurrencyPolicy = '' } = spec
  const errors: FieldError[] = []
  if (schedule === '') errors.push(requiredValue('spec.schedule'))
  else addAll(errors, validateSchedule(schedule), checkZoneInSchedule(spec, stored?.spec, vendor))
  addAll(errors, checkNotNegative(spec.startingDeadlineSeconds, 'spec.startingDeadlineSeconds'))
  if (spec.timeZone !== stored?.spec?.timeZone) addAll(errors, validateTimeZone(spec.timeZone, 'spec.timeZone'))
  if (concurrencyPolicy === '') errors.push(requiredValue('spec.concurrencyPolicy'))
  else if (!policies.includes(concurrencyPolicy))
    errors.push(notSupported('spec.concurrencyPolicy', concurrencyPolicy, policies))
  addAll(errors, validateJobTemplate(spec.jobTemplate ?? {}, 'spec.jobTemplate', vendor, stored?.spec?.jobTemplate))
  addAll(errors, checkNotNegative(spec.successfulJobsHistoryLimit, 'spec.successfulJobsHistoryLimit'))
  addAll(errors, checkNotNegative(spec.failedJobsHistoryLimit, 'spec.failedJobsHistoryLimit'))
  return errors
}

function validateSchedule(schedule: string): FieldError[] {
  try {
    parseSchedule(schedule)
    return []
  } catch (error) {
    return [invalidValue('spec.schedule', schedule, (error as Error).message)]
  }
}

/** The time zone belongs into its own field; a stored schedule that contains one may keep it. */
function checkZoneInSchedule({ schedule, timeZone }: CronJobSpec, stored: CronJobSpec | undefined, { level }: Vendor) {
  const field = 'spec.schedule'
  if (!schedule.includes('TZ')) return []
  if (level.has(schedulesWithoutZones) && !stored?.schedule.includes('TZ'))
    return [invalidValue(field, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead')]
  return timeZone === undefined
    ? []
    : [invalidValue(field, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule')]
}

const zonePart = /^[A-Za-z.\-_0-9+]{1,14}$/
function validateTimeZone(zone: string | undefined, field: string): FieldError[] {
  if (zone === undefined) return []
  if (zone === '') return [invalidValue(field, zone, 'timeZone must be nil or non-empty string')]
  const isWellFormed = zone
    .split('/')
    .every(part => part !== '.' && part !== '..' && !part.startsWith('-') && zonePart.test(part))
  if (!isWellFormed) return [invalidValue(field, zone, `unknown time zone ${zone}`)]
  const errors: FieldError[] = []
  if (zone.toLowerCase() === 'local')
    errors.push(invalidValue(field, zone, 'timeZone must be an explicit time zone of the time zone database'))
  // `Local` is a known zone, and has been rejected above.
  if (zone !== 'Local' && !isKnownZone(zone)) errors.push(invalidValue(field, zone, `unknown time zone ${zone}`))
  return errors
}

/** The template must not have a selector, because each job gets its own. */
function validateJobTemplate(
  { spec }: JobTemplateSpec,
  field: string,
  vendor: Vendor,
  stored?: JobTemplateSpec,
): FieldError[] {
  const errors = validateJobSpec(spec ?? { template: {} }, `${field}.spec`, vendor, stored?.spec)
  if (spec?.selector)
    errors.push(invalidValue(`${field}.spec.selector`, spec.selector, '`selector` will be auto-generated'))
  if (spec?.manualSelector) errors.push(notSupported(`${field}.spec.manualSelector`, true, ['nil', 'false']))
  return errors
}
