import { strategyForSpec, strategyForStatus } from 'orch/sdk'
import { preparePodTemplate, templateWarnings } from 'orch/sdk/core'
import { checkSameSelector } from '../selector-rules.js'
import type { ReplicaSet } from './schema.js'
import { validateReplicaSet, validateReplicaSetStatus } from './validation.js'

export const mainStrategy = strategyForSpec<ReplicaSet>({
  newStatus: () => ({ replicas: 0 }),
  prepareForCreate(draft, { vendor }) {
    preparePodTemplate(draft.spec?.template, undefined, vendor)
  },
  prepareForUpdate(draft, stored, { vendor }) {
    preparePodTemplate(draft.spec?.template, stored.spec?.template, vendor)
  },
  validate: (set, { vendor }) => validateReplicaSet(set, vendor),
  // Clients see the errors of the object twice, as from the reference.
  validateUpdate: (sent, stored, { vendor }) => [
    ...validateReplicaSet(sent, vendor),
    ...validateReplicaSet(sent, vendor),
    ...checkSameSelector(sent, stored),
  ],
  warnings: ({ metadata, spec }, stored, { vendor }) =>
    templateWarnings(spec?.template, 'spec.template', { sent: metadata, stored: stored?.metadata, vendor }),
})

export const statusStrategy = strategyForStatus<ReplicaSet>({
  validateUpdate: validateReplicaSetStatus,
})
