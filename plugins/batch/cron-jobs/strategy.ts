import type { Strategy } from 'orch/sdk'
import { preparePodTemplate, templateWarnings } from 'orch/sdk/core'
import type { CronJob } from './schema.js'
import { validateCronJob, validateNewCronJob } from './validation.js'

const templateOf = ({ spec }: CronJob) => spec?.jobTemplate?.spec?.template

export const mainStrategy = {
  prepareForCreate(draft, { vendor }) {
    draft.status = {}
    preparePodTemplate(templateOf(draft), undefined, vendor)
  },
  prepareForUpdate(draft, stored, { vendor }) {
    draft.status = stored.status
    preparePodTemplate(templateOf(draft), templateOf(stored), vendor)
  },
  validate: (cronJob, { vendor }) => validateNewCronJob(cronJob, vendor),
  // One that is there keeps its name.
  validateUpdate: (cronJob, _, { vendor }) => validateCronJob(cronJob, vendor),
  warnings: (cronJob, stored, { vendor }) =>
    templateWarnings(templateOf(cronJob), 'spec.jobTemplate.spec.template', {
      sent: cronJob.metadata,
      stored: stored?.metadata,
      vendor,
    }),
  resetFields: ['status'],
} satisfies Strategy<CronJob>

export const statusStrategy = {
  prepareForUpdate(draft, stored) {
    draft.spec = stored.spec
  },
  resetFields: ['spec'],
} satisfies Strategy<CronJob>
