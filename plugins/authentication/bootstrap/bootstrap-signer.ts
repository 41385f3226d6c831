import type { Stored } from 'orch/sdk'
import { unlessLost } from 'orch/sdk/client'
import { defineControlLoop } from 'orch/sdk/controllers'
import type { ConfigMap, Secret } from 'orch/sdk/core'
import type { AuthenticationNames } from '../names.js'
import { isSameTexts } from '../same-texts.js'
import { expirationOf } from './bootstrap-token.js'
import { withSignatures } from './cluster-info-signatures.js'

const name = 'bootstrapsigner'
const clusterInfo = 'cluster-info'
const longestWaitMs = 24 * 3_600_000

/**
 * Signs the cluster information that anybody may read with every bootstrap token that allows it, so that who knows a token
 * can trust it. Runs only when --controllers names it.
 */
export const bootstrapSigner = (names: AuthenticationNames) =>
  defineControlLoop({
    name,
    account: 'bootstrap-signer',
    rules: [
      { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['secrets'], namespace: names.systemNamespace },
      { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['configmaps'], namespace: names.publicNamespace },
      {
        verbs: ['update'],
        apiGroups: [''],
        resources: ['configmaps'],
        resourceNames: [clusterInfo],
        namespace: names.publicNamespace,
      },
      { ...names.recordEvents, namespace: names.publicNamespace },
    ],
    enabledByDefault: false,
    sources: [
      {
        resource: names.configMaps,
        fieldSelector: `metadata.name=${clusterInfo},metadata.namespace=${names.publicNamespace}`,
        keys: () => [clusterInfo],
      },
      {
        resource: names.secrets,
        fieldSelector: `type=${names.bootstrapTokenType},metadata.namespace=${names.systemNamespace}`,
        keys: () => [clusterInfo],
      },
    ],
    async reconcile(_key, caches, given) {
      const stored = caches.of<Stored<ConfigMap>>(names.configMaps).get(names.publicNamespace, clusterInfo)
      if (!stored) return
      const secrets = caches.of<Stored<Secret>>(names.secrets).list(names.systemNamespace)
      const now = given.clock.now()
      const data = withSignatures(stored.data ?? {}, secrets, now)
      if (!isSameTexts(data, stored.data ?? {})) {
        const client = given.client.resource<Stored<ConfigMap>>(names.configMaps).in(names.publicNamespace)
        await unlessLost(client.update({ ...stored, data }))
      }
      // An expired token must not go on vouching, even where nobody deletes it.
      const expirations = secrets.map(expirationOf).filter(time => time > now)
      const next = expirations.reduce((first, time) => Math.min(first, time), Number.POSITIVE_INFINITY)
      return next === Number.POSITIVE_INFINITY ? undefined : { requeueAfterMs: Math.min(next - now, longestWaitMs) }
    },
  })
