import {
  Bool,
  embedded,
  field,
  Int32,
  kept,
  ListOf,
  required,
  type Static,
  StringMap,
  Struct,
  Text,
} from '../schema.js'
import { ObjectReference, SecretReference } from './references.js'

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
  {
    monitors: required(1, ListOf(Text()), 'Addresses of the monitors.'),
    path: field(2, Text(), 'Path within the file system. / by default.'),
    user: field(3, Text(), 'Name of the user. admin by default.'),
    secretFile: field(4, Text(), 'File with the key of the user. /etc/ceph/user.secret by default.'),
    secretRef: kept(5, SecretReference, 'Secret with the key of the user; it wins over secretFile.'),
    readOnly: field(6, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
  },
  { description: 'A Ceph file system.' },
)
export type CephFSPersistentVolumeSource = Static<typeof CephFSPersistentVolumeSource>

/** An OpenStack block device, with its Secret in any namespace. */
export const CinderPersistentVolumeSource = Struct(
  'core.v1.CinderPersistentVolumeSource',
  {
    volumeID: required(1, Text(), 'Id of the volume.'),
    fsType: field(2, Text(), 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.'),
    readOnly: field(3, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
    secretRef: kept(4, SecretReference, 'Secret with the credentials.'),
  },
  { description: 'A volume of OpenStack.' },
)
export type CinderPersistentVolumeSource = Static<typeof CinderPersistentVolumeSource>

/** A volume of a CSI driver. */
export const CSIPersistentVolumeSource = Struct(
  'core.v1.CSIPersistentVolumeSource',
  {
    driver: required(1, Text(), 'Name of the driver.'),
    volumeHandle: required(2, Text(), "Id of the volume in the driver's words. It cannot be changed."),
    readOnly: field(3, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
    fsType: field(4, Text(), 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.'),
    volumeAttributes: field(5, StringMap(), 'What the driver needs to know about the volume.'),
    controllerPublishSecretRef: kept(6, SecretReference, 'Secret for attaching and detaching.'),
    nodeStageSecretRef: kept(7, SecretReference, 'Secret for preparing the volume on a node.'),
    nodePublishSecretRef: kept(8, SecretReference, 'Secret for mounting the volume.'),
    controllerExpandSecretRef: kept(9, SecretReference, 'Secret for enlarging the volume.'),
  },
  { description: 'A volume of a storage driver.' },
)
export type CSIPersistentVolumeSource = Static<typeof CSIPersistentVolumeSource>

/** A volume of an exec-based plugin, with its Secret in any namespace. */
export const FlexPersistentVolumeSource = Struct(
  'core.v1.FlexPersistentVolumeSource',
  {
    driver: required(1, Text(), 'Name of the driver.'),
    fsType: field(2, Text(), 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.'),
    secretRef: kept(3, SecretReference, 'Secret that is handed to the driver.'),
    readOnly: field(4, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
    options: field(5, StringMap(), 'Settings for the driver.'),
  },
  { description: 'A volume of a flex driver.' },
)
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
export const ISCSIPersistentVolumeSource = Struct(
  'core.v1.ISCSIPersistentVolumeSource',
  {
    targetPortal: required(1, Text(), 'Address of the server, with a port unless it is 3260.'),
    iqn: required(2, Text(), 'Name of the target.'),
    lun: required(3, Int32(), 'Number of the disk.'),
    iscsiInterface: field(4, Text(), { description: 'Interface to use. default by default.', default: 'default' }),
    fsType: field(5, Text(), 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.'),
    readOnly: field(6, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
    portals: field(7, ListOf(Text()), 'Further addresses of the server.'),
    chapAuthDiscovery: field(8, Bool(), 'Whether discovery is authenticated by CHAP.'),
    chapAuthSession: field(11, Bool(), 'Whether sessions are authenticated by CHAP.'),
    secretRef: kept(10, SecretReference, 'Secret with the credentials for CHAP.'),
    initiatorName: kept(
      12,
      Text(),
      'Name of the initiator. With one, an interface of the name of portal and volume is made.',
    ),
  },
  { description: 'A disk of an iSCSI server.' },
)
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
export const RBDPersistentVolumeSource = Struct(
  'core.v1.RBDPersistentVolumeSource',
  {
    monitors: required(1, ListOf(Text()), 'Addresses of the monitors.'),
    image: required(2, Text(), 'Name of the image.'),
    fsType: field(3, Text(), 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.'),
    pool: field(4, Text(), { description: 'Name of the pool. rbd by default.', default: 'rbd' }),
    user: field(5, Text(), { description: 'Name of the user. admin by default.', default: 'admin' }),
    keyring: field(6, Text(), {
      description: 'File with the key of the user. /etc/ceph/keyring by default.',
      default: '/etc/ceph/keyring',
    }),
    secretRef: kept(7, SecretReference, 'Secret with the key of the user; it wins over keyring.'),
    readOnly: field(8, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
  },
  { description: 'A block device of Ceph.' },
)
export type RBDPersistentVolumeSource = Static<typeof RBDPersistentVolumeSource>

/** A ScaleIO volume, with its Secret in any namespace. */
export const ScaleIOPersistentVolumeSource = Struct(
  'core.v1.ScaleIOPersistentVolumeSource',
  {
    gateway: required(1, Text(), 'Address of the gateway.'),
    system: required(2, Text(), 'Name of the storage system.'),
    secretRef: required(3, SecretReference, { description: 'Secret with the credentials.', nullable: true }),
    sslEnabled: field(4, Bool(), 'Whether the gateway is reached by TLS.'),
    protectionDomain: field(5, Text(), 'Name of the protection domain.'),
    storagePool: field(6, Text(), 'Name of the pool.'),
    storageMode: field(7, Text(), {
      description: 'ThickProvisioned or ThinProvisioned (the default).',
      default: 'ThinProvisioned',
    }),
    volumeName: field(8, Text(), 'Name of the volume.'),
    fsType: field(9, Text(), {
      description: 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.',
      default: 'xfs',
    }),
    readOnly: field(10, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
  },
  { description: 'A volume of ScaleIO.' },
)
export type ScaleIOPersistentVolumeSource = Static<typeof ScaleIOPersistentVolumeSource>

/** A StorageOS volume, with its Secret in any namespace. */
export const StorageOSPersistentVolumeSource = Struct(
  'core.v1.StorageOSPersistentVolumeSource',
  {
    volumeName: field(1, Text(), 'Name of the volume.'),
    volumeNamespace: field(2, Text(), "Scope of the volume's name. That of the claim by default."),
    fsType: field(3, Text(), 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.'),
    readOnly: field(4, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
    secretRef: kept(5, ObjectReference, 'Secret with the credentials.'),
  },
  { description: 'A volume of StorageOS.' },
)
export type StorageOSPersistentVolumeSource = Static<typeof StorageOSPersistentVolumeSource>
