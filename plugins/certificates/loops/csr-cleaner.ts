import { defineController, services, startControlLoop } from 'orch/sdk'
import type { CertificateSigningRequest } from '../certificate-signing-requests/schema.js'
import type { CertificateNames } from '../names.js'
import { removalTime } from './removal-time.js'
import { settledWrite } from './settled-write.js'

/** Removes requests that are of no more use. */
export const csrCleaner = (names: CertificateNames) =>
  defineController({
    name: 'csrcleaner',
    needs: { client: services.client, clock: services.clock, logger: services.logger, metrics: services.metrics },
    start: runtime =>
      startControlLoop({
        ...runtime,
        name: 'csrcleaner',
        sources: [{ resource: names.requests }],
        reconcile: async (name, caches) => {
          const request = caches.of<CertificateSigningRequest>(names.requests).get('', name)
          if (!request) return
          const restMs = removalTime(request) - runtime.clock.now()
          if (restMs > 0) return { requeueAfterMs: restMs }
          // Only what was judged is removed: a request that changed meanwhile is looked at again.
          const { uid = '', resourceVersion = '' } = request.metadata ?? {}
          const preconditions = { uid, resourceVersion }
          await settledWrite(() => runtime.client.resource(names.requests).delete(name, { preconditions }))
          return
        },
      }),
  })
