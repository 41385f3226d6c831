import { embedded, Kind, required, type SentObjectOf, Struct } from 'orch/sdk'
import * as jobs from '../jobs/schema.js'
import * as stable from './schema.js'

/** The same fields as in v1, under the names of the older version. */
export const JobTemplateSpec = Struct('batch.v1beta1.JobTemplateSpec', jobs.JobTemplateSpec.properties, {
  description: 'A template for jobs.',
})
export const CronJobSpec = Struct(
  'batch.v1beta1.CronJobSpec',
  {
    ...stable.CronJobSpec.properties,
    jobTemplate: required(5, JobTemplateSpec, 'The template for the jobs.'),
  },
  { description: 'Desired state of a cron job.' },
)
export const CronJobStatus = Struct('batch.v1beta1.CronJobStatus', stable.CronJobStatus.properties, {
  description: 'Observed state of a cron job.',
})

export const CronJob = Kind(
  'batch.v1beta1.CronJob',
  {
    spec: embedded(2, CronJobSpec, 'Desired state.'),
    status: embedded(3, CronJobStatus, 'Observed state. Written by the system.'),
  },
  { description: 'Starts jobs on a schedule.' },
)
export type CronJob = SentObjectOf<typeof CronJob>
