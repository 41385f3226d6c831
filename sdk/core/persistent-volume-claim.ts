import { Kind } from '../meta.js'
import type { SentObjectOf } from '../resource.js'
import { embedded, field, kept, ListOf, MapOf, Quantity, required, type Static, Struct, Text, Time } from '../schema.js'
import { PersistentVolumeClaimSpec } from './persistent-volume-claim-spec.js'

/** Something observed about a claim. */
export const PersistentVolumeClaimCondition = Struct(
  'core.v1.PersistentVolumeClaimCondition',
  {
    type: required(1, Text(), 'Type of the condition.'),
    status: required(2, Text(), 'True, False or Unknown.'),
    lastProbeTime: embedded(3, Time(), 'When it was last looked at.'),
    lastTransitionTime: embedded(4, Time(), 'When the status last changed.'),
    reason: field(5, Text(), 'Machine-readable reason in one word.'),
    message: field(6, Text(), 'Human-readable message.'),
  },
  { description: 'Something observed about a claim.' },
)
export type PersistentVolumeClaimCondition = Static<typeof PersistentVolumeClaimCondition>

/** What a claim has got. */
export const PersistentVolumeClaimStatus = Struct(
  'core.v1.PersistentVolumeClaimStatus',
  {
    phase: field(1, Text(), { description: 'Pending, Bound or Lost.', default: 'Pending' }),
    accessModes: field(2, ListOf(Text()), 'How the volume may be mounted.'),
    capacity: field(3, MapOf(Quantity()), 'What the volume has, by resource.'),
    conditions: field(
      4,
      ListOf(PersistentVolumeClaimCondition, { patchStrategy: 'merge', patchMergeKey: 'type' }),
      'What was observed, during a resize for instance.',
    ),
    allocatedResources: field(5, MapOf(Quantity()), 'What has been set aside for the claim, by resource.'),
    resizeStatus: kept(6, Text(), 'How far a resize is.'),
  },
  { description: 'What a claim has got.' },
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
