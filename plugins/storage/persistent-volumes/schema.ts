import { embedded, field, Kind, type ObjectOf, PersistentVolumeSpec, type Static, Struct, Text } from 'orch/sdk'

export const PersistentVolumeStatus = Struct('core.v1.PersistentVolumeStatus', {
  phase: field(1, Text(), { default: 'Pending' }),
  message: field(2, Text()),
  reason: field(3, Text()),
})
export type PersistentVolumeStatus = Static<typeof PersistentVolumeStatus>

export const PersistentVolume = Kind('core.v1.PersistentVolume', {
  spec: embedded(2, PersistentVolumeSpec),
  status: embedded(3, PersistentVolumeStatus),
})
export type PersistentVolume = ObjectOf<typeof PersistentVolume>

/** Names the collection for clients and caches. */
export const volumeCollection = { group: '', version: 'v1', resource: 'persistentvolumes' } as const
