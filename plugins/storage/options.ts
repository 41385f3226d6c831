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
    description: 'Volumes may be restricted to a single Pod.',
  },
  RecoverVolumeExpansionFailure: {
    stage: 'alpha',
    description:
      'A claim whose expansion failed may request less again, as long as it is more than its current capacity.',
  },
  PersistentVolumeLastPhaseTransitionTime: {
    stage: 'stable',
    description: 'Volumes record when their phase last changed.',
    history: [
      { since: '1.28', stage: 'alpha', isOn: false },
      { since: '1.29', stage: 'beta', isOn: true },
      { since: '1.31', stage: 'stable', isOn: true, isLocked: true },
    ],
  },
  CSINodeExpandSecret: {
    stage: 'stable',
    description: 'CSI volumes may name a Secret for their expansion on a node.',
    history: [
      { since: '1.25', stage: 'alpha', isOn: false },
      { since: '1.27', stage: 'beta', isOn: true },
      { since: '1.29', stage: 'stable', isOn: true, isLocked: true },
    ],
  },
  MutablePVNodeAffinity: {
    stage: 'alpha',
    description: 'The node affinity of a volume is mutable.',
  },
  CrossNamespaceVolumeDataSource: {
    stage: 'alpha',
    description: 'Claims may be filled from objects of other namespaces.',
  },
  RetroactiveDefaultStorageClass: {
    stage: 'stable',
    description: 'Claims without a class get a default class that is created later.',
    history: [
      { since: '1.25', stage: 'alpha', isOn: false },
      { since: '1.26', stage: 'beta', isOn: true },
      { since: '1.28', stage: 'stable', isOn: true, isLocked: true },
    ],
  },
  VolumeAttributesClass: {
    stage: 'stable',
    description: 'Claims and volumes name a class of attributes, which can be changed while they are in use.',
  },
  SELinuxMountReadWriteOncePod: {
    stage: 'stable',
    description: 'Drivers declare whether volumes can be mounted with an SELinux context.',
  },
  MutableCSINodeAllocatableCount: {
    stage: 'stable',
    description: 'Drivers set how often the number of volumes that a node can attach is updated.',
  },
  CSIServiceAccountTokenSecrets: {
    stage: 'stable',
    description: 'Drivers may receive the tokens of Pods with the secrets of a call.',
  },
  VolumeLimitScaling: {
    stage: 'alpha',
    description: 'Pods that need a driver are not scheduled to nodes that do not have it, if the driver requests that.',
  },
} as const satisfies Readonly<Record<string, FeatureGate>>

/** Which of them are on. */
export interface ClaimFeatures extends ClaimRules {
  readonly anyVolumeDataSource: boolean
  /** Whether a claim may be filled from an object of another namespace. */
  readonly crossNamespaceVolumeDataSource: boolean
  readonly recoverVolumeExpansionFailure: boolean
  /** Whether a claim without a class may get one later. */
  readonly retroactiveDefaultClass?: boolean
  /** Whether errors of a changed claim are reported once instead of twice. */
  readonly checkedOnce?: boolean
}
