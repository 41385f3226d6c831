import type { ApiObject, GroupResource } from 'orch/sdk'
import type { LimitRange, LimitRangeItem } from '../limit-ranges/schema.js'

export type StoredLimitRange = ApiObject & LimitRange
export const limitRangeCollection: GroupResource = { group: '', resource: 'limitranges' }

/** The items of one type in all ranges of a namespace. */
export const itemsOf = (ranges: readonly LimitRange[], type: string): readonly LimitRangeItem[] =>
  ranges.flatMap(({ spec }) => spec?.limits ?? []).filter(item => item.type === type)
