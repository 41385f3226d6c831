import type { X509Certificate } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type Needs, type Resolved, serviceToken } from '../plugin/service-token.js'
import type { UserInfo } from './user.js'

/** The credentials of a request. */
export interface Credentials {
  readonly headers: IncomingHttpHeaders
  /** The path of the request as it was sent, without its query; empty for a token that arrived in a body. */
  path(): string
  /** Every value of a header (its name in lower case) in the order sent, never joined or split: a value may hold commas. */
  headerValues(name: string): readonly string[]
  /**
   * What the client presented in the TLS handshake, whatever signed it: its own certificate first, then the
   * intermediates it sent. Empty when it presented none, and the same list for every request of a connection.
   */
  clientCertificates(): readonly X509Certificate[]
  /** The bearer token of the Authorization header, if there is one. */
  readonly bearerToken: string | undefined
  /** Audiences the credential should be valid for, one of them at least; empty when the server has none. */
  readonly audiences: readonly string[]
}

/** The authenticated user, and how long the result is valid. */
export interface AuthenticationSuccess {
  readonly user: UserInfo
  /** The requested audiences that the credential is valid for. Set by methods that check audiences, or by the chain. */
  readonly audiences?: readonly string[]
  /** When the credential stops being valid, in ms since the epoch; results are never cached beyond it. */
  readonly expiresAt?: number
  /** Audit annotations about the credential, by qualified keys. They must not quote it. */
  readonly auditAnnotations?: Readonly<Record<string, string>>
  /** Warnings for the client, such as a credential that should be replaced. They must not quote it. */
  readonly warnings?: readonly string[]
  /** Set to false when the decision depends on more than the credential and must not be cached. */
  readonly cacheable?: boolean
  /**
   * Called before a cached result is used again; false asks the methods anew. For what can be revoked at any time and is
   * cheap to look up, while checking the credential itself is not. Must be quick: it runs on every request.
   */
  isStillValid?(): boolean
}

/**
 * The answer of one method: a success, `undefined` when the credentials are not of this kind (the next method is
 * asked), or a thrown Error when they are of this kind and wrong (remembered; the request is 401 unless another succeeds).
 * The message of that error may reach the reader of a TokenReview, so it must not quote the credential.
 */
export type AuthenticationAnswer = AuthenticationSuccess | undefined

/** An authentication method. See `defineAuthenticator`. */
export interface AuthenticatorDefinition<N extends Needs = Needs> {
  readonly name: string
  readonly needs?: N
  /** Headers this method consumes: they are removed when it succeeds (an authenticating proxy's). Names in lower case. */
  readonly consumesHeaders?: (headerName: string) => boolean
  /**
   * `request` methods are asked first, about anything but bearer tokens; `bearer` methods when there is a bearer token,
   * and their results are cached by its hash; `anonymous` last, and only when there was no credential at all.
   */
  readonly kind: 'bearer' | 'request' | 'anonymous'
  /**
   * Does it check `credentials.audiences` itself and answer which of them count? Other bearer methods are asked only when
   * an audience of this server is wanted.
   */
  readonly audienceAware?: boolean
  /** Answer synchronously whenever possible: this runs on every request whose result is not cached. */
  authenticate(credentials: Credentials, services: Resolved<N>): AuthenticationAnswer | Promise<AuthenticationAnswer>
}

/** Declares an authentication method. */
export const defineAuthenticator = <const N extends Needs = Record<never, never>>(
  definition: AuthenticatorDefinition<N>,
): AuthenticatorDefinition<N> => definition

/** The audiences of this server, provided by the plugin that knows them. Without it tokens are valid for any audience. */
export const apiAudiences = serviceToken<readonly string[]>('api-audiences')

/** Authenticates tokens that arrive in bodies (TokenReview). */
export interface TokenAuthentication {
  /** Empty `audiences` mean those of this server. */
  authenticateToken(
    token: string,
    audiences: readonly string[],
  ): Promise<{ success: AuthenticationSuccess } | { error: string }>
  /** The audiences of this server. */
  readonly serverAudiences: readonly string[]
}
