import { strategyForSpec, strategyForStatus } from 'orch/sdk'
import { preparePodTemplate, templateWarnings } from 'orch/sdk/core'
import type { Job } from './schema.js'
import { generateSelector } from './selector.js'
import { validateJob, validateJobStatus, validateJobUpdate } from './validation.js'

export const mainStrategy = strategyForSpec<Job>({
  newStatus: () => ({}),
  prepareForCreate(draft, { vendor }) {
    preparePodTemplate(draft.spec?.template, undefined, vendor)
  },
  finishCreate: generateSelector,
  prepareForUpdate(draft, stored, { vendor }) {
    preparePodTemplate(draft.spec?.template, stored.spec?.template, vendor)
  },
  validate: (job, { vendor }) => validateJob(job, vendor),
  validateUpdate: (sent, stored, { vendor }) => validateJobUpdate(sent, stored, vendor),
  warnings: ({ metadata, spec }, stored, { vendor }) =>
    templateWarnings(spec?.template, 'spec.template', { sent: metadata, stored: stored?.metadata, vendor }),
})

export const statusStrategy = strategyForStatus<Job>({
  validateUpdate: validateJobStatus,
})
