import { defineResource, type Strategy } from 'orch/sdk'
import { fillLimitRange } from './defaults.js'
import { LimitRange } from './schema.js'
import { validateLimitRange } from './validation.js'

const mainStrategy = {
  validate: (limitRange, { vendor }) => validateLimitRange(limitRange, vendor),
  validateUpdate: (limitRange, _, { vendor }) => validateLimitRange(limitRange, vendor),
  createOnUpdate: true,
  metadataChecks: { change: 0, object: 1 },
} satisfies Strategy<LimitRange>

export const limitRanges = defineResource({
  group: '',
  kind: 'LimitRange',
  resource: 'limitranges',
  shortNames: ['limits'],
  namespaced: true,
  versions: [{ name: 'v1', schema: LimitRange, defaults: fillLimitRange }],
  generation: false,
  strategy: mainStrategy,
})
