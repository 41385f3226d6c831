import { embedded, field, Kind, kept, type SentObjectOf, type Static, Struct, Text, Time } from 'orch/sdk'
import { PersistentVolumeSpec } from 'orch/sdk/core'

export const PersistentVolumeStatus = Struct(
  'core.v1.PersistentVolumeStatus',
  {
    phase: field(1, Text(), { description: 'Pending, Available, Bound, Released or Failed.', default: 'Pending' }),
    message: field(2, Text(), 'Human-readable message.'),
    reason: field(3, Text(), 'Machine-readable reason in one word.'),
    lastPhaseTransitionTime: kept(4, Time(), {
      description: 'When the phase last changed.',
      since: '1.28',
      gate: 'PersistentVolumeLastPhaseTransitionTime',
    }),
  },
  { description: 'Observed state of a volume.' },
)
export type PersistentVolumeStatus = Static<typeof PersistentVolumeStatus>

export const PersistentVolume = Kind(
  'core.v1.PersistentVolume',
  {
    spec: embedded(2, PersistentVolumeSpec, 'Desired state.'),
    status: embedded(3, PersistentVolumeStatus, 'Observed state. Written by the system.'),
  },
  { description: 'A piece of storage in the cluster.' },
)
export type PersistentVolume = SentObjectOf<typeof PersistentVolume>

/** Names the collection for clients and caches. */
export const volumeCollection = { group: '', version: 'v1', resource: 'persistentvolumes' } as const
