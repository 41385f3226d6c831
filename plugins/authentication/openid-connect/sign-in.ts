import { readFile } from 'node:fs/promises'
import { type Clock, serviceUnavailable, tooManyRequests, unauthorized } from 'orch/sdk'
import { openIdTokenRequest } from 'orch/sdk/client'
import { type IssuerDocument, isHttps } from './issuer.js'
import type { OpenIdClient } from './openid-client.js'
import { verifyIdToken } from './verify-id-token.js'

/** What a page needs to redirect a user to the issuer. */
export interface SignInOffer {
  readonly issuer: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly authorizationEndpoint: string
  /** Where a session with the issuer is ended, if the issuer supports that. */
  readonly endSessionEndpoint?: string
}
/** The code that the issuer returned, or the refresh token of the last response. */
export type SignInGrant =
  | { readonly code: string; readonly codeVerifier: string; readonly redirectUri: string; readonly nonce: string }
  | { readonly refreshToken: string }
export interface SignInTokens {
  /** The ID token. */
  readonly token: string
  /** In ms since the epoch. */
  readonly expiresAt: number
  readonly refreshToken?: string
}
export interface SignInSettings {
  readonly scopes: readonly string[]
  readonly clientSecretFile?: string | undefined
}

/** Anybody may call this, so concurrent requests to the issuer are limited. */
const maxExchanges = 16
/** Many issuers return a refresh token only with this scope. It is requested where the issuer supports it. */
const refreshScope = 'offline_access'

/**
 * The authorization code flow with PKCE, as far as it happens on the server: most issuers do not accept token requests
 * from pages of other hosts. It is stateless: the page holds the verifier, and the issuer checks it.
 */
export class OpenIdSignIn {
  readonly #client: OpenIdClient
  readonly #settings: SignInSettings
  readonly #clock: Clock
  #exchanges = 0

  constructor(client: OpenIdClient, settings: SignInSettings, clock: Clock) {
    this.#client = client
    this.#settings = settings
    this.#clock = clock
  }

  async offer(): Promise<SignInOffer> {
    const document = await this.#document()
    const { authorization_endpoint: authorizationEndpoint, end_session_endpoint: endSessionEndpoint } = document
    const supported = document['scopes_supported']
    const { scopes } = this.#settings
    const hasRefresh = Array.isArray(supported) && supported.includes(refreshScope) && !scopes.includes(refreshScope)
    // A page navigates to these addresses: a javascript: URL would run there.
    if (!isHttps(authorizationEndpoint))
      throw serviceUnavailable('the discovery document has no https authorization_endpoint')
    return {
      issuer: this.#client.rules.issuer,
      clientId: this.#client.clientId,
      scopes: hasRefresh ? [...scopes, refreshScope] : scopes,
      authorizationEndpoint,
      ...(isHttps(endSessionEndpoint) ? { endSessionEndpoint } : {}),
    }
  }

  /** Returns an ID token that this server accepts, or throws an ApiError with the reason. */
  async tokensFor(grant: SignInGrant): Promise<SignInTokens> {
    if (this.#exchanges >= maxExchanges) throw tooManyRequests('too many users are signing in at the moment', 1)
    this.#exchanges++
    try {
      return await this.#exchange(grant)
    } finally {
      this.#exchanges--
    }
  }

  async #exchange(grant: SignInGrant): Promise<SignInTokens> {
    const { keys, rules } = this.#client
    const answer = await this.#requestTokens(grant)
    const { id_token: token, refresh_token: refreshToken } = answer
    if (typeof token !== 'string') throw unauthorized('the issuer returned no ID token')
    const claims = await verifyIdToken(token, keys, rules, this.#clock.now()).catch((error: unknown) => {
      throw unauthorized((error as Error).message)
    })
    if ('nonce' in grant && claims['nonce'] !== grant.nonce)
      throw unauthorized('oidc: the token was not issued for this sign-in')
    return {
      token,
      expiresAt: claims.exp * 1000,
      ...(typeof refreshToken === 'string' && refreshToken !== '' ? { refreshToken } : {}),
    }
  }

  async #requestTokens(grant: SignInGrant): Promise<Readonly<Record<string, unknown>>> {
    const document = await this.#document()
    const { token_endpoint: endpoint, token_endpoint_auth_methods_supported: methods } = document
    if (!isHttps(endpoint)) throw serviceUnavailable('the discovery document has no https token_endpoint')
    const { clientSecretFile } = this.#settings
    const secret = clientSecretFile === undefined ? undefined : (await readFile(clientSecretFile, 'utf8')).trim()
    const request = openIdTokenRequest(formOf(grant), { id: this.#client.clientId, secret }, methods)
    const { status, text } = await this.#client.issuer
      .send(endpoint, { ...request, headers: { ...request.headers, accept: 'application/json' } })
      .catch(throwUnreachable)
    const answer = parsed(text)
    if (status === 200 && answer) return answer
    if (status >= 500) throw serviceUnavailable(`the issuer answered ${status}`)
    throw unauthorized(`the issuer refused: ${refusalIn(answer) ?? status}`)
  }

  #document(): Promise<IssuerDocument> {
    return this.#client.issuer.document().catch(throwUnreachable)
  }
}

function throwUnreachable(error: unknown): never {
  throw serviceUnavailable(`the issuer cannot be reached: ${(error as Error).message}`)
}

function formOf(grant: SignInGrant): Record<string, string> {
  if ('refreshToken' in grant) return { grant_type: 'refresh_token', refresh_token: grant.refreshToken }
  const { code, codeVerifier, redirectUri } = grant
  return { grant_type: 'authorization_code', code, code_verifier: codeVerifier, redirect_uri: redirectUri }
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const maxDetailLength = 200
/** The error code of RFC 6749, section 5.2, and its description. */
function refusalIn(answer: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const { error, error_description: description } = answer ?? {}
  if (typeof error !== 'string') return undefined
  return (typeof description === 'string' ? `${error}: ${description}` : error).slice(0, maxDetailLength)
}
