import type { JWTPayload } from 'jose'
import type { AuthenticationNames } from '../names.js'
import { userNameOf } from './account-user.js'

/** The claims of a token in a Secret: its account and its Secret. It never expires. */
export interface LegacyClaims {
  readonly namespace: string
  readonly accountName: string
  readonly accountUid: string
  readonly secretName: string
}

export const legacyPayload = (
  { namespace, accountName, accountUid, secretName }: LegacyClaims,
  { legacyIssuer, legacyClaim }: AuthenticationNames,
): JWTPayload => ({
  iss: legacyIssuer,
  [legacyClaim('namespace')]: namespace,
  [legacyClaim('secret.name')]: secretName,
  [legacyClaim('service-account.name')]: accountName,
  [legacyClaim('service-account.uid')]: accountUid,
  sub: userNameOf(namespace, accountName),
})

/** Reads the claims of a token whose signature was checked; throws when one is missing or they disagree. */
export function readLegacyClaims(payload: JWTPayload, { legacyClaim }: AuthenticationNames): LegacyClaims {
  const text = (name: string) => {
    const value = payload[legacyClaim(name)]
    if (typeof value !== 'string' || value === '') throw new Error(`the ${name} claim is missing`)
    return value
  }
  const claims = {
    namespace: text('namespace'),
    secretName: text('secret.name'),
    accountName: text('service-account.name'),
    accountUid: text('service-account.uid'),
  }
  if (payload.sub !== userNameOf(claims.namespace, claims.accountName))
    throw new Error('the sub claim is of another service account')
  return claims
}
