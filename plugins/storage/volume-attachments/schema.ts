import {
  Bool,
  embedded,
  field,
  Int32,
  Kind,
  kept,
  required,
  type Static,
  StringMap,
  Struct,
  Text,
  Time,
} from 'orch/sdk'
import { PersistentVolumeSpec } from 'orch/sdk/core'

export const VolumeAttachmentSource = Struct(
  'storage.v1.VolumeAttachmentSource',
  {
    persistentVolumeName: kept(1, Text(), 'Name of a persistent volume.'),
    inlineVolumeSpec: kept(2, PersistentVolumeSpec, { description: 'An inline volume.', keepsGatedFields: true }),
  },
  { description: 'The volume to attach. Exactly one is given.' },
)
export type VolumeAttachmentSource = Static<typeof VolumeAttachmentSource>

export const VolumeAttachmentSpec = Struct(
  'storage.v1.VolumeAttachmentSpec',
  {
    attacher: required(1, Text(), 'Name of the driver that attaches the volume.'),
    source: required(2, VolumeAttachmentSource, 'The volume.'),
    nodeName: required(3, Text(), 'The node.'),
  },
  { description: 'Which volume is attached where. It cannot be changed.' },
)
export type VolumeAttachmentSpec = Static<typeof VolumeAttachmentSpec>

export const VolumeError = Struct(
  'storage.v1.VolumeError',
  {
    time: embedded(1, Time(), 'When it happened.'),
    message: field(2, Text(), 'What happened.'),
    errorCode: kept(3, Int32(), {
      description: 'The error code of the driver.',
      since: '1.33',
      gate: 'MutableCSINodeAllocatableCount',
    }),
  },
  { description: 'Something that went wrong with a volume.' },
)
export type VolumeError = Static<typeof VolumeError>

export const VolumeAttachmentStatus = Struct(
  'storage.v1.VolumeAttachmentStatus',
  {
    attached: required(1, Bool(), 'Whether the volume is attached.'),
    attachmentMetadata: field(2, StringMap(), 'Data for mounting the volume.'),
    attachError: kept(3, VolumeError, 'What last went wrong while attaching.'),
    detachError: kept(4, VolumeError, 'What last went wrong while detaching.'),
  },
  { description: 'Observed state of an attachment.' },
)
export type VolumeAttachmentStatus = Static<typeof VolumeAttachmentStatus>

export const VolumeAttachment = Kind(
  'storage.v1.VolumeAttachment',
  {
    spec: required(2, VolumeAttachmentSpec, 'Desired state.'),
    status: embedded(3, VolumeAttachmentStatus, 'Observed state. Written by the system.'),
  },
  { description: 'A request to attach a volume to a node.' },
)
export type VolumeAttachment = Static<typeof VolumeAttachment>
