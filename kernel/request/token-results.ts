import * as crypto from 'node:crypto'
import type { AuthenticationSuccess, Clock } from 'orch/sdk'

/** How long a result is trusted without asking its method again. */
const trustedForMs = 10_000
/** Only valid tokens are remembered, so nobody fills this from outside. */
const maxResults = 10_000

/** Hashing in one call costs half of it; the oldest versions of Node that we support do not have it. */
const sha256: (text: string) => string =
  'hash' in crypto
    ? text => crypto.hash('sha256', text, 'base64')
    : text => crypto.createHash('sha256').update(text).digest('base64')

interface Result {
  readonly success: AuthenticationSuccess
  readonly until: number
}

/** What bearer tokens turned out to be, by their hash: a memory dump shows no token. */
export class TokenResults {
  readonly #clock: Clock
  readonly #results = new Map<string, Result>()
  /** The list that the server itself asks for is always the same one. */
  readonly #textOfAudiences = new WeakMap<readonly string[], string>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** One token may be valid for one audience and not for another. */
  keyOf(token: string, audiences: readonly string[]): string {
    let text = this.#textOfAudiences.get(audiences)
    // As JSON: an audience may hold any character, so that no other mark would tell two from one.
    if (text === undefined) this.#textOfAudiences.set(audiences, (text = JSON.stringify(audiences)))
    return sha256(token) + text
  }

  find(key: string): AuthenticationSuccess | undefined {
    const result = this.#results.get(key)
    if (!result) return undefined
    const { success, until } = result
    if (until > this.#clock.now() && (success.isStillValid?.() ?? true)) return success
    this.#results.delete(key)
    return undefined
  }

  remember(key: string, success: AuthenticationSuccess): void {
    if (success.cacheable === false) return
    const { expiresAt = Number.POSITIVE_INFINITY } = success
    this.#results.delete(key)
    this.#results.set(key, { success, until: Math.min(this.#clock.now() + trustedForMs, expiresAt) })
    const [oldest] = this.#results.keys()
    if (this.#results.size > maxResults && oldest !== undefined) this.#results.delete(oldest)
  }
}
