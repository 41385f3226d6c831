import type { JWTPayload } from 'jose'
import type { AuthenticationNames } from '../names.js'
import { userNameOf } from './account-user.js'

/** An object whose deletion invalidates the token. */
export interface BoundTo {
  readonly name: string
  readonly uid: string
}
/** The node that a token is bound to, or that its Pod runs on: the latter may be gone, so its UID may be unknown. */
export interface NodeOfToken {
  readonly name: string
  readonly uid?: string | undefined
}
/** The claims of a requested token: its account, and the Pod, Secret or Node that it is bound to. */
export interface BoundClaims {
  readonly namespace: string
  readonly account: BoundTo
  readonly pod?: BoundTo
  readonly secret?: BoundTo
  /** Beside a Pod, the node that it runs on, which need not exist. */
  readonly node?: NodeOfToken
  /** The id of the token. */
  readonly id?: string
  /** Seconds since the epoch, see `TokenTimes`. */
  readonly warnAfter?: number
}
/** Times are seconds since the epoch, as in every JWT. */
export interface TokenTimes {
  readonly issuedAt: number
  readonly expiresAt: number
  /** A client that refreshes its token has fetched a new one by then. */
  readonly warnAfter?: number
}

export const boundPayload = (
  { namespace, account, pod, secret, node, id }: Omit<BoundClaims, 'warnAfter'>,
  { issuedAt, expiresAt, warnAfter }: TokenTimes,
  issuer: string,
  audiences: readonly string[],
  { boundClaim }: AuthenticationNames,
): JWTPayload => ({
  aud: [...audiences],
  exp: expiresAt,
  iat: issuedAt,
  iss: issuer,
  ...(id === undefined ? {} : { jti: id }),
  [boundClaim]: {
    namespace,
    ...(node ? { node: { name: node.name, ...(node.uid ? { uid: node.uid } : {}) } } : {}),
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
    | Partial<Record<'namespace' | 'serviceaccount' | 'pod' | 'secret' | 'node' | 'warnafter', unknown>>
    | undefined
  const { namespace } = bound ?? {}
  const account = referenceIn(bound?.serviceaccount)
  if (typeof namespace !== 'string' || !account) throw new Error('the token names no service account')
  if (payload.sub !== userNameOf(namespace, account.name))
    throw new Error('the sub claim is of another service account')
  const pod = referenceIn(bound?.pod)
  const secret = referenceIn(bound?.secret)
  const node = nodeIn(bound?.node)
  const { jti: id } = payload
  const warnAfter = bound?.warnafter
  return {
    namespace,
    account,
    ...(pod ? { pod } : {}),
    ...(secret ? { secret } : {}),
    ...(node ? { node } : {}),
    ...(id ? { id } : {}),
    ...(typeof warnAfter === 'number' ? { warnAfter } : {}),
  }
}

function referenceIn(value: unknown): BoundTo | undefined {
  if (value === undefined || value === null) return undefined
  const { name, uid } = value as { name?: unknown; uid?: unknown }
  if (typeof name !== 'string' || typeof uid !== 'string')
    throw new Error('the object that the token is bound to has no name or UID')
  return { name, uid }
}

function nodeIn(value: unknown): NodeOfToken | undefined {
  if (value === undefined || value === null) return undefined
  const { name, uid } = value as { name?: unknown; uid?: unknown }
  if (typeof name !== 'string') throw new Error('the token names no node')
  return typeof uid === 'string' ? { name, uid } : { name }
}
