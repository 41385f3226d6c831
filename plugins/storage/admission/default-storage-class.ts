import { defineAdmission, reject, services } from 'orch/sdk'
import type { StorageNames } from '../names.js'
import type { PersistentVolumeClaim } from '../persistent-volume-claims/schema.js'
import { isDefaultClass } from '../storage-classes/default-class.js'
import { classCollection, type StorageClass } from '../storage-classes/schema.js'
import { namesClass } from '../volume-class.js'

/** Gives a new claim that says nothing about its class the class that is marked as default. */
export const defaultStorageClass = (names: StorageNames) =>
  defineAdmission<PersistentVolumeClaim>()({
    name: 'DefaultStorageClass',
    phase: 'mutate',
    sideEffects: 'none',
    matches: { group: '', resource: 'persistentvolumeclaims', operations: ['create'] },
    needs: { reader: services.reader },
    async review({ object }, { reader }) {
      if (namesClass(object, names)) return
      // Straight from the store: a class that was just made counts.
      const classes = await reader.list<StorageClass>(classCollection(names))
      const defaults = classes.filter(storageClass => isDefaultClass(storageClass, names))
      if (defaults.length > 1) return reject(`${defaults.length} default StorageClasses were found`)
      const name = defaults[0]?.metadata?.name
      if (name !== undefined) object.spec = { ...object.spec, storageClassName: name }
    },
  })
