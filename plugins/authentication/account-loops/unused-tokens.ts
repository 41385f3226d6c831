import type { ApiObject, Stored } from 'orch/sdk'
import { unlessLost } from 'orch/sdk/client'
import { defineControlLoop, splitKey } from 'orch/sdk/controllers'
import type { ConfigMap, Pod, Secret } from 'orch/sdk/core'
import { dayOf } from '../account-tokens/secret-token-use.js'
import { secretsOf } from '../admission/pod-secrets.js'
import type { AuthenticationNames } from '../names.js'
import type { StoredServiceAccount } from '../service-accounts/schema.js'
import { isTokenOf } from './token-secret.js'

/** A token that was unused for this long is invalidated; after as long again its Secret is deleted. */
const unusedMs = 365 * 24 * 3_600_000
/** Labels have a resolution of days. */
const recheckMs = 24 * 3_600_000
const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

/**
 * Marks automatically created token Secrets as invalid once their token has been unused for long, and deletes them
 * later.
 */
export const unusedTokensLoop = (names: AuthenticationNames) => {
  const { secrets, accounts, pods, configMaps, systemNamespace, trackedSinceConfigMap, invalidSinceLabel } = names
  return defineControlLoop({
    name: 'legacy-serviceaccount-token-cleaner',
    account: 'legacy-service-account-token-cleaner',
    since: '1.29',
    rules: [
      { verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: [trackedSinceConfigMap] },
      { verbs: ['delete', 'patch'], apiGroups: [''], resources: ['secrets'] },
    ],
    async setUp({ client, clock }) {
      // Without Pods, no Secret is mounted.
      const hasPods = (await client.kinds()).find('Pod', 'v1') !== undefined
      return {
        sources: [
          { resource: secrets, fieldSelector: `type=${names.tokenSecretType}` },
          { resource: accounts, keys: () => [] },
          ...(hasPods ? [{ resource: pods, keys: () => [] }] : []),
        ],
        async reconcile(key, caches) {
          const { namespace, name: secretName } = splitKey(key)
          const secret = caches.of<Stored<Secret>>(secrets).get(namespace, secretName)
          if (!secret || secret.metadata.deletionTimestamp) return undefined
          const later = { requeueAfterMs: recheckMs }
          const now = clock.now()
          const { creationTimestamp = '', labels = {}, resourceVersion, uid } = secret.metadata
          const unusedSince = now - unusedMs
          const lastUsed = labels[names.lastUsedLabel]
          if (Date.parse(creationTimestamp) >= unusedSince) return later
          if (lastUsed !== undefined && (!isDay(lastUsed) || lastUsed >= dayOf(unusedSince))) return later
          const account = caches
            .of<StoredServiceAccount & ApiObject>(accounts)
            .get(namespace, secret.metadata.annotations?.[names.accountName] ?? '')
          // Only a Secret that its account lists was generated automatically.
          const isAutomatic =
            account && isTokenOf(secret, account, names) && (account.secrets ?? []).some(one => one.name === secretName)
          if (!isAutomatic || (hasPods && isMounted(caches.of<Stored<Pod>>(pods).list(namespace), secretName)))
            return later
          const tracked = await client
            .resource<Stored<ConfigMap>>(configMaps)
            .in(systemNamespace)
            .find(trackedSinceConfigMap)
          const since = tracked?.data?.['since']
          // Uses before tracking started are unknown.
          if (!isDay(since) || Date.parse(since) > unusedSince) return later
          const invalidSince = labels[invalidSinceLabel]
          const collection = client.resource<Stored<Secret>>(secrets).in(namespace)
          if (!isDay(invalidSince)) {
            const patch = { metadata: { uid, labels: { [invalidSinceLabel]: dayOf(now) } } }
            await unlessLost(collection.patch(secretName, patch))
          } else if (invalidSince < dayOf(unusedSince)) {
            await unlessLost(collection.delete(secretName, { preconditions: { resourceVersion } }))
          }
          return later
        },
      }
    },
  })
}

const isMounted = (pods: readonly Stored<Pod>[], secret: string): boolean =>
  pods.some(pod => secretsOf(pod).some(({ name }) => name === secret))
