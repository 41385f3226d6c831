import { type ApiObject, defineAdmission } from 'orch/sdk'
import type { StorageNames } from '../names.js'

/** Adds a finalizer to new claims, volumes and attributes classes, so that they are kept while they are in use. */
export const storageObjectInUseProtection = (
  { group, claimProtection, volumeProtection, classProtection }: StorageNames,
  protectsClasses: boolean,
) => {
  const finalizers: Readonly<Record<string, string>> = {
    persistentvolumeclaims: claimProtection,
    persistentvolumes: volumeProtection,
    volumeattributesclasses: classProtection,
  }
  return defineAdmission<ApiObject>()({
    name: 'StorageObjectInUseProtection',
    after: ['PersistentVolumeLabel', 'DefaultStorageClass'],
    phase: 'mutate',
    sideEffects: 'none',
    matches: [
      { group: '', resource: ['persistentvolumeclaims', 'persistentvolumes'], operations: ['create'] },
      ...(protectsClasses ? [{ group, resource: 'volumeattributesclasses', operations: ['create' as const] }] : []),
    ],
    review({ resource, object: { metadata } }) {
      const finalizer = finalizers[resource] ?? claimProtection
      const known = metadata.finalizers ?? []
      if (!known.includes(finalizer)) metadata.finalizers = [...known, finalizer]
    },
  })
}
