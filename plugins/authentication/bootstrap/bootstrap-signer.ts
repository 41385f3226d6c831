import { createHmac } from 'node:crypto'
import type { Stored } from 'orch/sdk'
import { unlessLost } from 'orch/sdk/client'
import { defineControlLoop } from 'orch/sdk/controllers'
import type { ConfigMap, Secret } from 'orch/sdk/core'
import type { AuthenticationNames } from '../names.js'
import { isSameTexts } from '../same-texts.js'
import { expirationOf, isUsableFor, tokenOf } from './bootstrap-token.js'

const signaturePrefix = 'jws-kubeconfig-'
/** Key of the payload that is signed. */
const payloadKey = 'kubeconfig'

/**
 * A detached JWS over a text: `header..signature`. To verify it, a holder of the token puts the payload (base64url,
 * without `=`) between the dots and checks HS256 with the whole token as the secret.
 */
function detachedSignature(payload: string, tokenId: string, token: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid: tokenId })).toString('base64url')
  const signed = `${header}.${Buffer.from(payload).toString('base64url')}`
  return `${header}..${createHmac('sha256', token).update(signed).digest('base64url')}`
}

/** The data of the cluster-info ConfigMap with exactly one signature for each token that may sign. */
function withSignatures(
  data: Readonly<Record<string, string>>,
  secrets: readonly Secret[],
  now: number,
): Record<string, string> {
  const rest = Object.entries(data).filter(([key]) => !key.startsWith(signaturePrefix))
  const payload = data[payloadKey]
  if (payload === undefined) return Object.fromEntries(rest)
  const signatures = secrets.flatMap(secret => {
    const known = tokenOf(secret)
    const isSigning = known && isUsableFor(secret, 'signing') && expirationOf(secret) > now
    return isSigning ? [[`${signaturePrefix}${known.id}`, detachedSignature(payload, known.id, known.token)]] : []
  })
  return Object.fromEntries([...rest, ...signatures])
}

const name = 'bootstrapsigner'
const clusterInfo = 'cluster-info'
const maxWaitMs = 24 * 3_600_000

/**
 * Signs the public cluster information with every bootstrap token that allows it, so that holders of a token can trust
 * it. Runs only when --controllers names it.
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
      // An expired token must no longer sign, even if it is not deleted.
      const expirations = secrets.map(expirationOf).filter(time => time > now)
      const next = expirations.reduce((first, time) => Math.min(first, time), Number.POSITIVE_INFINITY)
      return next === Number.POSITIVE_INFINITY ? undefined : { requeueAfterMs: Math.min(next - now, maxWaitMs) }
    },
  })
