import type { JWTPayload } from 'jose'
import type { AuthenticationNames } from '../names.js'
import { userNameOf } from './account-user.js'

/** Names an object that must go on existing. */
export interface BoundTo {
  readonly name: string
  readonly uid: string
}
/** What a token that was asked for says: whose it is, and which Pod or Secret it lives and dies with. */
export interface BoundClaims {
  readonly namespace: string
  readonly account: BoundTo
  readonly pod?: BoundTo
  readonly secret?: BoundTo
  /** Seconds since the epoch, see `TokenTimes`. */
  readonly warnAfter?: number
}
/** Times are seconds since the epoch, as in every JWT. */
export interface TokenTimes {
  readonly issuedAt: number
  readonly expiresAt: number
  /** When a client that takes care would have fetched a new one. */
  readonly warnAfter?: number
}

export const boundPayload = (
  { namespace, account, pod, secret }: Omit<BoundClaims, 'warnAfter'>,
  { issuedAt, expiresAt, warnAfter }: TokenTimes,
  issuer: string,
  audiences: readonly string[],
  { boundClaim }: AuthenticationNames,
): JWTPayload => ({
  aud: [...audiences],
  exp: expiresAt,
  iat: issuedAt,
  iss: issuer,
  [boundClaim]: {
    namespace,
    ...(pod ? { pod } : {}),
    ...(secret ? { secret } : {}),
    serviceaccount: account,
    ...(warnAfter === undefined ? {} : { warnafter: warnAfter }),
  },
  nbf: issuedAt,
  sub: userNameOf(namespace, account.name),
})

/** Reads the claims of a token whose signature was checked; throws when one is missing or they disagree. */
export function readBoundClaims(payload: JWTPayload, { boundClaim }: AuthenticationNames): BoundClaims {
  const bound = payload[boundClaim] as
    | { namespace?: unknown; serviceaccount?: unknown; pod?: unknown; secret?: unknown; warnafter?: unknown }
    | undefined
  const { namespace } = bound ?? {}
  const account = referenceIn(bound?.serviceaccount)
  if (typeof namespace !== 'string' || !account) throw new Error('the token names no service account')
  if (payload.sub !== userNameOf(namespace, account.name))
    throw new Error('the sub claim is of another service account')
  const pod = referenceIn(bound?.pod)
  const secret = referenceIn(bound?.secret)
  const warnAfter = bound?.warnafter
  return {
    namespace,
    account,
    ...(pod ? { pod } : {}),
    ...(secret ? { secret } : {}),
    ...(typeof warnAfter === 'number' ? { warnAfter } : {}),
  }
}

function referenceIn(value: unknown): BoundTo | undefined {
  if (value === undefined || value === null) return undefined
  const { name, uid } = value as { name?: unknown; uid?: unknown }
  if (typeof name !== 'string' || typeof uid !== 'string')
    throw new Error('the token is bound to nothing that has a name')
  return { name, uid }
}
