import {
  Bool,
  embedded,
  field,
  Int32,
  Int64,
  Kind,
  kept,
  ListOf,
  required,
  type SentObjectOf,
  type Static,
  Struct,
  Text,
  Time,
} from 'orch/sdk'
import { ObjectReference } from 'orch/sdk/core'
import { JobTemplateSpec } from '../jobs/schema.js'

export const CronJobSpec = Struct(
  'batch.v1.CronJobSpec',
  {
    schedule: required(
      1,
      Text(),
      'When jobs start: minute, hour, day, month and weekday as in cron, or @daily and the like.',
    ),
    startingDeadlineSeconds: kept(2, Int64(), 'How late a job may still start. Unlimited if not set.'),
    concurrencyPolicy: field(3, Text(), {
      description:
        'What happens while the last job still runs: Allow (the default) another, Forbid it, or Replace the old one.',
      default: 'Allow',
    }),
    suspend: kept(4, Bool(), { description: 'While true, no jobs are started. False by default.', default: false }),
    jobTemplate: required(5, JobTemplateSpec, 'The template for the jobs.'),
    successfulJobsHistoryLimit: kept(6, Int32(), {
      description: 'How many jobs that succeeded are kept. 3 by default.',
      default: 3,
    }),
    failedJobsHistoryLimit: kept(7, Int32(), {
      description: 'How many jobs that failed are kept. 1 by default.',
      default: 1,
    }),
    timeZone: kept(8, Text(), {
      description: 'Time zone of the schedule, such as Europe/Berlin. That of the controller by default.',
      since: '1.24',
      gate: 'CronJobTimeZone',
    }),
  },
  { description: 'Desired state of a cron job.' },
)
export type CronJobSpec = Static<typeof CronJobSpec>

export const CronJobStatus = Struct(
  'batch.v1.CronJobStatus',
  {
    active: field(1, ListOf(ObjectReference, { listType: 'atomic' }), 'The active jobs.'),
    lastScheduleTime: kept(4, Time(), 'When the last job was scheduled.'),
    lastSuccessfulTime: kept(5, Time(), 'When the last successful job finished.'),
  },
  { description: 'Observed state of a cron job.' },
)
export type CronJobStatus = Static<typeof CronJobStatus>

export const CronJob = Kind(
  'batch.v1.CronJob',
  {
    spec: embedded(2, CronJobSpec, {
      description: 'Desired state.',
      revised: [{ since: '1.36', to: { isRequired: true } }],
    }),
    status: embedded(3, CronJobStatus, 'Observed state. Written by the system.'),
  },
  { description: 'Starts jobs on a schedule.' },
)
export type CronJob = SentObjectOf<typeof CronJob>

/** Names the collection for clients and caches. */
export const cronJobCollection = { group: 'batch', version: 'v1', resource: 'cronjobs' } as const
