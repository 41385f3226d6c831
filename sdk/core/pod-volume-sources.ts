import { Bool, field, kept, Quantity, required, type Static, StringMap, Struct, Text } from '../resource/schema.js'
import { LocalObjectReference } from './references.js'
import {
  cephFSFields,
  cinderFields,
  flexFields,
  iscsiFields,
  rbdFields,
  scaleIOFields,
  storageOSFields,
} from './volume-source-fields.js'

/** An Azure file share, with its Secret in the namespace of the Pod. */
export const AzureFileVolumeSource = Struct(
  'core.v1.AzureFileVolumeSource',
  {
    secretName: required(1, Text(), 'Secret with the account and its key.'),
    shareName: required(2, Text(), 'Name of the share.'),
    readOnly: field(3, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
  },
  { description: 'A file share of Azure.' },
)
export type AzureFileVolumeSource = Static<typeof AzureFileVolumeSource>

/** A Ceph file system, with its Secret in the namespace of the Pod. */
export const CephFSVolumeSource = Struct('core.v1.CephFSVolumeSource', cephFSFields(LocalObjectReference), {
  description: 'A Ceph file system.',
})
export type CephFSVolumeSource = Static<typeof CephFSVolumeSource>

/** An OpenStack block device, with its Secret in the namespace of the Pod. */
export const CinderVolumeSource = Struct('core.v1.CinderVolumeSource', cinderFields(LocalObjectReference), {
  description: 'A volume of OpenStack.',
})
export type CinderVolumeSource = Static<typeof CinderVolumeSource>

/** A volume that a CSI driver makes for the lifetime of the Pod. */
export const CSIVolumeSource = Struct(
  'core.v1.CSIVolumeSource',
  {
    driver: required(1, Text(), 'Name of the driver.'),
    readOnly: kept(2, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
    fsType: kept(3, Text(), 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.'),
    volumeAttributes: field(4, StringMap(), 'Attributes of the volume for the driver.'),
    nodePublishSecretRef: kept(5, LocalObjectReference, 'Secret for mounting the volume.'),
  },
  { description: 'A volume of a storage driver that lives as long as the Pod.' },
)
export type CSIVolumeSource = Static<typeof CSIVolumeSource>

/** A directory that lives as long as the Pod. */
export const EmptyDirVolumeSource = Struct(
  'core.v1.EmptyDirVolumeSource',
  {
    medium: field(1, Text(), 'Where it is: empty for the disk of the node, Memory for its memory.'),
    sizeLimit: kept(2, Quantity(), 'Maximum size. No limit by default.'),
  },
  { description: 'An empty folder that lives as long as the Pod.' },
)
export type EmptyDirVolumeSource = Static<typeof EmptyDirVolumeSource>

/** A volume of an exec-based plugin, with its Secret in the namespace of the Pod. */
export const FlexVolumeSource = Struct('core.v1.FlexVolumeSource', flexFields(LocalObjectReference), {
  description: 'A volume of a flex driver.',
})
export type FlexVolumeSource = Static<typeof FlexVolumeSource>

/** A directory filled from a Git repository (deprecated). */
export const GitRepoVolumeSource = Struct(
  'core.v1.GitRepoVolumeSource',
  {
    repository: required(1, Text(), 'URL of the repository.'),
    revision: field(2, Text(), 'Commit to check out.'),
    directory: field(3, Text(), 'Folder to check it out into. It may not contain "..".'),
  },
  { description: 'The contents of a Git repository. Deprecated.' },
)
export type GitRepoVolumeSource = Static<typeof GitRepoVolumeSource>

/** A Gluster file system. */
export const GlusterfsVolumeSource = Struct(
  'core.v1.GlusterfsVolumeSource',
  {
    endpoints: required(1, Text(), 'Name of the endpoints of the servers.'),
    path: required(2, Text(), 'Name of the volume.'),
    readOnly: field(3, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
  },
  { description: 'A volume of Glusterfs.' },
)
export type GlusterfsVolumeSource = Static<typeof GlusterfsVolumeSource>

/** The files of an image, read-only. */
export const ImageVolumeSource = Struct(
  'core.v1.ImageVolumeSource',
  {
    reference: field(1, Text(), 'The image. Required.'),
    pullPolicy: field(2, Text(), 'When the image is pulled: Always, IfNotPresent or Never.'),
  },
  { description: 'The files of an image, read-only.' },
)
export type ImageVolumeSource = Static<typeof ImageVolumeSource>

/** An iSCSI disk, with its Secret in the namespace of the Pod. */
export const ISCSIVolumeSource = Struct('core.v1.ISCSIVolumeSource', iscsiFields(LocalObjectReference), {
  description: 'A disk of an iSCSI server.',
})
export type ISCSIVolumeSource = Static<typeof ISCSIVolumeSource>

/** The volume bound to a claim in the namespace of the Pod. */
export const PersistentVolumeClaimVolumeSource = Struct(
  'core.v1.PersistentVolumeClaimVolumeSource',
  {
    claimName: required(1, Text(), 'Name of a claim of the namespace.'),
    readOnly: field(2, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
  },
  { description: 'The volume of a claim.' },
)
export type PersistentVolumeClaimVolumeSource = Static<typeof PersistentVolumeClaimVolumeSource>

/** A RADOS block device, with its Secret in the namespace of the Pod. */
export const RBDVolumeSource = Struct('core.v1.RBDVolumeSource', rbdFields(LocalObjectReference), {
  description: 'A block device of Ceph.',
})
export type RBDVolumeSource = Static<typeof RBDVolumeSource>

/** A ScaleIO volume, with its Secret in the namespace of the Pod. */
export const ScaleIOVolumeSource = Struct('core.v1.ScaleIOVolumeSource', scaleIOFields(LocalObjectReference), {
  description: 'A volume of ScaleIO.',
})
export type ScaleIOVolumeSource = Static<typeof ScaleIOVolumeSource>

/** A StorageOS volume, with its Secret in the namespace of the Pod. */
export const StorageOSVolumeSource = Struct('core.v1.StorageOSVolumeSource', storageOSFields(LocalObjectReference), {
  description: 'A volume of StorageOS.',
})
export type StorageOSVolumeSource = Static<typeof StorageOSVolumeSource>
