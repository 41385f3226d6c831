import { defineController, services, splitKey, startControlLoop } from 'orch/sdk'
import { unlessSettled } from '../account-loops/settled-writes.js'
import type { AuthenticationNames } from '../names.js'
import { type BootstrapSecret, expirationOf } from './bootstrap-token.js'

const name = 'tokencleaner'
/** Timers cannot wait longer than this; then the loop just looks again. */
const longestWaitMs = 24 * 3_600_000

/** Deletes bootstrap tokens when they expire. Runs only when --controllers names it. */
export const tokenCleaner = ({ secrets, systemNamespace, bootstrapTokenType }: AuthenticationNames) =>
  defineController({
    name,
    enabledByDefault: false,
    needs: { client: services.client, clock: services.clock, logger: services.logger, metrics: services.metrics },
    start: given =>
      startControlLoop({
        ...given,
        name,
        sources: [
          { resource: secrets, fieldSelector: `type=${bootstrapTokenType},metadata.namespace=${systemNamespace}` },
        ],
        async reconcile(key, caches) {
          const { namespace, name: secretName } = splitKey(key)
          const secret = caches.of<BootstrapSecret>(secrets).get(namespace, secretName)
          if (!secret) return
          const leftMs = expirationOf(secret) - given.clock.now()
          if (leftMs === Number.POSITIVE_INFINITY) return
          if (leftMs > 0) return { requeueAfterMs: Math.min(leftMs, longestWaitMs) }
          const { uid } = secret.metadata
          const client = given.client.resource<BootstrapSecret>(secrets).in(namespace)
          await unlessSettled(() => client.delete(secretName, uid ? { preconditions: { uid } } : {}))
        },
      }),
  })
