import { embedded, Flag, field, Int32, kept, ListOf, needed, type Static, StringMap, Struct, Text } from '../schema.js'
import { ObjectReference, SecretReference } from './references.js'

/** An Azure file share, with its Secret in any namespace. */
export const AzureFilePersistentVolumeSource = Struct('core.v1.AzureFilePersistentVolumeSource', {
  secretName: needed(1, Text()),
  shareName: needed(2, Text()),
  readOnly: field(3, Flag()),
  secretNamespace: embedded(4, Text(), { nullable: true }),
})
export type AzureFilePersistentVolumeSource = Static<typeof AzureFilePersistentVolumeSource>

/** A Ceph file system, with its Secret in any namespace. */
export const CephFSPersistentVolumeSource = Struct('core.v1.CephFSPersistentVolumeSource', {
  monitors: needed(1, ListOf(Text())),
  path: field(2, Text()),
  user: field(3, Text()),
  secretFile: field(4, Text()),
  secretRef: kept(5, SecretReference),
  readOnly: field(6, Flag()),
})
export type CephFSPersistentVolumeSource = Static<typeof CephFSPersistentVolumeSource>

/** An OpenStack block device, with its Secret in any namespace. */
export const CinderPersistentVolumeSource = Struct('core.v1.CinderPersistentVolumeSource', {
  volumeID: needed(1, Text()),
  fsType: field(2, Text()),
  readOnly: field(3, Flag()),
  secretRef: kept(4, SecretReference),
})
export type CinderPersistentVolumeSource = Static<typeof CinderPersistentVolumeSource>

/** A volume of a CSI driver. */
export const CSIPersistentVolumeSource = Struct('core.v1.CSIPersistentVolumeSource', {
  driver: needed(1, Text()),
  volumeHandle: needed(2, Text()),
  readOnly: field(3, Flag()),
  fsType: field(4, Text()),
  volumeAttributes: field(5, StringMap()),
  controllerPublishSecretRef: kept(6, SecretReference),
  nodeStageSecretRef: kept(7, SecretReference),
  nodePublishSecretRef: kept(8, SecretReference),
  controllerExpandSecretRef: kept(9, SecretReference),
})
export type CSIPersistentVolumeSource = Static<typeof CSIPersistentVolumeSource>

/** A volume of an exec-based plugin, with its Secret in any namespace. */
export const FlexPersistentVolumeSource = Struct('core.v1.FlexPersistentVolumeSource', {
  driver: needed(1, Text()),
  fsType: field(2, Text()),
  secretRef: kept(3, SecretReference),
  readOnly: field(4, Flag()),
  options: field(5, StringMap()),
})
export type FlexPersistentVolumeSource = Static<typeof FlexPersistentVolumeSource>

/** A Gluster file system, with its endpoints in any namespace. */
export const GlusterfsPersistentVolumeSource = Struct('core.v1.GlusterfsPersistentVolumeSource', {
  endpoints: needed(1, Text()),
  path: needed(2, Text()),
  readOnly: field(3, Flag()),
  endpointsNamespace: kept(4, Text()),
})
export type GlusterfsPersistentVolumeSource = Static<typeof GlusterfsPersistentVolumeSource>

/** An iSCSI disk, with its Secret in any namespace. */
export const ISCSIPersistentVolumeSource = Struct('core.v1.ISCSIPersistentVolumeSource', {
  targetPortal: needed(1, Text()),
  iqn: needed(2, Text()),
  lun: needed(3, Int32()),
  iscsiInterface: field(4, Text(), { default: 'default' }),
  fsType: field(5, Text()),
  readOnly: field(6, Flag()),
  portals: field(7, ListOf(Text())),
  chapAuthDiscovery: field(8, Flag()),
  chapAuthSession: field(11, Flag()),
  secretRef: kept(10, SecretReference),
  initiatorName: kept(12, Text()),
})
export type ISCSIPersistentVolumeSource = Static<typeof ISCSIPersistentVolumeSource>

/** A disk, partition or directory of one node. */
export const LocalVolumeSource = Struct('core.v1.LocalVolumeSource', {
  path: needed(1, Text()),
  fsType: kept(2, Text()),
})
export type LocalVolumeSource = Static<typeof LocalVolumeSource>

/** A RADOS block device, with its Secret in any namespace. */
export const RBDPersistentVolumeSource = Struct('core.v1.RBDPersistentVolumeSource', {
  monitors: needed(1, ListOf(Text())),
  image: needed(2, Text()),
  fsType: field(3, Text()),
  pool: field(4, Text(), { default: 'rbd' }),
  user: field(5, Text(), { default: 'admin' }),
  keyring: field(6, Text(), { default: '/etc/ceph/keyring' }),
  secretRef: kept(7, SecretReference),
  readOnly: field(8, Flag()),
})
export type RBDPersistentVolumeSource = Static<typeof RBDPersistentVolumeSource>

/** A ScaleIO volume, with its Secret in any namespace. */
export const ScaleIOPersistentVolumeSource = Struct('core.v1.ScaleIOPersistentVolumeSource', {
  gateway: needed(1, Text()),
  system: needed(2, Text()),
  secretRef: needed(3, SecretReference, { nullable: true }),
  sslEnabled: field(4, Flag()),
  protectionDomain: field(5, Text()),
  storagePool: field(6, Text()),
  storageMode: field(7, Text(), { default: 'ThinProvisioned' }),
  volumeName: field(8, Text()),
  fsType: field(9, Text(), { default: 'xfs' }),
  readOnly: field(10, Flag()),
})
export type ScaleIOPersistentVolumeSource = Static<typeof ScaleIOPersistentVolumeSource>

/** A StorageOS volume, with its Secret in any namespace. */
export const StorageOSPersistentVolumeSource = Struct('core.v1.StorageOSPersistentVolumeSource', {
  volumeName: field(1, Text()),
  volumeNamespace: field(2, Text()),
  fsType: field(3, Text()),
  readOnly: field(4, Flag()),
  secretRef: kept(5, ObjectReference),
})
export type StorageOSPersistentVolumeSource = Static<typeof StorageOSPersistentVolumeSource>
