import {
  embedded,
  Flag,
  field,
  Kind,
  kept,
  needed,
  PersistentVolumeSpec,
  type Static,
  StringMap,
  Struct,
  Text,
  Time,
} from 'orch/sdk'

export const VolumeAttachmentSource = Struct('storage.v1.VolumeAttachmentSource', {
  persistentVolumeName: kept(1, Text()),
  inlineVolumeSpec: kept(2, PersistentVolumeSpec),
})
export type VolumeAttachmentSource = Static<typeof VolumeAttachmentSource>

export const VolumeAttachmentSpec = Struct('storage.v1.VolumeAttachmentSpec', {
  attacher: needed(1, Text()),
  source: needed(2, VolumeAttachmentSource),
  nodeName: needed(3, Text()),
})
export type VolumeAttachmentSpec = Static<typeof VolumeAttachmentSpec>

export const VolumeError = Struct('storage.v1.VolumeError', {
  time: embedded(1, Time()),
  message: field(2, Text()),
})
export type VolumeError = Static<typeof VolumeError>

export const VolumeAttachmentStatus = Struct('storage.v1.VolumeAttachmentStatus', {
  attached: needed(1, Flag()),
  attachmentMetadata: field(2, StringMap()),
  attachError: kept(3, VolumeError),
  detachError: kept(4, VolumeError),
})
export type VolumeAttachmentStatus = Static<typeof VolumeAttachmentStatus>

export const VolumeAttachment = Kind('storage.v1.VolumeAttachment', {
  spec: needed(2, VolumeAttachmentSpec),
  status: embedded(3, VolumeAttachmentStatus),
})
export type VolumeAttachment = Static<typeof VolumeAttachment>
