import { definePlugin } from 'orch/sdk'
import { checkedDataSourceGroups } from 'orch/sdk/core'
import { defaultStorageClass } from './admission/default-storage-class.js'
import { persistentVolumeClaimResize } from './admission/persistent-volume-claim-resize.js'
import { persistentVolumeLabel } from './admission/persistent-volume-label.js'
import { storageObjectInUseProtection } from './admission/storage-object-in-use-protection.js'
import { volumeBinder } from './binding/controller.js'
import { csiDrivers } from './csi-drivers/resource.js'
import { csiNodes } from './csi-nodes/resource.js'
import { csiStorageCapacities } from './csi-storage-capacities/resource.js'
import {
  attachmentsForSinglePods,
  claimsAreCheckedOnce,
  differences,
  errorCodes,
  newestDefaultClass,
  classProtection as protectedClasses,
  volumesKeepGatedFields,
} from './differences.js'
import { ephemeralVolumes } from './ephemeral/controller.js'
import { storageNames } from './names.js'
import { StorageOptions, storageGates } from './options.js'
import { persistentVolumeClaims } from './persistent-volume-claims/resource.js'
import { persistentVolumes } from './persistent-volumes/resource.js'
import { claimProtection } from './protection/claim-protection.js'
import { classProtection } from './protection/class-protection.js'
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
    const rules = {
      singlePod: isEnabled('ReadWriteOncePod'),
      checkedGroups: vendor.level.has(checkedDataSourceGroups),
      checkedOnce: vendor.level.has(claimsAreCheckedOnce),
    }
    const claims = persistentVolumeClaims(names, {
      anyVolumeDataSource: isEnabled('AnyVolumeDataSource'),
      crossNamespaceVolumeDataSource: isEnabled('CrossNamespaceVolumeDataSource'),
      recoverVolumeExpansionFailure: isEnabled('RecoverVolumeExpansionFailure'),
      retroactiveDefaultClass: isEnabled('RetroactiveDefaultStorageClass'),
      ...rules,
    })
    to.resource(
      persistentVolumes(names, {
        ...rules,
        recordsTransitions: isEnabled('PersistentVolumeLastPhaseTransitionTime'),
        mutableNodeAffinity: isEnabled('MutablePVNodeAffinity'),
        attributesClasses: isEnabled('VolumeAttributesClass'),
        keepsGatedFields: vendor.level.has(volumesKeepGatedFields),
      }),
      claims,
      storageClasses(names),
    )
    to.resource(
      volumeAttachments(names, {
        ...rules,
        singlePod: rules.singlePod && vendor.level.has(attachmentsForSinglePods),
        errorCodes: vendor.level.has(errorCodes),
      }),
      csiDrivers(names, isEnabled('CSIServiceAccountTokenSecrets')),
    )
    to.resource(csiNodes(names, isEnabled('MutableCSINodeAllocatableCount'), vendor.level), csiStorageCapacities(names))
    to.resource(volumeAttributesClasses(names))
    const protectsClasses = vendor.level.has(protectedClasses) && isEnabled('VolumeAttributesClass')
    to.admission(
      defaultStorageClass(names, vendor.level.has(newestDefaultClass)),
      storageObjectInUseProtection(names, protectsClasses),
    )
    to.admission(persistentVolumeClaimResize(names), persistentVolumeLabel(names, options))
    if (isEnabled('VolumeAttributesClass')) to.controller(classProtection(names))
    to.controller(
      claimProtection(names),
      volumeProtection(names),
      volumeBinder(names, isEnabled('RetroactiveDefaultStorageClass')),
      ephemeralVolumes(names),
    )
  },
})
