import type { ConformanceSamples, Vendor } from 'orch/sdk'
import type { CSIDriver } from './csi-drivers/schema.js'
import type { CSINode } from './csi-nodes/schema.js'
import type { CSIStorageCapacity } from './csi-storage-capacities/schema.js'
import { storageNames } from './names.js'
import type { PersistentVolumeClaim } from './persistent-volume-claims/schema.js'
import type { PersistentVolume } from './persistent-volumes/schema.js'
import type { StorageClass } from './storage-classes/schema.js'
import type { VolumeAttachment } from './volume-attachments/schema.js'
import type { VolumeAttributesClass } from './volume-attributes-classes/schema.js'

/** Samples for `orch conformance`. */
export function conformance(vendor: Vendor): ConformanceSamples {
  const { group } = storageNames(vendor)
  return {
    samples: {
      persistentvolumes: {
        valid: (): PersistentVolume => ({
          spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/data' } },
        }),
        invalid: {
          'no source': (object: PersistentVolume) => {
            delete object.spec?.hostPath
          },
          'two sources': (object: PersistentVolume) => {
            object.spec = { ...object.spec, nfs: { server: 'a', path: '/' } }
          },
          'a capacity without storage': (object: PersistentVolume) => {
            object.spec = { ...object.spec, capacity: { cpu: '1' } }
          },
        },
        update: (object: PersistentVolume) => {
          object.spec = { ...object.spec, persistentVolumeReclaimPolicy: 'Delete' }
        },
      },
      persistentvolumeclaims: {
        valid: (): PersistentVolumeClaim => ({
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: '' },
        }),
        invalid: {
          'no storage': (object: PersistentVolumeClaim) => {
            object.spec = { ...object.spec, resources: {} }
          },
          'an unknown access mode': (object: PersistentVolumeClaim) => {
            object.spec = { ...object.spec, accessModes: ['Sometimes'] }
          },
        },
        update: (object: PersistentVolumeClaim) => {
          object.spec = { ...object.spec, volumeName: 'chosen' }
        },
      },
      [`storageclasses.${group}`]: {
        valid: (): StorageClass => ({ provisioner: 'example.com/disks' }),
        invalid: {
          'no provisioner': (object: StorageClass) => {
            object.provisioner = ''
          },
          'a reclaim policy that classes cannot have': (object: StorageClass) => {
            object.reclaimPolicy = 'Recycle'
          },
        },
        update: (object: StorageClass) => {
          object.allowVolumeExpansion = true
        },
      },
      [`volumeattributesclasses.${group}`]: {
        valid: (): VolumeAttributesClass => ({ driverName: 'csi.example.com', parameters: { tier: 'gold' } }),
        invalid: {
          'no driver': (object: VolumeAttributesClass) => {
            object.driverName = ''
          },
          'no parameters': (object: VolumeAttributesClass) => {
            object.parameters = {}
          },
        },
        update: (object: VolumeAttributesClass) => {
          object.metadata = { ...object.metadata, labels: { tier: 'gold' } }
        },
      },
      [`volumeattachments.${group}`]: {
        valid: (): VolumeAttachment => ({
          spec: { attacher: 'csi.example.com', nodeName: 'north', source: { persistentVolumeName: 'data' } },
        }),
        invalid: {
          'nothing to attach': (object: VolumeAttachment) => {
            object.spec.source = {}
          },
          'no node': (object: VolumeAttachment) => {
            object.spec.nodeName = ''
          },
        },
      },
      [`csidrivers.${group}`]: {
        valid: (): CSIDriver => ({ spec: {} }),
        invalid: {
          'an unknown lifecycle': (object: CSIDriver) => {
            object.spec.volumeLifecycleModes = ['Forever']
          },
          'a token that expires too soon': (object: CSIDriver) => {
            object.spec.tokenRequests = [{ audience: 'a', expirationSeconds: 1 }]
          },
        },
        update: (object: CSIDriver) => {
          object.spec.storageCapacity = true
        },
      },
      [`csinodes.${group}`]: {
        valid: (): CSINode => ({
          spec: { drivers: [{ name: 'csi.example.com', nodeID: 'north', topologyKeys: ['zone'] }] },
        }),
        invalid: {
          'a driver without a node': (object: CSINode) => {
            object.spec.drivers = [{ name: 'csi.example.com', nodeID: '' }]
          },
        },
        update: (object: CSINode) => {
          object.spec.drivers = []
        },
      },
      [`csistoragecapacities.${group}`]: {
        valid: (): CSIStorageCapacity => ({ storageClassName: 'fast', capacity: '5Gi' }),
        invalid: {
          'no class': (object: CSIStorageCapacity) => {
            object.storageClassName = ''
          },
          'a negative capacity': (object: CSIStorageCapacity) => {
            object.capacity = '-1'
          },
        },
        update: (object: CSIStorageCapacity) => {
          object.capacity = '4Gi'
        },
      },
    },
  }
}
