import { isDeepStrictEqual } from 'node:util'
import { strategyForSpec, strategyForStatus } from 'orch/sdk'
import { checkTemplateLimits, preparePodTemplate, templateWarnings } from 'orch/sdk/core'
import { repeatedErrors } from '../differences.js'
import { numberIn, requireNumber, withNumber } from '../number-annotations.js'
import { checkSameSelector } from '../selector-rules.js'
import { type DaemonSet, templateGeneration } from './schema.js'
import { validateDaemonSet, validateDaemonSetStatus } from './validation.js'

const generationOf = ({ metadata }: DaemonSet) => numberIn(metadata, templateGeneration) ?? 0n
/** Of what clients send, the generation matters only when they create a set. */
function setGeneration(set: DaemonSet, generation: bigint): void {
  requireNumber(set.metadata, templateGeneration)
  set.metadata = withNumber(set.metadata, templateGeneration, generation)
}

const noStatus = () => ({
  currentNumberScheduled: 0,
  numberMisscheduled: 0,
  desiredNumberScheduled: 0,
  numberReady: 0,
})

export const mainStrategy = strategyForSpec<DaemonSet>({
  newStatus: noStatus,
  prepareForCreate(draft, { vendor }) {
    preparePodTemplate(draft.spec?.template, undefined, vendor)
    const generation = generationOf(draft)
    setGeneration(draft, generation < 1n ? 1n : generation)
  },
  prepareForUpdate(draft, stored, { vendor }) {
    preparePodTemplate(draft.spec?.template, stored.spec?.template, vendor)
    const isSame = isDeepStrictEqual(draft.spec?.template, stored.spec?.template)
    setGeneration(draft, generationOf(stored) + (isSame ? 0n : 1n))
  },
  validate: (set, { vendor }) => validateDaemonSet(set, vendor),
  validateUpdate: (sent, stored, { vendor }) => [
    ...validateDaemonSet(sent, vendor, stored),
    ...(vendor.level.has(repeatedErrors) ? validateDaemonSet(sent, vendor, stored) : []),
    ...checkSameSelector(sent, stored),
  ],
  validateLimits: checkTemplateLimits((_, stored, { vendor }) => (stored && vendor.level.has(repeatedErrors) ? 2 : 1)),
  metadataChecks: level => ({ change: 1, object: level.has(repeatedErrors) ? 1 : 0 }),
  warnings: (sent, stored, { vendor }) =>
    stored !== undefined && generationOf(sent) === generationOf(stored)
      ? []
      : templateWarnings(sent.spec?.template, 'spec.template', { vendor }),
})

export const statusStrategy = strategyForStatus<DaemonSet>({
  prepareForUpdate(draft, stored) {
    setGeneration(draft, generationOf(stored))
  },
  validateUpdate: validateDaemonSetStatus,
})
