import { Type } from 'orch/sdk'

export const StorageOptions = Type.Object({
  anyVolumeDataSource: Type.Boolean({
    default: false,
    description: 'Let claims be filled from objects of any kind, through dataSourceRef.',
  }),
  volumeZone: Type.String({
    default: '',
    description: 'Zone of the disks that PersistentVolumeLabel labels.',
  }),
  volumeRegion: Type.String({
    default: '',
    description: 'Region of the disks that PersistentVolumeLabel labels.',
  }),
})
export type StorageOptions = typeof StorageOptions.static
