import { strategyForSpec, strategyForStatus } from 'orch/sdk'
import { preparePodTemplate, templateWarnings } from 'orch/sdk/core'
import type { ReplicationController } from './schema.js'
import {
  validateReplicationController,
  validateReplicationControllerStatus,
  validateReplicationControllerUpdate,
} from './validation.js'

export const mainStrategy = strategyForSpec<ReplicationController>({
  newStatus: () => ({ replicas: 0 }),
  prepareForCreate(draft, { vendor }) {
    preparePodTemplate(draft.spec?.template, undefined, vendor)
  },
  prepareForUpdate(draft, stored, { vendor }) {
    preparePodTemplate(draft.spec?.template, stored.spec?.template, vendor)
  },
  validate: (controller, { vendor }) => validateReplicationController(controller, vendor),
  validateUpdate: (controller, _, { vendor }) => validateReplicationControllerUpdate(controller, vendor),
  warnings: ({ metadata, spec }, stored, { vendor }) =>
    templateWarnings(spec?.template, 'template', { sent: metadata, stored: stored?.metadata, vendor }),
})

export const statusStrategy = strategyForStatus<ReplicationController>({
  validateUpdate: validateReplicationControllerStatus,
})
