import { defineController, services, startControlLoop } from 'orch/sdk'
import type { StorageNames } from '../names.js'
import { type PersistentVolume, volumeCollection } from '../persistent-volumes/schema.js'
import { keepFinalizer } from './keep-finalizer.js'

const name = 'pv-protection'

/** A deleted volume stays as long as it is bound to a claim. */
export const volumeProtection = ({ volumeProtection: finalizer }: StorageNames) =>
  defineController({
    name,
    needs: { client: services.client, clock: services.clock, logger: services.logger, metrics: services.metrics },
    start: runtime =>
      startControlLoop({
        ...runtime,
        name,
        sources: [{ resource: volumeCollection }],
        async reconcile(volumeName, caches) {
          const volume = caches.of<PersistentVolume>(volumeCollection).get('', volumeName)
          if (!volume) return
          const volumes = runtime.client.resource<PersistentVolume>(volumeCollection)
          await keepFinalizer(volume, finalizer, volumes, () => volume.status?.phase === 'Bound')
        },
      }),
  })
