import { Flag, field, Int32, kept, ListOf, needed, Quantity, type Static, StringMap, Struct, Text } from '../schema.js'
import { LocalObjectReference } from './references.js'

/** An Azure file share, with its Secret in the namespace of the Pod. */
export const AzureFileVolumeSource = Struct('core.v1.AzureFileVolumeSource', {
  secretName: needed(1, Text()),
  shareName: needed(2, Text()),
  readOnly: field(3, Flag()),
})
export type AzureFileVolumeSource = Static<typeof AzureFileVolumeSource>

/** A Ceph file system, with its Secret in the namespace of the Pod. */
export const CephFSVolumeSource = Struct('core.v1.CephFSVolumeSource', {
  monitors: needed(1, ListOf(Text())),
  path: field(2, Text()),
  user: field(3, Text()),
  secretFile: field(4, Text()),
  secretRef: kept(5, LocalObjectReference),
  readOnly: field(6, Flag()),
})
export type CephFSVolumeSource = Static<typeof CephFSVolumeSource>

/** An OpenStack block device, with its Secret in the namespace of the Pod. */
export const CinderVolumeSource = Struct('core.v1.CinderVolumeSource', {
  volumeID: needed(1, Text()),
  fsType: field(2, Text()),
  readOnly: field(3, Flag()),
  secretRef: kept(4, LocalObjectReference),
})
export type CinderVolumeSource = Static<typeof CinderVolumeSource>

/** A volume that a CSI driver makes for the lifetime of the Pod. */
export const CSIVolumeSource = Struct('core.v1.CSIVolumeSource', {
  driver: needed(1, Text()),
  readOnly: kept(2, Flag()),
  fsType: kept(3, Text()),
  volumeAttributes: field(4, StringMap()),
  nodePublishSecretRef: kept(5, LocalObjectReference),
})
export type CSIVolumeSource = Static<typeof CSIVolumeSource>

/** A directory that lives as long as the Pod. */
export const EmptyDirVolumeSource = Struct('core.v1.EmptyDirVolumeSource', {
  medium: field(1, Text()),
  sizeLimit: kept(2, Quantity()),
})
export type EmptyDirVolumeSource = Static<typeof EmptyDirVolumeSource>

/** A volume of an exec-based plugin, with its Secret in the namespace of the Pod. */
export const FlexVolumeSource = Struct('core.v1.FlexVolumeSource', {
  driver: needed(1, Text()),
  fsType: field(2, Text()),
  secretRef: kept(3, LocalObjectReference),
  readOnly: field(4, Flag()),
  options: field(5, StringMap()),
})
export type FlexVolumeSource = Static<typeof FlexVolumeSource>

/** A directory filled from a Git repository (deprecated). */
export const GitRepoVolumeSource = Struct('core.v1.GitRepoVolumeSource', {
  repository: needed(1, Text()),
  revision: field(2, Text()),
  directory: field(3, Text()),
})
export type GitRepoVolumeSource = Static<typeof GitRepoVolumeSource>

/** A Gluster file system. */
export const GlusterfsVolumeSource = Struct('core.v1.GlusterfsVolumeSource', {
  endpoints: needed(1, Text()),
  path: needed(2, Text()),
  readOnly: field(3, Flag()),
})
export type GlusterfsVolumeSource = Static<typeof GlusterfsVolumeSource>

/** An iSCSI disk, with its Secret in the namespace of the Pod. */
export const ISCSIVolumeSource = Struct('core.v1.ISCSIVolumeSource', {
  targetPortal: needed(1, Text()),
  iqn: needed(2, Text()),
  lun: needed(3, Int32()),
  iscsiInterface: field(4, Text(), { default: 'default' }),
  fsType: field(5, Text()),
  readOnly: field(6, Flag()),
  portals: field(7, ListOf(Text())),
  chapAuthDiscovery: field(8, Flag()),
  chapAuthSession: field(11, Flag()),
  secretRef: kept(10, LocalObjectReference),
  initiatorName: kept(12, Text()),
})
export type ISCSIVolumeSource = Static<typeof ISCSIVolumeSource>

/** The volume bound to a claim in the namespace of the Pod. */
export const PersistentVolumeClaimVolumeSource = Struct('core.v1.PersistentVolumeClaimVolumeSource', {
  claimName: needed(1, Text()),
  readOnly: field(2, Flag()),
})
export type PersistentVolumeClaimVolumeSource = Static<typeof PersistentVolumeClaimVolumeSource>

/** A RADOS block device, with its Secret in the namespace of the Pod. */
export const RBDVolumeSource = Struct('core.v1.RBDVolumeSource', {
  monitors: needed(1, ListOf(Text())),
  image: needed(2, Text()),
  fsType: field(3, Text()),
  pool: field(4, Text(), { default: 'rbd' }),
  user: field(5, Text(), { default: 'admin' }),
  keyring: field(6, Text(), { default: '/etc/ceph/keyring' }),
  secretRef: kept(7, LocalObjectReference),
  readOnly: field(8, Flag()),
})
export type RBDVolumeSource = Static<typeof RBDVolumeSource>

/** A ScaleIO volume, with its Secret in the namespace of the Pod. */
export const ScaleIOVolumeSource = Struct('core.v1.ScaleIOVolumeSource', {
  gateway: needed(1, Text()),
  system: needed(2, Text()),
  secretRef: needed(3, LocalObjectReference, { nullable: true }),
  sslEnabled: field(4, Flag()),
  protectionDomain: field(5, Text()),
  storagePool: field(6, Text()),
  storageMode: field(7, Text(), { default: 'ThinProvisioned' }),
  volumeName: field(8, Text()),
  fsType: field(9, Text(), { default: 'xfs' }),
  readOnly: field(10, Flag()),
})
export type ScaleIOVolumeSource = Static<typeof ScaleIOVolumeSource>

/** A StorageOS volume, with its Secret in the namespace of the Pod. */
export const StorageOSVolumeSource = Struct('core.v1.StorageOSVolumeSource', {
  volumeName: field(1, Text()),
  volumeNamespace: field(2, Text()),
  fsType: field(3, Text()),
  readOnly: field(4, Flag()),
  secretRef: kept(5, LocalObjectReference),
})
export type StorageOSVolumeSource = Static<typeof StorageOSVolumeSource>
