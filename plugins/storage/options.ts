import { type FeatureGate, Type } from 'orch/sdk'

export const StorageOptions = Type.Object({
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

export const storageGates = {
  AnyVolumeDataSource: {
    stage: 'alpha',
    description: 'Claims may be filled from objects of any kind, through dataSourceRef.',
  },
  RecoverVolumeExpansionFailure: {
    stage: 'alpha',
    description: 'A claim that could not be enlarged may ask for less again, as long as it is more than it has.',
  },
} as const satisfies Readonly<Record<string, FeatureGate>>

/** Which of them are on. */
export interface ClaimFeatures {
  readonly anyVolumeDataSource: boolean
  readonly recoverVolumeExpansionFailure: boolean
}
