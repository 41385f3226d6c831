import { inlined, kept, required, type Static, Struct, Text } from '../resource/schema.js'
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
  ImageVolumeSource,
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
export const VolumeSource = Struct(
  'core.v1.VolumeSource',
  {
    hostPath: kept(1, HostPathVolumeSource, 'A file or folder of the node. Use it only where Pods are trusted.'),
    emptyDir: kept(2, EmptyDirVolumeSource, 'An empty folder that lives as long as the Pod.'),
    gcePersistentDisk: kept(3, GCEPersistentDiskVolumeSource, 'A disk of Google Compute Engine.'),
    awsElasticBlockStore: kept(4, AWSElasticBlockStoreVolumeSource, 'An AWS EBS disk.'),
    gitRepo: kept(5, GitRepoVolumeSource, 'The contents of a Git repository. Deprecated.'),
    secret: kept(6, SecretVolumeSource, 'The data of a Secret, as files.'),
    nfs: kept(7, NFSVolumeSource, 'A share of an NFS server.'),
    iscsi: kept(8, ISCSIVolumeSource, 'A disk of an iSCSI server.'),
    glusterfs: kept(9, GlusterfsVolumeSource, 'A volume of Glusterfs.'),
    persistentVolumeClaim: kept(10, PersistentVolumeClaimVolumeSource, 'The volume of a claim of the namespace.'),
    rbd: kept(11, RBDVolumeSource, 'A block device of Ceph.'),
    flexVolume: kept(12, FlexVolumeSource, 'A volume of a flex driver.'),
    cinder: kept(13, CinderVolumeSource, 'A volume of OpenStack.'),
    cephfs: kept(14, CephFSVolumeSource, 'A Ceph file system.'),
    flocker: kept(15, FlockerVolumeSource, 'A volume of Flocker.'),
    downwardAPI: kept(16, DownwardAPIVolumeSource, 'Fields of the Pod, as files.'),
    fc: kept(17, FCVolumeSource, 'A disk of a Fibre Channel network.'),
    azureFile: kept(18, AzureFileVolumeSource, 'A file share of Azure.'),
    configMap: kept(19, ConfigMapVolumeSource, 'The data of a ConfigMap, as files.'),
    vsphereVolume: kept(20, VsphereVirtualDiskVolumeSource, 'A vSphere disk.'),
    quobyte: kept(21, QuobyteVolumeSource, 'A volume of Quobyte.'),
    azureDisk: kept(22, AzureDiskVolumeSource, 'An Azure disk.'),
    photonPersistentDisk: kept(23, PhotonPersistentDiskVolumeSource, 'A Photon disk.'),
    projected: kept(26, ProjectedVolumeSource, 'Several sources in one folder.'),
    portworxVolume: kept(24, PortworxVolumeSource, 'A volume of Portworx.'),
    scaleIO: kept(25, ScaleIOVolumeSource, 'A volume of ScaleIO.'),
    storageos: kept(27, StorageOSVolumeSource, 'A volume of StorageOS.'),
    csi: kept(28, CSIVolumeSource, 'A volume of a storage driver.'),
    ephemeral: kept(29, EphemeralVolumeSource, 'A volume from a claim that lives as long as the Pod.'),
    image: kept(30, ImageVolumeSource, { description: 'The files of an image, read-only.', since: '1.31' }),
  },
  { description: 'Where the volume is. Exactly one is given.' },
)
export type VolumeSource = Static<typeof VolumeSource>

/** A named volume of a Pod. */
export const Volume = Struct(
  'core.v1.Volume',
  {
    name: required(1, Text(), 'Name of the volume, unique in the Pod.'),
    ...inlined(2, VolumeSource),
  },
  { description: 'A volume that containers of a Pod may mount.' },
)
export type Volume = Static<typeof Volume>
