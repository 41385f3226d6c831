import { Bool, field, Int32, kept, ListOf, required, type Static, Struct, Text } from '../resource/schema.js'

/** A block device of the AWS elastic block store. */
export const AWSElasticBlockStoreVolumeSource = Struct(
  'core.v1.AWSElasticBlockStoreVolumeSource',
  {
    volumeID: required(1, Text(), 'Id of the disk.'),
    fsType: field(2, Text(), 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.'),
    partition: field(3, Int32(), 'Number of the partition. 0 means the whole disk.'),
    readOnly: field(4, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
  },
  { description: 'An AWS EBS disk.' },
)
export type AWSElasticBlockStoreVolumeSource = Static<typeof AWSElasticBlockStoreVolumeSource>

/** An Azure data disk. */
export const AzureDiskVolumeSource = Struct(
  'core.v1.AzureDiskVolumeSource',
  {
    diskName: required(1, Text(), 'Name of the disk.'),
    diskURI: required(2, Text(), 'URI of the disk.'),
    cachingMode: kept(3, Text(), { description: 'None, ReadOnly or ReadWrite (the default).', default: 'ReadWrite' }),
    fsType: kept(4, Text(), {
      description: 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.',
      default: 'ext4',
    }),
    readOnly: kept(5, Bool(), {
      description: 'Mount the volume read-only, whatever the mounts say. False by default.',
      default: false,
    }),
    kind: kept(6, Text(), { description: 'Shared (the default), Dedicated or Managed.', default: 'Shared' }),
  },
  { description: 'An Azure disk.' },
)
export type AzureDiskVolumeSource = Static<typeof AzureDiskVolumeSource>

/** A Fibre Channel volume, found by world wide names or identifiers. */
export const FCVolumeSource = Struct(
  'core.v1.FCVolumeSource',
  {
    targetWWNs: field(1, ListOf(Text()), 'World wide names of the target.'),
    lun: kept(2, Int32(), 'Number of the disk.'),
    fsType: field(3, Text(), 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.'),
    readOnly: field(4, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
    wwids: field(5, ListOf(Text()), 'World wide identifiers of the volume, instead of names and number.'),
  },
  { description: 'A disk of a Fibre Channel network.' },
)
export type FCVolumeSource = Static<typeof FCVolumeSource>

/** A Flocker dataset, by name or by UUID. */
export const FlockerVolumeSource = Struct(
  'core.v1.FlockerVolumeSource',
  {
    datasetName: field(1, Text(), 'Name of the dataset. Deprecated.'),
    datasetUUID: field(2, Text(), 'UUID of the dataset.'),
  },
  { description: 'A volume of Flocker. Exactly one of the two is set.' },
)
export type FlockerVolumeSource = Static<typeof FlockerVolumeSource>

/** A Google Compute Engine persistent disk. */
export const GCEPersistentDiskVolumeSource = Struct(
  'core.v1.GCEPersistentDiskVolumeSource',
  {
    pdName: required(1, Text(), 'Name of the disk.'),
    fsType: field(2, Text(), 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.'),
    partition: field(3, Int32(), 'Number of the partition. 0 means the whole disk.'),
    readOnly: field(4, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
  },
  { description: 'A disk of Google Compute Engine.' },
)
export type GCEPersistentDiskVolumeSource = Static<typeof GCEPersistentDiskVolumeSource>

/** A file or directory of the node itself. */
export const HostPathVolumeSource = Struct(
  'core.v1.HostPathVolumeSource',
  {
    path: required(1, Text(), 'Path on the node.'),
    type: kept(2, Text(), {
      description:
        'Required type of the path: DirectoryOrCreate, Directory, FileOrCreate, File, Socket, CharDevice or BlockDevice. Empty means no check.',
      default: '',
    }),
  },
  { description: 'A file or folder of the node.' },
)
export type HostPathVolumeSource = Static<typeof HostPathVolumeSource>

/** A directory exported over NFS. */
export const NFSVolumeSource = Struct(
  'core.v1.NFSVolumeSource',
  {
    server: required(1, Text(), 'Name or address of the server.'),
    path: required(2, Text(), 'Path that the server exports.'),
    readOnly: field(3, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
  },
  { description: 'A share of an NFS server.' },
)
export type NFSVolumeSource = Static<typeof NFSVolumeSource>

/** A Photon Controller persistent disk. */
export const PhotonPersistentDiskVolumeSource = Struct(
  'core.v1.PhotonPersistentDiskVolumeSource',
  {
    pdID: required(1, Text(), 'Id of the disk.'),
    fsType: field(2, Text(), 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.'),
  },
  { description: 'A Photon disk.' },
)
export type PhotonPersistentDiskVolumeSource = Static<typeof PhotonPersistentDiskVolumeSource>

/** A Portworx volume. */
export const PortworxVolumeSource = Struct(
  'core.v1.PortworxVolumeSource',
  {
    volumeID: required(1, Text(), 'Id of the volume.'),
    fsType: field(2, Text(), 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.'),
    readOnly: field(3, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
  },
  { description: 'A volume of Portworx.' },
)
export type PortworxVolumeSource = Static<typeof PortworxVolumeSource>

/** A Quobyte volume. */
export const QuobyteVolumeSource = Struct(
  'core.v1.QuobyteVolumeSource',
  {
    registry: required(1, Text(), 'Addresses of the registry, as host:port, separated by commas.'),
    volume: required(2, Text(), 'Name of the volume.'),
    readOnly: field(3, Bool(), 'Mount the volume read-only, whatever the mounts say. False by default.'),
    user: field(4, Text(), 'User that mounts the volume. The service account by default.'),
    group: field(5, Text(), 'Group that mounts the volume. None by default.'),
    tenant: field(6, Text(), 'Tenant that owns it.'),
  },
  { description: 'A volume of Quobyte.' },
)
export type QuobyteVolumeSource = Static<typeof QuobyteVolumeSource>

/** A vSphere virtual disk. */
export const VsphereVirtualDiskVolumeSource = Struct(
  'core.v1.VsphereVirtualDiskVolumeSource',
  {
    volumePath: required(1, Text(), 'Path of the disk.'),
    fsType: field(2, Text(), 'File system of the volume, such as ext4 or xfs. The driver chooses when it is empty.'),
    storagePolicyName: field(3, Text(), 'Name of the storage policy.'),
    storagePolicyID: field(4, Text(), 'Id of the storage policy.'),
  },
  { description: 'A vSphere disk.' },
)
export type VsphereVirtualDiskVolumeSource = Static<typeof VsphereVirtualDiskVolumeSource>
