import { Flag, field, Int32, kept, ListOf, needed, type Static, Struct, Text } from '../schema.js'

/** A block device of the AWS elastic block store. */
export const AWSElasticBlockStoreVolumeSource = Struct('core.v1.AWSElasticBlockStoreVolumeSource', {
  volumeID: needed(1, Text()),
  fsType: field(2, Text()),
  partition: field(3, Int32()),
  readOnly: field(4, Flag()),
})
export type AWSElasticBlockStoreVolumeSource = Static<typeof AWSElasticBlockStoreVolumeSource>

/** An Azure data disk. */
export const AzureDiskVolumeSource = Struct('core.v1.AzureDiskVolumeSource', {
  diskName: needed(1, Text()),
  diskURI: needed(2, Text()),
  cachingMode: kept(3, Text(), { default: 'ReadWrite' }),
  fsType: kept(4, Text(), { default: 'ext4' }),
  readOnly: kept(5, Flag(), { default: false }),
  kind: kept(6, Text(), { default: 'Shared' }),
})
export type AzureDiskVolumeSource = Static<typeof AzureDiskVolumeSource>

/** A Fibre Channel volume, found by world wide names or identifiers. */
export const FCVolumeSource = Struct('core.v1.FCVolumeSource', {
  targetWWNs: field(1, ListOf(Text())),
  lun: kept(2, Int32()),
  fsType: field(3, Text()),
  readOnly: field(4, Flag()),
  wwids: field(5, ListOf(Text())),
})
export type FCVolumeSource = Static<typeof FCVolumeSource>

/** A Flocker dataset, by name or by UUID. */
export const FlockerVolumeSource = Struct('core.v1.FlockerVolumeSource', {
  datasetName: field(1, Text()),
  datasetUUID: field(2, Text()),
})
export type FlockerVolumeSource = Static<typeof FlockerVolumeSource>

/** A Google Compute Engine persistent disk. */
export const GCEPersistentDiskVolumeSource = Struct('core.v1.GCEPersistentDiskVolumeSource', {
  pdName: needed(1, Text()),
  fsType: field(2, Text()),
  partition: field(3, Int32()),
  readOnly: field(4, Flag()),
})
export type GCEPersistentDiskVolumeSource = Static<typeof GCEPersistentDiskVolumeSource>

/** A file or directory of the node itself. */
export const HostPathVolumeSource = Struct('core.v1.HostPathVolumeSource', {
  path: needed(1, Text()),
  type: kept(2, Text(), { default: '' }),
})
export type HostPathVolumeSource = Static<typeof HostPathVolumeSource>

/** A directory exported over NFS. */
export const NFSVolumeSource = Struct('core.v1.NFSVolumeSource', {
  server: needed(1, Text()),
  path: needed(2, Text()),
  readOnly: field(3, Flag()),
})
export type NFSVolumeSource = Static<typeof NFSVolumeSource>

/** A Photon Controller persistent disk. */
export const PhotonPersistentDiskVolumeSource = Struct('core.v1.PhotonPersistentDiskVolumeSource', {
  pdID: needed(1, Text()),
  fsType: field(2, Text()),
})
export type PhotonPersistentDiskVolumeSource = Static<typeof PhotonPersistentDiskVolumeSource>

/** A Portworx volume. */
export const PortworxVolumeSource = Struct('core.v1.PortworxVolumeSource', {
  volumeID: needed(1, Text()),
  fsType: field(2, Text()),
  readOnly: field(3, Flag()),
})
export type PortworxVolumeSource = Static<typeof PortworxVolumeSource>

/** A Quobyte volume. */
export const QuobyteVolumeSource = Struct('core.v1.QuobyteVolumeSource', {
  registry: needed(1, Text()),
  volume: needed(2, Text()),
  readOnly: field(3, Flag()),
  user: field(4, Text()),
  group: field(5, Text()),
  tenant: field(6, Text()),
})
export type QuobyteVolumeSource = Static<typeof QuobyteVolumeSource>

/** A vSphere virtual disk. */
export const VsphereVirtualDiskVolumeSource = Struct('core.v1.VsphereVirtualDiskVolumeSource', {
  volumePath: needed(1, Text()),
  fsType: field(2, Text()),
  storagePolicyName: field(3, Text()),
  storagePolicyID: field(4, Text()),
})
export type VsphereVirtualDiskVolumeSource = Static<typeof VsphereVirtualDiskVolumeSource>
