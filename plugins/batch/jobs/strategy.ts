import type { Strategy } from 'orch/sdk'
import { preparePodTemplate, templateWarnings } from 'orch/sdk/core'
import type { Job } from './schema.js'
import { generateSelector } from './selector.js'
import { validateJob, validateJobStatus, validateJobUpdate } from './validation.js'

export const mainStrategy = {
  prepareForCreate(draft, { vendor }) {
    draft.status = {}
    preparePodTemplate(draft.spec?.template, undefined, vendor)
  },
  finishCreate: generateSelector,
  prepareForUpdate(draft, stored, { vendor }) {
    draft.status = stored.status
    preparePodTemplate(draft.spec?.template, stored.spec?.template, vendor)
  },
  validate: (job, { vendor }) => validateJob(job, vendor),
  validateUpdate: (sent, stored, { vendor }) => validateJobUpdate(sent, stored, vendor),
  warnings: ({ metadata, spec }, stored, { vendor }) =>
    templateWarnings(spec?.template, 'spec.template', { sent: metadata, stored: stored?.metadata, vendor }),
  resetFields: ['status'],
} satisfies Strategy<Job>

export const statusStrategy = {
  prepareForUpdate(draft, stored) {
    draft.spec = stored.spec
  },
  validateUpdate: validateJobStatus,
  resetFields: ['spec'],
} satisfies Strategy<Job>
