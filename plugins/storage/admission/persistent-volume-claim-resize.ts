import { defineAdmission, reject, services } from 'orch/sdk'
import { compareAmountTexts } from 'orch/sdk/core'
import type { StorageNames } from '../names.js'
import type { PersistentVolumeClaim } from '../persistent-volume-claims/schema.js'
import { classCollection, type StorageClass } from '../storage-classes/schema.js'
import { classOf } from '../volume-class.js'

const storageOf = ({ spec }: PersistentVolumeClaim) => spec?.resources?.requests?.['storage'] ?? '0'

/** Claims can be expanded only when they are bound and their class allows it. */
export const persistentVolumeClaimResize = (names: StorageNames) =>
  defineAdmission<PersistentVolumeClaim>()({
    name: 'PersistentVolumeClaimResize',
    after: ['OwnerReferencesPermissionEnforcement', 'StorageObjectInUseProtection', 'PodGroupProtection'],
    phase: 'validate',
    sideEffects: 'none',
    matches: { group: '', resource: 'persistentvolumeclaims', operations: ['update'] },
    needs: { reader: services.reader },
    async review({ object, oldObject }, { reader }) {
      if (compareAmountTexts(storageOf(object), storageOf(oldObject)) <= 0) return
      if (oldObject.status?.phase !== 'Bound') return reject('Only bound persistent volume claims can be expanded')
      const name = classOf(object, names)
      const isSameClass = name !== '' && name === classOf(oldObject, names)
      const found = isSameClass ? await reader.get<StorageClass>(classCollection(names), '', name) : undefined
      if (found?.allowVolumeExpansion === true) return
      return reject(
        'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
      )
    },
  })
