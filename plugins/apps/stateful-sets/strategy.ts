import { strategyForSpec, strategyForStatus } from 'orch/sdk'
import { preparePodTemplate, templateWarnings } from 'orch/sdk/core'
import type { StatefulSet } from './schema.js'
import { validateStatefulSet, validateStatefulSetStatus, validateStatefulSetUpdate } from './validation.js'

export const mainStrategy = strategyForSpec<StatefulSet>({
  newStatus: () => ({ replicas: 0 }),
  prepareForCreate(draft, { vendor }) {
    dropUnserved(draft)
    preparePodTemplate(draft.spec?.template, undefined, vendor)
  },
  prepareForUpdate(draft, stored, { vendor }) {
    if (!stored.spec?.persistentVolumeClaimRetentionPolicy) dropUnserved(draft)
    preparePodTemplate(draft.spec?.template, stored.spec?.template, vendor)
  },
  validate: (set, { vendor }) => validateStatefulSet(set, vendor),
  validateUpdate: (sent, stored, { vendor }) => validateStatefulSetUpdate(sent, stored, vendor),
  warnings: ({ metadata, spec }, stored, { vendor }) =>
    templateWarnings(spec?.template, 'spec.template', { sent: metadata, stored: stored?.metadata, vendor }),
})

/** Deleting claims is not served, so that nobody can ask for it. */
function dropUnserved({ spec }: StatefulSet): void {
  delete spec?.persistentVolumeClaimRetentionPolicy
}

export const statusStrategy = strategyForStatus<StatefulSet>({
  validateUpdate: validateStatefulSetStatus,
})
