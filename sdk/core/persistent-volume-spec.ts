import { field, inlined, kept, ListOf, MapOf, Quantity, type Static, Struct, Text } from '../schema.js'
import { VolumeNodeAffinity } from './node-selector.js'
import {
  AzureFilePersistentVolumeSource,
  CephFSPersistentVolumeSource,
  CinderPersistentVolumeSource,
  CSIPersistentVolumeSource,
  FlexPersistentVolumeSource,
  GlusterfsPersistentVolumeSource,
  ISCSIPersistentVolumeSource,
  LocalVolumeSource,
  RBDPersistentVolumeSource,
  ScaleIOPersistentVolumeSource,
  StorageOSPersistentVolumeSource,
} from './persistent-volume-sources.js'
import { ObjectReference } from './references.js'
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

/** The sources a PersistentVolume may have: exactly one is set. */
export const PersistentVolumeSource = Struct('core.v1.PersistentVolumeSource', {
  gcePersistentDisk: kept(1, GCEPersistentDiskVolumeSource),
  awsElasticBlockStore: kept(2, AWSElasticBlockStoreVolumeSource),
  hostPath: kept(3, HostPathVolumeSource),
  glusterfs: kept(4, GlusterfsPersistentVolumeSource),
  nfs: kept(5, NFSVolumeSource),
  rbd: kept(6, RBDPersistentVolumeSource),
  iscsi: kept(7, ISCSIPersistentVolumeSource),
  cinder: kept(8, CinderPersistentVolumeSource),
  cephfs: kept(9, CephFSPersistentVolumeSource),
  fc: kept(10, FCVolumeSource),
  flocker: kept(11, FlockerVolumeSource),
  flexVolume: kept(12, FlexPersistentVolumeSource),
  azureFile: kept(13, AzureFilePersistentVolumeSource),
  vsphereVolume: kept(14, VsphereVirtualDiskVolumeSource),
  quobyte: kept(15, QuobyteVolumeSource),
  azureDisk: kept(16, AzureDiskVolumeSource),
  photonPersistentDisk: kept(17, PhotonPersistentDiskVolumeSource),
  portworxVolume: kept(18, PortworxVolumeSource),
  scaleIO: kept(19, ScaleIOPersistentVolumeSource),
  local: kept(20, LocalVolumeSource),
  storageos: kept(21, StorageOSPersistentVolumeSource),
  csi: kept(22, CSIPersistentVolumeSource),
})
export type PersistentVolumeSource = Static<typeof PersistentVolumeSource>

/** A piece of storage and who may use it. */
export const PersistentVolumeSpec = Struct('core.v1.PersistentVolumeSpec', {
  capacity: field(1, MapOf(Quantity())),
  ...inlined(2, PersistentVolumeSource),
  accessModes: field(3, ListOf(Text())),
  claimRef: kept(4, ObjectReference),
  persistentVolumeReclaimPolicy: field(5, Text()),
  storageClassName: field(6, Text()),
  mountOptions: field(7, ListOf(Text())),
  volumeMode: kept(8, Text()),
  nodeAffinity: kept(9, VolumeNodeAffinity),
})
export type PersistentVolumeSpec = Static<typeof PersistentVolumeSpec>
