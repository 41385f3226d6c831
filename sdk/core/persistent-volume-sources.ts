import { Bool, embedded, field, kept, required, type Static, StringMap, Struct, Text } from '../resource/schema.js'
import { ObjectReference, SecretReference } from './references.js'
import {
  cephFSFields,
  cinderFields,
  flexFields,
  iscsiFields,
  rbdFields,
  scaleIOFields,
  storageOSFields,
} from './volume-source-fields.js'

/** An Azure file share, with its Secret in any namespace. */
export const AzureFilePersistentVolumeSource = Struct(
  'core.v1.AzureFilePersistentVolumeSource',
  {
    secretName: required(1, Text(), 'Secret with the account and its key.'),
    shareName: required(2, Text(), 'Name of the share.'),
    readOnly: field(3, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
    secretNamespace: embedded(4, Text(), {
      description: 'Namespace of the Secret. That of the claim by default.',
      nullable: true,
    }),
  },
  { description: 'A file share of Azure.' },
)
export type AzureFilePersistentVolumeSource = Static<typeof AzureFilePersistentVolumeSource>

/** A Ceph file system, with its Secret in any namespace. */
export const CephFSPersistentVolumeSource = Struct(
  'core.v1.CephFSPersistentVolumeSource',
  cephFSFields(SecretReference),
  { description: 'A Ceph file system.' },
)
export type CephFSPersistentVolumeSource = Static<typeof CephFSPersistentVolumeSource>

/** An OpenStack block device, with its Secret in any namespace. */
export const CinderPersistentVolumeSource = Struct(
  'core.v1.CinderPersistentVolumeSource',
  cinderFields(SecretReference),
  { description: 'A volume of OpenStack.' },
)
export type CinderPersistentVolumeSource = Static<typeof CinderPersistentVolumeSource>

/** A volume of a CSI driver. */
export const CSIPersistentVolumeSource = Struct(
  'core.v1.CSIPersistentVolumeSource',
  {
    driver: required(1, Text(), 'Name of the driver.'),
    volumeHandle: required(2, Text(), 'Id of the volume as the driver assigned it. It cannot be changed.'),
    readOnly: field(3, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
    fsType: field(4, Text(), 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.'),
    volumeAttributes: field(5, StringMap(), 'Attributes of the volume for the driver.'),
    controllerPublishSecretRef: kept(6, SecretReference, 'Secret for attaching and detaching.'),
    nodeStageSecretRef: kept(7, SecretReference, 'Secret for preparing the volume on a node.'),
    nodePublishSecretRef: kept(8, SecretReference, 'Secret for mounting the volume.'),
    controllerExpandSecretRef: kept(9, SecretReference, 'Secret for enlarging the volume.'),
    nodeExpandSecretRef: kept(10, SecretReference, {
      description: 'Secret for enlarging the volume on a node.',
      since: '1.25',
      gate: 'CSINodeExpandSecret',
    }),
  },
  { description: 'A volume of a storage driver.' },
)
export type CSIPersistentVolumeSource = Static<typeof CSIPersistentVolumeSource>

/** A volume of an exec-based plugin, with its Secret in any namespace. */
export const FlexPersistentVolumeSource = Struct('core.v1.FlexPersistentVolumeSource', flexFields(SecretReference), {
  description: 'A volume of a flex driver.',
})
export type FlexPersistentVolumeSource = Static<typeof FlexPersistentVolumeSource>

/** A Gluster file system, with its endpoints in any namespace. */
export const GlusterfsPersistentVolumeSource = Struct(
  'core.v1.GlusterfsPersistentVolumeSource',
  {
    endpoints: required(1, Text(), 'Name of the endpoints of the servers.'),
    path: required(2, Text(), 'Name of the volume.'),
    readOnly: field(3, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
    endpointsNamespace: kept(4, Text(), 'Namespace of the endpoints. That of the claim by default.'),
  },
  { description: 'A volume of Glusterfs.' },
)
export type GlusterfsPersistentVolumeSource = Static<typeof GlusterfsPersistentVolumeSource>

/** An iSCSI disk, with its Secret in any namespace. */
export const ISCSIPersistentVolumeSource = Struct('core.v1.ISCSIPersistentVolumeSource', iscsiFields(SecretReference), {
  description: 'A disk of an iSCSI server.',
})
export type ISCSIPersistentVolumeSource = Static<typeof ISCSIPersistentVolumeSource>

/** A disk, partition or directory of one node. */
export const LocalVolumeSource = Struct(
  'core.v1.LocalVolumeSource',
  {
    path: required(1, Text(), 'Path on the node.'),
    fsType: kept(2, Text(), 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.'),
  },
  { description: 'A disk or folder of one node.' },
)
export type LocalVolumeSource = Static<typeof LocalVolumeSource>

/** A RADOS block device, with its Secret in any namespace. */
export const RBDPersistentVolumeSource = Struct('core.v1.RBDPersistentVolumeSource', rbdFields(SecretReference), {
  description: 'A block device of Ceph.',
})
export type RBDPersistentVolumeSource = Static<typeof RBDPersistentVolumeSource>

/** A ScaleIO volume, with its Secret in any namespace. */
export const ScaleIOPersistentVolumeSource = Struct(
  'core.v1.ScaleIOPersistentVolumeSource',
  scaleIOFields(SecretReference),
  { description: 'A volume of ScaleIO.' },
)
export type ScaleIOPersistentVolumeSource = Static<typeof ScaleIOPersistentVolumeSource>

/** A StorageOS volume, with its Secret in any namespace. */
export const StorageOSPersistentVolumeSource = Struct(
  'core.v1.StorageOSPersistentVolumeSource',
  storageOSFields(ObjectReference),
  { description: 'A volume of StorageOS.' },
)
export type StorageOSPersistentVolumeSource = Static<typeof StorageOSPersistentVolumeSource>
