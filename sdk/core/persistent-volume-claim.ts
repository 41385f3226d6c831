import { Kind } from '../resource/meta.js'
import type { SentObjectOf } from '../resource/resource.js'
import {
  embedded,
  field,
  kept,
  ListOf,
  MapOf,
  Quantity,
  required,
  type Static,
  StringMap,
  Struct,
  Text,
  Time,
} from '../resource/schema.js'
import { PersistentVolumeClaimSpec } from './persistent-volume-claim-spec.js'

/** Something observed about a claim. */
export const PersistentVolumeClaimCondition = Struct(
  'core.v1.PersistentVolumeClaimCondition',
  {
    type: required(1, Text(), 'Type of the condition.'),
    status: required(2, Text(), 'True, False or Unknown.'),
    lastProbeTime: embedded(3, Time(), 'When it was last checked.'),
    lastTransitionTime: embedded(4, Time(), 'When the status last changed.'),
    reason: field(5, Text(), 'Machine-readable reason in one word.'),
    message: field(6, Text(), 'Human-readable message.'),
  },
  { description: 'Something observed about a claim.' },
)
export type PersistentVolumeClaimCondition = Static<typeof PersistentVolumeClaimCondition>

/** A change of the attributes of a volume. */
export const ModifyVolumeStatus = Struct(
  'core.v1.ModifyVolumeStatus',
  {
    targetVolumeAttributesClassName: field(1, Text(), 'Class that the volume is to have.'),
    status: required(2, Text(), 'Pending, InProgress or Infeasible.'),
  },
  { description: 'Progress of a change of attributes.' },
)

/** The status of a claim. */
export const PersistentVolumeClaimStatus = Struct(
  'core.v1.PersistentVolumeClaimStatus',
  {
    phase: field(1, Text(), { description: 'Pending, Bound or Lost.', default: 'Pending' }),
    accessModes: field(2, ListOf(Text()), 'How the volume may be mounted.'),
    capacity: field(3, MapOf(Quantity()), 'Actual capacity of the volume, by resource.'),
    conditions: field(
      4,
      ListOf(PersistentVolumeClaimCondition, { patchStrategy: 'merge', patchMergeKey: 'type' }),
      'Observed conditions, for instance during a resize.',
    ),
    allocatedResources: field(5, MapOf(Quantity()), 'Resources allocated to the claim, by resource.'),
    resizeStatus: kept(6, Text(), { description: 'Progress of a resize.', until: '1.27' }),
    allocatedResourceStatuses: field(7, StringMap({ mapType: 'granular' }), {
      description: 'Progress of a resize, by resource.',
      since: '1.28',
    }),
    currentVolumeAttributesClassName: kept(8, Text(), {
      description: 'Class of the attributes that the volume has.',
      since: '1.29',
      gate: 'VolumeAttributesClass',
    }),
    modifyVolumeStatus: kept(9, ModifyVolumeStatus, {
      description: 'Progress of a change of the class.',
      since: '1.29',
      gate: 'VolumeAttributesClass',
    }),
  },
  { description: 'Status of a claim.' },
)
export type PersistentVolumeClaimStatus = Static<typeof PersistentVolumeClaimStatus>

/** A request for storage. */
export const PersistentVolumeClaim = Kind(
  'core.v1.PersistentVolumeClaim',
  {
    spec: embedded(2, PersistentVolumeClaimSpec, 'Desired state.'),
    status: embedded(3, PersistentVolumeClaimStatus, 'Observed state. Written by the system.'),
  },
  { description: 'A request for storage, and a claim to the volume that it got.' },
)
export type PersistentVolumeClaim = SentObjectOf<typeof PersistentVolumeClaim>

/** Names the collection of claims for clients and caches. */
export const claimCollection = { group: '', version: 'v1', resource: 'persistentvolumeclaims' } as const
