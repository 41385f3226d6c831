import { field, inlined, kept, ListOf, MapOf, Quantity, type Static, Struct, Text } from '../resource/schema.js'
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
export const PersistentVolumeSource = Struct(
  'core.v1.PersistentVolumeSource',
  {
    gcePersistentDisk: kept(1, GCEPersistentDiskVolumeSource, 'A disk of Google Compute Engine.'),
    awsElasticBlockStore: kept(2, AWSElasticBlockStoreVolumeSource, 'An AWS EBS disk.'),
    hostPath: kept(3, HostPathVolumeSource, 'A file or folder of the node. Use it only where Pods are trusted.'),
    glusterfs: kept(4, GlusterfsPersistentVolumeSource, 'A volume of Glusterfs.'),
    nfs: kept(5, NFSVolumeSource, 'A share of an NFS server.'),
    rbd: kept(6, RBDPersistentVolumeSource, 'A block device of Ceph.'),
    iscsi: kept(7, ISCSIPersistentVolumeSource, 'A disk of an iSCSI server.'),
    cinder: kept(8, CinderPersistentVolumeSource, 'A volume of OpenStack.'),
    cephfs: kept(9, CephFSPersistentVolumeSource, 'A Ceph file system.'),
    fc: kept(10, FCVolumeSource, 'A disk of a Fibre Channel network.'),
    flocker: kept(11, FlockerVolumeSource, 'A volume of Flocker.'),
    flexVolume: kept(12, FlexPersistentVolumeSource, 'A volume of a flex driver.'),
    azureFile: kept(13, AzureFilePersistentVolumeSource, 'A file share of Azure.'),
    vsphereVolume: kept(14, VsphereVirtualDiskVolumeSource, 'A vSphere disk.'),
    quobyte: kept(15, QuobyteVolumeSource, 'A volume of Quobyte.'),
    azureDisk: kept(16, AzureDiskVolumeSource, 'An Azure disk.'),
    photonPersistentDisk: kept(17, PhotonPersistentDiskVolumeSource, 'A Photon disk.'),
    portworxVolume: kept(18, PortworxVolumeSource, 'A volume of Portworx.'),
    scaleIO: kept(19, ScaleIOPersistentVolumeSource, 'A volume of ScaleIO.'),
    local: kept(20, LocalVolumeSource, 'A disk or folder of one node.'),
    storageos: kept(21, StorageOSPersistentVolumeSource, 'A volume of StorageOS.'),
    csi: kept(22, CSIPersistentVolumeSource, 'A volume of a storage driver.'),
  },
  { description: 'Where the volume is. Exactly one is given.' },
)
export type PersistentVolumeSource = Static<typeof PersistentVolumeSource>

/** A piece of storage and the claim that may use it. */
export const PersistentVolumeSpec = Struct(
  'core.v1.PersistentVolumeSpec',
  {
    capacity: field(1, MapOf(Quantity()), 'Capacity of the volume, by resource.'),
    ...inlined(2, PersistentVolumeSource),
    accessModes: field(
      3,
      ListOf(Text()),
      'How it can be mounted: ReadWriteOnce, ReadOnlyMany, ReadWriteMany or ReadWriteOncePod.',
    ),
    claimRef: kept(4, ObjectReference, {
      description: 'The claim that it is bound to.',
      revised: [{ since: '1.25', to: { isGranular: true } }],
    }),
    persistentVolumeReclaimPolicy: field(
      5,
      Text(),
      'What happens to it when its claim is deleted: Retain, Delete or Recycle (deprecated).',
    ),
    storageClassName: field(6, Text(), 'Storage class that it belongs to. Empty means none.'),
    mountOptions: field(7, ListOf(Text()), 'Options for mounting it. They are not checked.'),
    volumeMode: kept(8, Text(), 'Filesystem (the default) or Block.'),
    nodeAffinity: kept(9, VolumeNodeAffinity, 'From which nodes it can be reached.'),
    volumeAttributesClassName: kept(10, Text(), {
      description: 'Class of the attributes that it has. It can be changed; empty means none.',
      since: '1.29',
      gate: 'VolumeAttributesClass',
    }),
  },
  { description: 'Specification of a volume.' },
)
export type PersistentVolumeSpec = Static<typeof PersistentVolumeSpec>
