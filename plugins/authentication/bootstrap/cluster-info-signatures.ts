import { createHmac } from 'node:crypto'
import type { Secret } from 'orch/sdk/core'
import { expirationOf, isUsableFor, tokenOf } from './bootstrap-token.js'

const signaturePrefix = 'jws-kubeconfig-'
/** Key of the payload that is signed. */
const payloadKey = 'kubeconfig'

/**
 * A detached JWS over a text: `header..signature`. Whoever has the token puts the payload (base64url, without `=`)
 * between the dots and checks HS256 with the whole token as the secret.
 */
function detachedSignature(payload: string, tokenId: string, token: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid: tokenId })).toString('base64url')
  const signed = `${header}.${Buffer.from(payload).toString('base64url')}`
  return `${header}..${createHmac('sha256', token).update(signed).digest('base64url')}`
}

/** The data of the cluster-info ConfigMap with one signature per token that may sign, and no other. */
export function withSignatures(
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
