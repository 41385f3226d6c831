import type { ConformanceSamples } from 'orch/sdk'
import type { CronJob } from './cron-jobs/schema.js'
import type { Job } from './jobs/schema.js'

const template = { spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } }

/** Samples for `orch conformance`. */
export const conformance = {
  samples: {
    'jobs.batch': {
      valid: (): Job => ({ spec: { template: structuredClone(template) } }),
      invalid: {
        'Pods that never end': (object: Job) => {
          object.spec = { template: { spec: { ...template.spec, restartPolicy: 'Always' } } }
        },
        'a negative number of Pods': (object: Job) => {
          object.spec = { template: structuredClone(template), parallelism: -1 }
        },
        'indexed without completions': (object: Job) => {
          object.spec = { template: structuredClone(template), parallelism: 1, completionMode: 'Indexed' }
        },
      },
      update: (object: Job) => {
        object.spec = { ...object.spec!, parallelism: 3 }
      },
    },
    'cronjobs.batch': {
      valid: (): CronJob => ({ spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template } } } }),
      invalid: {
        'no schedule': (object: CronJob) => {
          object.spec = { schedule: '', jobTemplate: { spec: { template } } }
        },
        'a schedule with an invalid minute': (object: CronJob) => {
          object.spec = { schedule: '60 * * * *', jobTemplate: { spec: { template } } }
        },
      },
      update: (object: CronJob) => {
        object.spec = { schedule: '@hourly', jobTemplate: { spec: { template } } }
      },
    },
  },
} satisfies ConformanceSamples
