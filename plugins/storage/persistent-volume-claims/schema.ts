import {
  embedded,
  field,
  Kind,
  kept,
  ListOf,
  MapOf,
  needed,
  type ObjectOf,
  PersistentVolumeClaimSpec,
  Quantity,
  type Static,
  Struct,
  Text,
  Time,
} from 'orch/sdk'

export const PersistentVolumeClaimCondition = Struct('core.v1.PersistentVolumeClaimCondition', {
  type: needed(1, Text()),
  status: needed(2, Text()),
  lastProbeTime: embedded(3, Time()),
  lastTransitionTime: embedded(4, Time()),
  reason: field(5, Text()),
  message: field(6, Text()),
})
export type PersistentVolumeClaimCondition = Static<typeof PersistentVolumeClaimCondition>

export const PersistentVolumeClaimStatus = Struct('core.v1.PersistentVolumeClaimStatus', {
  phase: field(1, Text(), { default: 'Pending' }),
  accessModes: field(2, ListOf(Text())),
  capacity: field(3, MapOf(Quantity())),
  conditions: field(4, ListOf(PersistentVolumeClaimCondition, { patchStrategy: 'merge', patchMergeKey: 'type' })),
  allocatedResources: field(5, MapOf(Quantity())),
  resizeStatus: kept(6, Text()),
})
export type PersistentVolumeClaimStatus = Static<typeof PersistentVolumeClaimStatus>

export const PersistentVolumeClaim = Kind('core.v1.PersistentVolumeClaim', {
  spec: embedded(2, PersistentVolumeClaimSpec),
  status: embedded(3, PersistentVolumeClaimStatus),
})
export type PersistentVolumeClaim = ObjectOf<typeof PersistentVolumeClaim>

/** Names the collection for clients and caches. */
export const claimCollection = { group: '', version: 'v1', resource: 'persistentvolumeclaims' } as const
