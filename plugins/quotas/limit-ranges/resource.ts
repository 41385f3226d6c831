import { randomUUID } from 'node:crypto'
import { defineResource, type Strategy } from 'orch/sdk'
import { roundResourceList } from 'orch/sdk/core'
import { LimitRange, type LimitRangeItem } from './schema.js'
import { validateLimitRange } from './validation.js'

/** Limits of containers default to the maximum, and their requests to the limits. */
export function fillLimitRange({ spec }: LimitRange): void {
  for (const item of spec?.limits ?? []) {
    if (item.type === 'Container') fillContainerDefaults(item)
    for (const list of [item.max, item.min, item.default, item.defaultRequest, item.maxLimitRequestRatio])
      roundResourceList(list)
  }
}

function fillContainerDefaults(item: LimitRangeItem): void {
  const limits = { ...item.max, ...item.default }
  const requests = { ...item.min, ...limits, ...item.defaultRequest }
  if (Object.keys(limits).length > 0) item.default = limits
  if (Object.keys(requests).length > 0) item.defaultRequest = requests
}

export const mainStrategy = {
  /** A limit range without a name or a prefix gets a random one: the only type for which it is optional. */
  prepareForCreate(draft) {
    const { name, generateName } = draft.metadata ?? {}
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
  generation: false,
  strategy: mainStrategy,
})
