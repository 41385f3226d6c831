import { unlessLost } from 'orch/sdk/client'
import { defineControlLoop } from 'orch/sdk/controllers'
import type { CertificateSigningRequest } from '../certificate-signing-requests/schema.js'
import type { CertificateNames } from '../names.js'
import { certificateAccount } from './account.js'
import { removalTime } from './removal-time.js'

/** Deletes requests that are no longer needed. */
export const csrCleaner = (names: CertificateNames) =>
  defineControlLoop({
    name: 'csrcleaner',
    ...certificateAccount(names),
    sources: [{ resource: names.requests }],
    reconcile: async (name, caches, runtime) => {
      const request = caches.of<CertificateSigningRequest>(names.requests).get('', name)
      if (!request) return
      const restMs = removalTime(request) - runtime.clock.now()
      if (restMs > 0) return { requeueAfterMs: restMs }
      // Only the checked version is removed: a request that changed meanwhile is checked again.
      const { uid = '', resourceVersion = '' } = request.metadata ?? {}
      const preconditions = { uid, resourceVersion }
      await unlessLost(runtime.client.resource(names.requests).delete(name, { preconditions }), 'Conflict', 'NotFound')
      return
    },
  })
