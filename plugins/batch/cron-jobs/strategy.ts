import { strategyForSpec, strategyForStatus } from 'orch/sdk'
import { preparePodTemplate, templateWarnings } from 'orch/sdk/core'
import type { CronJob } from './schema.js'
import { validateCronJob, validateNewCronJob } from './validation.js'

const templateOf = ({ spec }: CronJob) => spec?.jobTemplate?.spec?.template

export const mainStrategy = strategyForSpec<CronJob>({
  newStatus: () => ({}),
  prepareForCreate(draft, { vendor }) {
    preparePodTemplate(templateOf(draft), undefined, vendor)
  },
  prepareForUpdate(draft, stored, { vendor }) {
    preparePodTemplate(templateOf(draft), templateOf(stored), vendor)
  },
  validate: (cronJob, { vendor }) => validateNewCronJob(cronJob, vendor),
  // The name is only validated on create.
  validateUpdate: (cronJob, _, { vendor }) => validateCronJob(cronJob, vendor),
  warnings: (cronJob, stored, { vendor }) =>
    templateWarnings(templateOf(cronJob), 'spec.jobTemplate.spec.template', {
      sent: cronJob.metadata,
      stored: stored?.metadata,
      vendor,
    }),
  metadataChecks: { change: 1, object: 0 },
})

export const statusStrategy = strategyForStatus<CronJob>()
