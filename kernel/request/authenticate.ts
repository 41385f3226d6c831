import { createHash } from 'node:crypto'
import {
  type AuthenticationSuccess,
  type AuthenticatorDefinition,
  allAuthenticated,
  type Clock,
  type Credentials,
  type TokenAuthentication,
  type UserInfo,
  unauthorized,
} from 'orch/sdk'
import type { Exchange } from '../http/exchange.js'

interface Method {
  readonly definition: AuthenticatorDefinition
  readonly services: never
}
interface CachedUser {
  readonly user: UserInfo
  readonly expiresAt: number
}
/** How long a bearer token's result is trusted without asking its method again. */
const cacheMs = 10_000
const maxCached = 10_000

/** Asks every method until one recognises the caller. Bearer tokens are remembered for a moment, by hash. */
export class AuthenticatorChain implements TokenAuthentication {
  readonly serverAudiences: readonly string[]
  readonly #methods: readonly Method[]
  readonly #clock: Clock
  readonly #cache = new Map<string, CachedUser>()

  constructor(methods: readonly Method[], clock: Clock, serverAudiences: readonly string[]) {
    this.#methods = methods
    this.#clock = clock
    this.serverAudiences = serverAudiences
  }

  /** Who sends this request; undefined for nobody (anonymous), a 401 for somebody who lies. Synchronous when remembered. */
  authenticate(exchange: Exchange): UserInfo | undefined | Promise<UserInfo | undefined> {
    if (exchange.trustedUser) return exchange.trustedUser
    const bearerToken = bearerTokenOf(exchange.headers.authorization)
    if (bearerToken !== undefined) {
      const cached = this.#cache.get(hashOf(bearerToken))
      if (cached && cached.expiresAt > this.#clock.now()) return cached.user
    }
    return this.#ask({
      headers: exchange.headers,
      peerCertificate: () => exchange.peerCertificate(),
      bearerToken,
      audiences: [],
    })
  }

  /** Header names that some method consumes. */
  isConsumed(header: string): boolean {
    return this.#methods.some(({ definition }) => definition.consumesHeaders?.(header) ?? false)
  }

  async authenticateToken(
    token: string,
    audiences: readonly string[],
  ): Promise<{ success: AuthenticationSuccess } | { error: string }> {
    const credentials = { headers: {}, peerCertificate: () => undefined, bearerToken: token, audiences }
    const { success, failures } = await this.#evaluate(credentials, ({ definition }) => definition.kind === 'bearer')
    if (success) return { success: { ...success, user: withAuthenticated(success.user) } }
    return { error: failures[0] ?? '' }
  }

  /** Forgets what is remembered; used when something that tokens depend on changes. */
  forget(): void {
    this.#cache.clear()
  }

  async #ask(credentials: Credentials): Promise<UserInfo | undefined> {
    const hasToken = credentials.bearerToken !== undefined
    const { success, failures } = await this.#evaluate(
      credentials,
      ({ definition: { kind } }) => kind === 'request' || (kind === 'bearer' && hasToken),
    )
    if (!success) {
      if (hasToken || failures.length > 0) throw unauthorized()
      return (await this.#evaluate(credentials, ({ definition }) => definition.kind === 'anonymous')).success?.user
    }
    const user = withAuthenticated(success.user)
    if (hasToken && success.cacheable !== false) this.#remember(credentials.bearerToken!, user, success.expiresAt)
    return user
  }

  async #evaluate(credentials: Credentials, isAsked: (method: Method) => boolean) {
    const failures: string[] = []
    for (const method of this.#methods) {
      if (!isAsked(method)) continue
      try {
        const success = await method.definition.authenticate(credentials, method.services)
        if (success) return { success, failures }
      } catch (thrown) {
        // The reason may quote the credential, so only its message for reviewers is kept, never logged.
        failures.push(thrown instanceof Error ? thrown.message : 'invalid credential')
      }
    }
    return { success: undefined, failures }
  }

  #remember(token: string, user: UserInfo, expiresAt: number | undefined): void {
    if (this.#cache.size >= maxCached) this.#cache.clear()
    this.#cache.set(hashOf(token), {
      user,
      expiresAt: Math.min(this.#clock.now() + cacheMs, expiresAt ?? Number.POSITIVE_INFINITY),
    })
  }
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64')

function bearerTokenOf(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  const space = authorization.indexOf(' ')
  if (space < 0 || authorization.slice(0, space).toLowerCase() !== 'bearer') return undefined
  const token = authorization.slice(space + 1).trim()
  return token === '' ? undefined : token
}

function withAuthenticated(user: UserInfo): UserInfo {
  if (user.groups.includes(allAuthenticated) || user.name === 'system:anonymous') return user
  return { ...user, groups: [...user.groups, allAuthenticated] }
}
