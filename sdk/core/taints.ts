import { field, Int64, kept, needed, type Static, Struct, Text, Time } from '../schema.js'

/** Keeps Pods that do not tolerate it away from a node. */
export const Taint = Struct('core.v1.Taint', {
  key: needed(1, Text()),
  value: field(2, Text()),
  effect: needed(3, Text()),
  timeAdded: kept(4, Time()),
})
export type Taint = Static<typeof Taint>

/** Lets a Pod stay on nodes with the matching taint. */
export const Toleration = Struct('core.v1.Toleration', {
  key: field(1, Text()),
  operator: field(2, Text()),
  value: field(3, Text()),
  effect: field(4, Text()),
  tolerationSeconds: kept(5, Int64()),
})
export type Toleration = Static<typeof Toleration>
