import type { Stored } from 'orch/sdk'
import { unlessLost } from 'orch/sdk/client'
import { defineControlLoop, splitKey } from 'orch/sdk/controllers'
import type { Secret } from 'orch/sdk/core'
import type { AuthenticationNames } from '../names.js'
import { expirationOf } from './bootstrap-token.js'

const name = 'tokencleaner'
/** Keeps the delay within the range of timers; the loop then checks again. */
const maxWaitMs = 24 * 3_600_000

/** Deletes bootstrap tokens when they expire. Runs only when --controllers names it. */
export const tokenCleaner = ({ secrets, systemNamespace, bootstrapTokenType, recordEvents }: AuthenticationNames) =>
  defineControlLoop({
    name,
    account: 'token-cleaner',
    rules: [
      {
        verbs: ['delete', 'get', 'list', 'watch'],
        apiGroups: [''],
        resources: ['secrets'],
        namespace: systemNamespace,
      },
      { ...recordEvents, namespace: systemNamespace },
    ],
    enabledByDefault: false,
    sources: [{ resource: secrets, fieldSelector: `type=${bootstrapTokenType},metadata.namespace=${systemNamespace}` }],
    async reconcile(key, caches, given) {
      const { namespace, name: secretName } = splitKey(key)
      const secret = caches.of<Stored<Secret>>(secrets).get(namespace, secretName)
      if (!secret) return
      const leftMs = expirationOf(secret) - given.clock.now()
      if (leftMs === Number.POSITIVE_INFINITY) return
      if (leftMs > 0) return { requeueAfterMs: Math.min(leftMs, maxWaitMs) }
      const { uid } = secret.metadata
      const client = given.client.resource<Stored<Secret>>(secrets).in(namespace)
      await unlessLost(client.delete(secretName, uid ? { preconditions: { uid } } : {}))
    },
  })
