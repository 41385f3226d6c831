import type { Dispatcher } from 'undici'
import type { CredentialSource } from '../client/credentials.js'
import { loadUndici } from '../client/load-undici.js'
import type { Clock } from '../plugin/basic-services.js'
import { ApiError } from '../resource/api-errors.js'
import { contents } from './file-credential.js'
import { openIdTokenRequest } from './openid-token-request.js'

/** The keys of an `oidc` auth-provider. */
export type OidcSettings = Readonly<Record<string, string>>

/** The settings for refreshing an ID token. */
export interface OidcCredentialOptions {
  readonly settings: OidcSettings
  readonly clock: Clock
  /** Saves refreshed tokens for the next process: id-token, and refresh-token when it changed. */
  persist(changed: OidcSettings): Promise<void>
}

/** A token is refreshed this long before it expires, so that the request arrives in time. */
const expiryMarginMs = 10_000

/** An ID token of an OpenID provider, refreshed when it expires or is refused. */
export function oidcCredential({ settings, clock, persist }: OidcCredentialOptions): CredentialSource {
  let current = settings
  let token = settings['id-token'] ?? ''
  let isRefused = false
  let refreshing: Promise<void> | undefined
  const refresh = async () => {
    const changed = await refreshTokens(current)
    current = { ...current, ...changed }
    token = current['id-token'] ?? ''
    isRefused = false
    await persist(changed)
  }
  return {
    async current() {
      if (isRefused || !isValid(token, clock.now())) {
        refreshing ??= refresh().finally(() => {
          refreshing = undefined
        })
        await refreshing
      }
      return { token }
    },
    async refused(credential) {
      if (!current['refresh-token']) return false
      if (credential.token === token) isRefused = true
      return true
    },
  }
}

function isValid(token: string, now: number): boolean {
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as { exp?: unknown }
    return typeof claims.exp === 'number' && now < claims.exp * 1000 - expiryMarginMs
  } catch {
    return false
  }
}

const failed = (why: string, cause?: unknown) =>
  new ApiError(401, 'Unauthorized', `getting credentials: oidc: ${why}`, undefined, { cause })

async function refreshTokens(settings: OidcSettings): Promise<OidcSettings> {
  const refreshToken = settings['refresh-token']
  const issuer = settings['idp-issuer-url']
  if (!refreshToken) throw failed('no valid id-token, and cannot refresh without refresh-token')
  if (!issuer) throw failed('cannot refresh without idp-issuer-url')
  const ca = await contents(settings['idp-certificate-authority-data'], settings['idp-certificate-authority'])
  const { Agent } = loadUndici()
  const dispatcher = new Agent({ connect: ca === undefined ? {} : { ca } })
  try {
    const discovery = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, { dispatcher })
    if (typeof discovery['token_endpoint'] !== 'string') throw failed('the provider names no token endpoint')
    const tokens = await fetchJson(discovery['token_endpoint'], {
      dispatcher,
      ...openIdTokenRequest(
        { grant_type: 'refresh_token', refresh_token: refreshToken },
        { id: settings['client-id'] ?? '', secret: settings['client-secret'] },
        discovery['token_endpoint_auth_methods_supported'],
      ),
    })
    const idToken = tokens['id_token']
    if (typeof idToken !== 'string')
      throw failed(
        'the token response has no id_token: the scope "openid" was not requested, or the provider refreshes none',
      )
    const next = tokens['refresh_token']
    return { 'id-token': idToken, ...(typeof next === 'string' && next !== '' ? { 'refresh-token': next } : {}) }
  } finally {
    await dispatcher.close()
  }
}

interface TokenRequest extends Partial<Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body'>> {
  readonly dispatcher: Dispatcher
}

async function fetchJson(url: string, { dispatcher, ...options }: TokenRequest): Promise<Record<string, unknown>> {
  try {
    const { origin, pathname, search } = new URL(url)
    const { statusCode, body } = await dispatcher.request({
      origin,
      path: pathname + search,
      method: 'GET',
      ...options,
    })
    const text = await body.text()
    if (statusCode !== 200) throw failed(`${new URL(url).origin} answered ${statusCode}`)
    return JSON.parse(text) as Record<string, unknown>
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw failed(`cannot reach ${url}: ${(error as Error).message}`, error)
  }
}
