import { embedded, field, Kind, type SentObjectOf, type Static, Struct, Text } from 'orch/sdk'
import { PersistentVolumeSpec } from 'orch/sdk/core'

export const PersistentVolumeStatus = Struct(
  'core.v1.PersistentVolumeStatus',
  {
    phase: field(1, Text(), { description: 'Pending, Available, Bound, Released or Failed.', default: 'Pending' }),
    message: field(2, Text(), 'Why it is so, in a sentence for people.'),
    reason: field(3, Text(), 'Why it is so, in one word for programs.'),
  },
  { description: 'How a volume is.' },
)
export type PersistentVolumeStatus = Static<typeof PersistentVolumeStatus>

export const PersistentVolume = Kind(
  'core.v1.PersistentVolume',
  {
    spec: embedded(2, PersistentVolumeSpec, 'What is wanted.'),
    status: embedded(
      3,
      PersistentVolumeStatus,
      'What was last observed. Written by the system, read by everyone else.',
    ),
  },
  { description: 'A piece of storage in the cluster.' },
)
export type PersistentVolume = SentObjectOf<typeof PersistentVolume>

/** Names the collection for clients and caches. */
export const volumeCollection = { group: '', version: 'v1', resource: 'persistentvolumes' } as const
