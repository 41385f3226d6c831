import { type ApiObject, defineController, services, startControlLoop } from 'orch/sdk'
import { unlessSettled } from '../account-loops/settled-writes.js'
import type { AuthenticationNames } from '../names.js'
import { isSameTexts } from '../same-texts.js'
import { type BootstrapSecret, expirationOf } from './bootstrap-token.js'
import { withSignatures } from './cluster-info-signatures.js'

const name = 'bootstrapsigner'
const clusterInfo = 'cluster-info'
const longestWaitMs = 24 * 3_600_000

interface ConfigMap extends ApiObject {
  data?: Record<string, string>
}

/**
 * Signs the cluster information that anybody may read with every bootstrap token that allows it, so that who knows a token
 * can trust it. Runs only when --controllers names it.
 */
export const bootstrapSigner = (names: AuthenticationNames) =>
  defineController({
    name,
    enabledByDefault: false,
    needs: { client: services.client, clock: services.clock, logger: services.logger, metrics: services.metrics },
    start: given =>
      startControlLoop({
        ...given,
        name,
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
        async reconcile(_key, caches) {
          const stored = caches.of<ConfigMap>(names.configMaps).get(names.publicNamespace, clusterInfo)
          if (!stored) return
          const secrets = caches.of<BootstrapSecret>(names.secrets).list(names.systemNamespace)
          const now = given.clock.now()
          const data = withSignatures(stored.data ?? {}, secrets, now)
          if (!isSameTexts(data, stored.data ?? {})) {
            const client = given.client.resource<ConfigMap>(names.configMaps).in(names.publicNamespace)
            await unlessSettled(() => client.update({ ...stored, data }))
          }
          // An expired token must not go on vouching, even where nobody deletes it.
          const next = Math.min(...secrets.map(expirationOf).filter(time => time > now))
          return next === Number.POSITIVE_INFINITY ? undefined : { requeueAfterMs: Math.min(next - now, longestWaitMs) }
        },
      }),
  })
