import { type ApiObject, defineAdmission } from 'orch/sdk'
import type { StorageNames } from '../names.js'

/** Marks new claims and volumes, so that they stay as long as somebody uses them. */
export const storageObjectInUseProtection = ({ claimProtection, volumeProtection }: StorageNames) =>
  defineAdmission<ApiObject>()({
    name: 'StorageObjectInUseProtection',
    after: ['PersistentVolumeLabel', 'DefaultStorageClass'],
    phase: 'mutate',
    sideEffects: 'none',
    matches: { group: '', resource: ['persistentvolumeclaims', 'persistentvolumes'], operations: ['create'] },
    review({ resource, object: { metadata } }) {
      const finalizer = resource === 'persistentvolumes' ? volumeProtection : claimProtection
      const finalizers = metadata.finalizers ?? []
      if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer]
    },
  })
