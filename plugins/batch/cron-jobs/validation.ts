import {
  addAll,
  dnsLabelMaxLength,
  type FieldError,
  invalidValue,
  notSupported,
  requiredValue,
  type Vendor,
} from 'orch/sdk'
import { checkNotNegative } from 'orch/sdk/core'
import type { JobTemplateSpec } from '../jobs/schema.js'
import { validateJobSpec } from '../jobs/validation.js'
import { parseSchedule } from '../schedules/parse-schedule.js'
import type { CronJob, CronJobSpec } from './schema.js'

/** The names of jobs are made of it and the time, which takes eleven characters. */
const maxNameLength = dnsLabelMaxLength - 11
const policies = ['Allow', 'Forbid', 'Replace']

export function validateNewCronJob(cronJob: CronJob, vendor: Vendor): FieldError[] {
  const errors = validateCronJob(cronJob, vendor)
  const { name = '' } = cronJob.metadata ?? {}
  if (name.length > maxNameLength)
    errors.push(invalidValue('metadata.name', name, `must be no more than ${maxNameLength} characters`))
  return errors
}

export function validateCronJob({ spec = {} as CronJobSpec }: CronJob, vendor: Vendor): FieldError[] {
  const { schedule = '', concurrencyPolicy = '' } = spec
  const errors: FieldError[] = []
  if (schedule === '') errors.push(requiredValue('spec.schedule'))
  else addAll(errors, validateSchedule(schedule))
  addAll(errors, checkNotNegative(spec.startingDeadlineSeconds, 'spec.startingDeadlineSeconds'))
  if (concurrencyPolicy === '') errors.push(requiredValue('spec.concurrencyPolicy'))
  else if (!policies.includes(concurrencyPolicy))
    errors.push(notSupported('spec.concurrencyPolicy', concurrencyPolicy, policies))
  addAll(errors, validateJobTemplate(spec.jobTemplate ?? {}, 'spec.jobTemplate', vendor))
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

/** Every job gets a selector of its own. */
function validateJobTemplate({ spec }: JobTemplateSpec, field: string, vendor: Vendor): FieldError[] {
  const errors = validateJobSpec(spec ?? { template: {} }, `${field}.spec`, vendor)
  if (spec?.selector)
    errors.push(invalidValue(`${field}.spec.selector`, spec.selector, '`selector` will be auto-generated'))
  if (spec?.manualSelector) errors.push(notSupported(`${field}.spec.manualSelector`, true, ['nil', 'false']))
  return errors
}
