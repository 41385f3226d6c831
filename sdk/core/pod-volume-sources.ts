import {
  Bool,
  field,
  Int32,
  kept,
  ListOf,
  Quantity,
  required,
  type Static,
  StringMap,
  Struct,
  Text,
} from '../schema.js'
import { LocalObjectReference } from './references.js'

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
export const CephFSVolumeSource = Struct(
  'core.v1.CephFSVolumeSource',
  {
    monitors: required(1, ListOf(Text()), 'Addresses of the monitors.'),
    path: field(2, Text(), 'Path within the file system. / by default.'),
    user: field(3, Text(), 'Name of the user. admin by default.'),
    secretFile: field(4, Text(), 'File with the key of the user. /etc/ceph/user.secret by default.'),
    secretRef: kept(5, LocalObjectReference, 'Secret with the key of the user; it wins over secretFile.'),
    readOnly: field(6, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
  },
  { description: 'A Ceph file system.' },
)
export type CephFSVolumeSource = Static<typeof CephFSVolumeSource>

/** An OpenStack block device, with its Secret in the namespace of the Pod. */
export const CinderVolumeSource = Struct(
  'core.v1.CinderVolumeSource',
  {
    volumeID: required(1, Text(), 'Id of the volume.'),
    fsType: field(2, Text(), 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.'),
    readOnly: field(3, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
    secretRef: kept(4, LocalObjectReference, 'Secret with the credentials.'),
  },
  { description: 'A volume of OpenStack.' },
)
export type CinderVolumeSource = Static<typeof CinderVolumeSource>

/** A volume that a CSI driver makes for the lifetime of the Pod. */
export const CSIVolumeSource = Struct(
  'core.v1.CSIVolumeSource',
  {
    driver: required(1, Text(), 'Name of the driver.'),
    readOnly: kept(2, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
    fsType: kept(3, Text(), 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.'),
    volumeAttributes: field(4, StringMap(), 'What the driver needs to know about the volume.'),
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
    sizeLimit: kept(2, Quantity(), 'How large it may become. No limit by default.'),
  },
  { description: 'An empty folder that lives as long as the Pod.' },
)
export type EmptyDirVolumeSource = Static<typeof EmptyDirVolumeSource>

/** A volume of an exec-based plugin, with its Secret in the namespace of the Pod. */
export const FlexVolumeSource = Struct(
  'core.v1.FlexVolumeSource',
  {
    driver: required(1, Text(), 'Name of the driver.'),
    fsType: field(2, Text(), 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.'),
    secretRef: kept(3, LocalObjectReference, 'Secret that is handed to the driver.'),
    readOnly: field(4, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
    options: field(5, StringMap(), 'Settings for the driver.'),
  },
  { description: 'A volume of a flex driver.' },
)
export type FlexVolumeSource = Static<typeof FlexVolumeSource>

/** A directory filled from a Git repository (deprecated). */
export const GitRepoVolumeSource = Struct(
  'core.v1.GitRepoVolumeSource',
  {
    repository: required(1, Text(), 'URL of the repository.'),
    revision: field(2, Text(), 'Commit that is checked out.'),
    directory: field(3, Text(), 'Folder that it is put in. It may not contain "..".'),
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

/** An iSCSI disk, with its Secret in the namespace of the Pod. */
export const ISCSIVolumeSource = Struct(
  'core.v1.ISCSIVolumeSource',
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
    secretRef: kept(10, LocalObjectReference, 'Secret with the credentials for CHAP.'),
    initiatorName: kept(
      12,
      Text(),
      'Name of the initiator. With one, an interface of the name of portal and volume is made.',
    ),
  },
  { description: 'A disk of an iSCSI server.' },
)
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
export const RBDVolumeSource = Struct(
  'core.v1.RBDVolumeSource',
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
    secretRef: kept(7, LocalObjectReference, 'Secret with the key of the user; it wins over keyring.'),
    readOnly: field(8, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
  },
  { description: 'A block device of Ceph.' },
)
export type RBDVolumeSource = Static<typeof RBDVolumeSource>

/** A ScaleIO volume, with its Secret in the namespace of the Pod. */
export const ScaleIOVolumeSource = Struct(
  'core.v1.ScaleIOVolumeSource',
  {
    gateway: required(1, Text(), 'Address of the gateway.'),
    system: required(2, Text(), 'Name of the storage system.'),
    secretRef: required(3, LocalObjectReference, { description: 'Secret with the credentials.', nullable: true }),
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
export type ScaleIOVolumeSource = Static<typeof ScaleIOVolumeSource>

/** A StorageOS volume, with its Secret in the namespace of the Pod. */
export const StorageOSVolumeSource = Struct(
  'core.v1.StorageOSVolumeSource',
  {
    volumeName: field(1, Text(), 'Name of the volume.'),
    volumeNamespace: field(2, Text(), "Scope of the volume's name. That of the claim by default."),
    fsType: field(3, Text(), 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.'),
    readOnly: field(4, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
    secretRef: kept(5, LocalObjectReference, 'Secret with the credentials.'),
  },
  { description: 'A volume of StorageOS.' },
)
export type StorageOSVolumeSource = Static<typeof StorageOSVolumeSource>
