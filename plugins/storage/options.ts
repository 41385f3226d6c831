import { type FeatureGate, Type } from 'orch/sdk'
import type { ClaimRules } from 'orch/sdk/core'

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
  ReadWriteOncePod: {
    stage: 'stable',
    description: 'Volumes may be for a single Pod.',
  },
  RecoverVolumeExpansionFailure: {
    stage: 'alpha',
    description: 'A claim that could not be enlarged may ask for less again, as long as it is more than it has.',
  },
  PersistentVolumeLastPhaseTransitionTime: {
    stage: 'stable',
    description: 'Volumes say when their phase last changed.',
    history: [
      { since: '1.28', stage: 'alpha', isOn: false },
      { since: '1.29', stage: 'beta', isOn: true },
      { since: '1.31', stage: 'stable', isOn: true, isLocked: true },
    ],
  },
  CSINodeExpandSecret: {
    stage: 'stable',
    description: 'Volumes of drivers may name a Secret for enlarging them on a node.',
    history: [
      { since: '1.25', stage: 'alpha', isOn: false },
      { since: '1.27', stage: 'beta', isOn: true },
      { since: '1.29', stage: 'stable', isOn: true, isLocked: true },
    ],
  },
  MutablePVNodeAffinity: {
    stage: 'alpha',
    description: 'Where a volume can be used may change.',
  },
  CrossNamespaceVolumeDataSource: {
    stage: 'alpha',
    description: 'Claims may be filled from objects of other namespaces.',
  },
  RetroactiveDefaultStorageClass: {
    stage: 'stable',
    description: 'Claims that name no class get the default class also when it comes after them.',
    history: [
      { since: '1.25', stage: 'alpha', isOn: false },
      { since: '1.26', stage: 'beta', isOn: true },
      { since: '1.28', stage: 'stable', isOn: true, isLocked: true },
    ],
  },
  VolumeAttributesClass: {
    stage: 'stable',
    description: 'Claims and volumes name a class of attributes that can be changed while they are used.',
  },
  SELinuxMountReadWriteOncePod: {
    stage: 'stable',
    description: 'Drivers say whether volumes can be mounted with an SELinux context.',
  },
  MutableCSINodeAllocatableCount: {
    stage: 'stable',
    description: 'Drivers say how often the number of volumes that a node can attach is asked for.',
  },
  CSIServiceAccountTokenSecrets: {
    stage: 'stable',
    description: 'Drivers may get the tokens of Pods with the secrets of a call.',
  },
  VolumeLimitScaling: {
    stage: 'alpha',
    description: 'Pods that need a driver may be kept away from nodes that do not have it.',
  },
} as const satisfies Readonly<Record<string, FeatureGate>>

/** Which of them are on. */
export interface ClaimFeatures extends ClaimRules {
  readonly anyVolumeDataSource: boolean
  /** May a claim be filled from an object of another namespace? */
  readonly crossNamespaceVolumeDataSource: boolean
  readonly recoverVolumeExpansionFailure: boolean
  /** May a claim without a class get one later? */
  readonly retroactiveDefaultClass?: boolean
  /** Are the rules for new claims asked once when a claim changes? */
  readonly checkedOnce?: boolean
}
