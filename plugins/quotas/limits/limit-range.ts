import type { GroupResource, ObjectMeta, ResourceList } from 'orch/sdk'

/** What this plugin reads of a LimitRange; the type itself is another plugin's. */
export interface LimitRange {
  readonly metadata: ObjectMeta
  readonly spec?: { readonly limits?: readonly LimitRangeItem[] }
}
export interface LimitRangeItem {
  /** `Container`, `Pod`, `PersistentVolumeClaim`, or a type of somebody else's. */
  readonly type: string
  readonly max?: ResourceList
  readonly min?: ResourceList
  readonly default?: ResourceList
  readonly defaultRequest?: ResourceList
  readonly maxLimitRequestRatio?: ResourceList
}
export const limitRangeCollection: GroupResource = { group: '', resource: 'limitranges' }

/** The items of one type in all ranges of a namespace. */
export const itemsOf = (ranges: readonly LimitRange[], type: string): readonly LimitRangeItem[] =>
  ranges.flatMap(({ spec }) => spec?.limits ?? []).filter(item => item.type === type)
