import { definePlugin } from 'orch/sdk'
import { defaultStorageClass } from './admission/default-storage-class.js'
import { persistentVolumeClaimResize } from './admission/persistent-volume-claim-resize.js'
import { persistentVolumeLabel } from './admission/persistent-volume-label.js'
import { storageObjectInUseProtection } from './admission/storage-object-in-use-protection.js'
import { volumeBinder } from './binding/controller.js'
import { csiDrivers } from './csi-drivers/resource.js'
import { csiNodes } from './csi-nodes/resource.js'
import { csiStorageCapacities } from './csi-storage-capacities/resource.js'
import { differences } from './differences.js'
import { ephemeralVolumes } from './ephemeral/controller.js'
import { storageNames } from './names.js'
import { StorageOptions, storageGates } from './options.js'
import { persistentVolumeClaims } from './persistent-volume-claims/resource.js'
import { persistentVolumes } from './persistent-volumes/resource.js'
import { claimProtection } from './protection/claim-protection.js'
import { volumeProtection } from './protection/volume-protection.js'
import { storageClasses } from './storage-classes/resource.js'
import { volumeAttachments } from './volume-attachments/resource.js'
import { volumeAttributesClasses } from './volume-attributes-classes/resource.js'

export { conformance } from './conformance.js'

export const storage = definePlugin({
  name: 'storage',
  differences,
  requires: ['namespaces', 'workloads'],
  gates: storageGates,
  options: StorageOptions,
  register(to, { vendor, options, isEnabled }) {
    const names = storageNames(vendor)
    const claims = persistentVolumeClaims(names, {
      anyVolumeDataSource: isEnabled('AnyVolumeDataSource'),
      recoverVolumeExpansionFailure: isEnabled('RecoverVolumeExpansionFailure'),
    })
    to.resource(
      persistentVolumes(names, isEnabled('PersistentVolumeLastPhaseTransitionTime')),
      claims,
      storageClasses(names),
    )
    to.resource(volumeAttachments(names), csiDrivers(names), csiNodes(names), csiStorageCapacities(names))
    to.resource(volumeAttributesClasses(names))
    to.admission(defaultStorageClass(names), storageObjectInUseProtection(names))
    to.admission(persistentVolumeClaimResize(names), persistentVolumeLabel(names, options))
    to.controller(claimProtection(names), volumeProtection(names), volumeBinder(names), ephemeralVolumes(names))
  },
})
