import { inlined, kept, needed, type Static, Struct, Text } from '../schema.js'
import { EphemeralVolumeSource } from './persistent-volume-claim-spec.js'
import {
  AzureFileVolumeSource,
  CephFSVolumeSource,
  CinderVolumeSource,
  CSIVolumeSource,
  EmptyDirVolumeSource,
  FlexVolumeSource,
  GitRepoVolumeSource,
  GlusterfsVolumeSource,
  ISCSIVolumeSource,
  PersistentVolumeClaimVolumeSource,
  RBDVolumeSource,
  ScaleIOVolumeSource,
  StorageOSVolumeSource,
} from './pod-volume-sources.js'
import {
  ConfigMapVolumeSource,
  DownwardAPIVolumeSource,
  ProjectedVolumeSource,
  SecretVolumeSource,
} from './projected-volume-sources.js'
import {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  HostPathVolumeSource,
  NFSVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PortworxVolumeSource,
  QuobyteVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from './shared-volume-sources.js'

/** The sources a Pod volume may have: exactly one is set. */
export const VolumeSource = Struct('core.v1.VolumeSource', {
  hostPath: kept(1, HostPathVolumeSource),
  emptyDir: kept(2, EmptyDirVolumeSource),
  gcePersistentDisk: kept(3, GCEPersistentDiskVolumeSource),
  awsElasticBlockStore: kept(4, AWSElasticBlockStoreVolumeSource),
  gitRepo: kept(5, GitRepoVolumeSource),
  secret: kept(6, SecretVolumeSource),
  nfs: kept(7, NFSVolumeSource),
  iscsi: kept(8, ISCSIVolumeSource),
  glusterfs: kept(9, GlusterfsVolumeSource),
  persistentVolumeClaim: kept(10, PersistentVolumeClaimVolumeSource),
  rbd: kept(11, RBDVolumeSource),
  flexVolume: kept(12, FlexVolumeSource),
  cinder: kept(13, CinderVolumeSource),
  cephfs: kept(14, CephFSVolumeSource),
  flocker: kept(15, FlockerVolumeSource),
  downwardAPI: kept(16, DownwardAPIVolumeSource),
  fc: kept(17, FCVolumeSource),
  azureFile: kept(18, AzureFileVolumeSource),
  configMap: kept(19, ConfigMapVolumeSource),
  vsphereVolume: kept(20, VsphereVirtualDiskVolumeSource),
  quobyte: kept(21, QuobyteVolumeSource),
  azureDisk: kept(22, AzureDiskVolumeSource),
  photonPersistentDisk: kept(23, PhotonPersistentDiskVolumeSource),
  projected: kept(26, ProjectedVolumeSource),
  portworxVolume: kept(24, PortworxVolumeSource),
  scaleIO: kept(25, ScaleIOVolumeSource),
  storageos: kept(27, StorageOSVolumeSource),
  csi: kept(28, CSIVolumeSource),
  ephemeral: kept(29, EphemeralVolumeSource),
})
export type VolumeSource = Static<typeof VolumeSource>

/** A named volume of a Pod. */
export const Volume = Struct('core.v1.Volume', {
  name: needed(1, Text()),
  ...inlined(2, VolumeSource),
})
export type Volume = Static<typeof Volume>
