import type { IncomingHttpHeaders } from 'node:http'
import type { PeerCertificate } from 'node:tls'
import type { Needs, Resolved } from './services.js'
import type { UserInfo } from './user.js'

/** What an authenticator may look at. */
export interface Credentials {
  readonly headers: IncomingHttpHeaders
  /** The certificate the client presented in the TLS handshake, if any, whatever signed it; undefined when none. */
  peerCertificate(): PeerCertificate | undefined
  /** The bearer token of the Authorization header, if there is one. */
  readonly bearerToken: string | undefined
  /** Audiences the request must be valid for; empty means the server's own. */
  readonly audiences: readonly string[]
}

export interface AuthenticationSuccess {
  readonly user: UserInfo
  /** Audiences the credential is valid for, when the method knows audiences. */
  readonly audiences?: readonly string[]
  /** When the credential stops being valid, in ms since the epoch; results are never cached beyond it. */
  readonly expiresAt?: number
  /** Set to false when the decision depends on more than the credential and must not be cached. */
  readonly cacheable?: boolean
}

/**
 * The answer of one method: a success, `undefined` when the credentials are not of this kind (the next method is
 * asked), or a thrown Error when they are of this kind and wrong (remembered; the request is 401 unless another succeeds).
 */
export type AuthenticationAnswer = AuthenticationSuccess | undefined

export interface AuthenticatorDefinition<N extends Needs = Needs> {
  readonly name: string
  readonly needs?: N
  /** Headers this method consumes: they are removed before the request goes on (an authenticating proxy's). */
  readonly consumesHeaders?: (headerName: string) => boolean
  /**
   * `bearer` methods are asked only when there is a bearer token, and their results are cached by its hash;
   * `request` methods look at anything else; `anonymous` is asked last, and only when there was no credential at all.
   */
  readonly kind: 'bearer' | 'request' | 'anonymous'
  authenticate(credentials: Credentials, services: Resolved<N>): AuthenticationAnswer | Promise<AuthenticationAnswer>
}

/** Declares an authentication method. */
export const defineAuthenticator = <const N extends Needs = Record<never, never>>(
  definition: AuthenticatorDefinition<N>,
): AuthenticatorDefinition<N> => definition

/** Authenticates tokens that arrive in bodies (TokenReview). */
export interface TokenAuthentication {
  authenticateToken(
    token: string,
    audiences: readonly string[],
  ): Promise<{ success: AuthenticationSuccess } | { error: string }>
  /** The audiences of this server. */
  readonly serverAudiences: readonly string[]
}
