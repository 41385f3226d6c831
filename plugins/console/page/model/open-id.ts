import { reread } from './route.js'

/** Signing in with an OpenID Connect issuer: the authorization code flow with PKCE. */

/** The endpoints of the issuer. */
const path = '/openid/v1/sign-in'

export interface SignInOffer {
  readonly issuer: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly authorizationEndpoint: string
  readonly endSessionEndpoint?: string
}
export interface OpenIdTokens {
  readonly token: string
  readonly expiresAt: number
  readonly refreshToken?: string
  /** The address at which the session with the issuer ends, if it has one. */
  readonly signOutAt?: string
}
/** The state that this tab keeps during the redirect to the issuer: state, nonce and verifier. */
interface Departure {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  /** The view to return to. */
  readonly view: string
  readonly signOutAt?: string
}
const storageKey = 'console-departure'

/** Undefined where no issuer is configured. */
export async function readOffer(): Promise<SignInOffer | undefined> {
  const response = await fetch(path, { cache: 'no-store' })
  if (response.ok) {
    const offer: Partial<SignInOffer> = await response.json()
    return offer.issuer === undefined ? undefined : (offer as SignInOffer)
  }
  // A server without an issuer responds 401 or 404; 503 means that it could not reach its issuer.
  if (response.status === 503) throw new Error(await messageIn(response))
  return undefined
}

/** The address to register with the issuer, without query and fragment. */
const redirectUri = () => new URL('.', location.origin + location.pathname).href

export async function leaveForIssuer(offer: SignInOffer): Promise<void> {
  const { endSessionEndpoint } = offer
  const departure: Departure = {
    state: randomText(),
    nonce: randomText(),
    codeVerifier: randomText(),
    view: location.hash,
    ...(endSessionEndpoint ? { signOutAt: withQuery(endSessionEndpoint, { client_id: offer.clientId }) } : {}),
  }
  const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(departure.codeVerifier))
  sessionStorage.setItem(storageKey, JSON.stringify(departure))
  location.assign(
    withQuery(offer.authorizationEndpoint, {
      response_type: 'code',
      client_id: offer.clientId,
      redirect_uri: redirectUri(),
      scope: offer.scopes.join(' '),
      state: departure.state,
      nonce: departure.nonce,
      code_challenge: base64Url(new Uint8Array(challenge)),
      code_challenge_method: 'S256',
    }),
  )
}

/** The tokens, if the address is that of a redirect by the issuer. The sign-in page shows the error that this throws. */
export async function returnFromIssuer(): Promise<OpenIdTokens | undefined> {
  const query = new URLSearchParams(location.search)
  const state = query.get('state')
  if (state === null) return undefined
  const kept = sessionStorage.getItem(storageKey)
  sessionStorage.removeItem(storageKey)
  const departure = kept === null ? undefined : (JSON.parse(kept) as Departure)
  history.replaceState(null, '', `${location.pathname}${departure?.view || '#/'}`)
  reread()
  // The address may be forged, to sign the user in as somebody else.
  if (departure?.state !== state) throw new Error('This sign-in was not started in this tab. Try again.')
  const code = query.get('code')
  if (code === null)
    throw new Error(`The issuer did not sign you in: ${query.get('error_description') ?? query.get('error') ?? ''}`)
  const { codeVerifier, nonce, signOutAt } = departure
  const tokens = await exchange({ code, codeVerifier, nonce, redirectUri: redirectUri() })
  return signOutAt === undefined ? tokens : { ...tokens, signOutAt }
}

/** Renews the token. Many issuers accept a refresh token once, and return another one. */
export async function renewTokens<T extends Partial<OpenIdTokens>>(current: T): Promise<T & OpenIdTokens> {
  return { ...current, ...(await exchange({ refreshToken: current.refreshToken })) }
}

/** Ends the session with the issuer: otherwise the next click would sign in the same user without a prompt. */
export function leaveSession(token: string, signOutAt: string): void {
  location.assign(withQuery(signOutAt, { id_token_hint: token, post_logout_redirect_uri: redirectUri() }))
}

async function exchange(grant: object): Promise<OpenIdTokens> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(grant),
  })
  if (!response.ok) throw new Error(await messageIn(response))
  return response.json()
}

async function messageIn(response: Response): Promise<string> {
  const status = await response.json().catch(() => ({}))
  return status.message ?? response.statusText
}

function withQuery(address: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}
const base64Url = (bytes: Uint8Array) =>
  btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
const randomText = () => base64Url(crypto.getRandomValues(new Uint8Array(32)))
