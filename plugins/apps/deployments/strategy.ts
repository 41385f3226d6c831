import { isDeepStrictEqual } from 'node:util'
import { strategyForSpec, strategyForStatus } from 'orch/sdk'
import { preparePodTemplate, templateWarnings } from 'orch/sdk/core'
import { checkSameSelector } from '../selector-rules.js'
import type { Deployment } from './schema.js'
import { validateDeployment, validateDeploymentStatus } from './validation.js'

export const mainStrategy = strategyForSpec<Deployment>({
  newStatus: () => ({}),
  prepareForCreate(draft, { vendor }) {
    draft.metadata = { ...draft.metadata, generation: 1 }
    preparePodTemplate(draft.spec?.template, undefined, vendor)
  },
  prepareForUpdate(draft, stored, { vendor }) {
    preparePodTemplate(draft.spec?.template, stored.spec?.template, vendor)
    // Replica sets carry the annotations, so that a change of them is a change of what is wanted.
    if (isDeepStrictEqual(draft.spec, stored.spec) && isDeepStrictEqual(annotationsOf(draft), annotationsOf(stored)))
      return
    draft.metadata = { ...draft.metadata, generation: (stored.metadata?.generation ?? 0) + 1 }
  },
  validate: (deployment, { vendor }) => validateDeployment(deployment, vendor),
  validateUpdate: (sent, stored, { vendor }) => [
    ...validateDeployment(sent, vendor),
    ...checkSameSelector(sent, stored),
  ],
  warnings: ({ metadata, spec }, stored, { vendor }) =>
    templateWarnings(spec?.template, 'spec.template', { sent: metadata, stored: stored?.metadata, vendor }),
  metadataChecks: { change: 1, object: 0 },
})

const annotationsOf = ({ metadata }: Deployment) => metadata?.annotations ?? {}

export const statusStrategy = strategyForStatus<Deployment>({
  prepareForUpdate(draft, stored) {
    const { labels: _, ...metadata } = draft.metadata ?? {}
    draft.metadata = stored.metadata?.labels ? { ...metadata, labels: stored.metadata.labels } : metadata
  },
  validateUpdate: validateDeploymentStatus,
  resetFields: ['metadata.labels'],
})
