import { defineAdmission, reject, services } from 'orch/sdk'
import type { StorageNames } from '../names.js'
import type { PersistentVolumeClaim } from '../persistent-volume-claims/schema.js'
import { isDefaultClass, newestClass } from '../storage-classes/default-class.js'
import { classCollection, type StorageClass } from '../storage-classes/schema.js'
import { namesClass } from '../volume-class.js'

/** Sets the default class on a new claim that does not name one. */
export const defaultStorageClass = (names: StorageNames, newestWins: boolean) =>
  defineAdmission<PersistentVolumeClaim>()({
    name: 'DefaultStorageClass',
    after: ['ExtendedResourceToleration', 'PersistentVolumeLabel'],
    phase: 'mutate',
    sideEffects: 'none',
    matches: { group: '', resource: 'persistentvolumeclaims', operations: ['create'] },
    needs: { caches: services.caches },
    async review({ object }, { caches }) {
      if (namesClass(object, names)) return
      const classes = caches.of<StorageClass>(classCollection(names))
      if (!classes.isReady) await classes.ready()
      classes.addIndex('isDefault', storageClass => [String(isDefaultClass(storageClass, names))])
      const defaults = classes.indexed('isDefault', 'true')
      if (defaults.length > 1 && !newestWins) return reject(`${defaults.length} default StorageClasses were found`)
      const name = newestClass(defaults)?.metadata?.name
      if (name !== undefined) object.spec = { ...object.spec, storageClassName: name }
    },
  })
