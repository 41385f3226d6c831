import { randomUUID } from 'node:crypto'
import { defineResource, type Strategy } from 'orch/sdk'
import { fillLimitRange } from './defaults.js'
import { LimitRange } from './schema.js'
import { validateLimitRange } from './validation.js'

export const mainStrategy = {
  prepareForCreate(draft) {
    const { name, generateName } = draft.metadata ?? {}
    // Nobody refers to limits by name, so they need none of their own.
    if (!name && !generateName) draft.metadata = { ...draft.metadata, name: randomUUID() }
  },
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
  strategy: mainStrategy,
})
