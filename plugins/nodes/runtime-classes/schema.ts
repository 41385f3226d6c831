import {
  AtomicList,
  field,
  Kind,
  kept,
  MapOf,
  needed,
  Quantity,
  type Static,
  StringMap,
  Struct,
  Text,
  Toleration,
} from 'orch/sdk'

export const Overhead = Struct('node.v1.Overhead', {
  podFixed: field(1, MapOf(Quantity())),
})
export type Overhead = Static<typeof Overhead>

export const Scheduling = Struct('node.v1.Scheduling', {
  nodeSelector: field(1, StringMap({ mapType: 'atomic' })),
  tolerations: field(2, AtomicList(Toleration)),
})
export type Scheduling = Static<typeof Scheduling>

export const RuntimeClass = Kind('node.v1.RuntimeClass', {
  handler: needed(2, Text()),
  overhead: kept(3, Overhead),
  scheduling: kept(4, Scheduling),
})
export type RuntimeClass = Static<typeof RuntimeClass>
