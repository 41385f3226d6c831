import type { Strategy } from 'orch/sdk'
import { preparePodTemplate, templateWarnings } from 'orch/sdk/core'
import type { ReplicationController } from './schema.js'
import {
  validateReplicationController,
  validateReplicationControllerStatus,
  validateReplicationControllerUpdate,
} from './validation.js'

export const mainStrategy = {
  prepareForCreate(draft, { vendor }) {
    preparePodTemplate(draft.spec?.template, undefined, vendor)
    draft.status = { replicas: 0 }
  },
  prepareForUpdate(draft, stored, { vendor }) {
    preparePodTemplate(draft.spec?.template, stored.spec?.template, vendor)
    draft.status = stored.status
  },
  validate: (controller, { vendor }) => validateReplicationController(controller, vendor),
  validateUpdate: (controller, _, { vendor }) => validateReplicationControllerUpdate(controller, vendor),
  warnings: ({ metadata, spec }, stored, { vendor }) =>
    templateWarnings(spec?.template, 'template', { sent: metadata, stored: stored?.metadata, vendor }),
  resetFields: ['status'],
} satisfies Strategy<ReplicationController>

export const statusStrategy = {
  prepareForUpdate(draft, stored) {
    draft.spec = stored.spec
  },
  validateUpdate: validateReplicationControllerStatus,
  resetFields: ['spec'],
} satisfies Strategy<ReplicationController>
