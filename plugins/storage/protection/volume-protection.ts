import { defineControlLoop } from 'orch/sdk/controllers'
import type { StorageNames } from '../names.js'
import { type PersistentVolume, volumeCollection } from '../persistent-volumes/schema.js'
import { keepFinalizer } from './keep-finalizer.js'

const name = 'pv-protection'

/** A deleted volume is kept while it is bound to a claim. */
export const volumeProtection = ({ volumeProtection: finalizer, recordEvents }: StorageNames) =>
  defineControlLoop({
    name,
    account: 'pv-protection-controller',
    rules: [
      { verbs: ['get', 'list', 'update', 'watch'], apiGroups: [''], resources: ['persistentvolumes'] },
      recordEvents,
    ],
    sources: [{ resource: volumeCollection }],
    async reconcile(volumeName, caches, runtime) {
      const volume = caches.of<PersistentVolume>(volumeCollection).get('', volumeName)
      if (!volume) return
      const volumes = runtime.client.resource<PersistentVolume>(volumeCollection)
      await keepFinalizer(volume, finalizer, volumes, () => volume.status?.phase === 'Bound')
    },
  })
