import * as crypto from 'node:crypto'
import type { Clock } from 'orch/sdk'
import type { AuthenticationSuccess } from 'orch/sdk/identity'

/** How long a cached result is used. */
const cachedForMs = 10_000
/** Only valid tokens are cached, so clients cannot fill this up. */
const maxResults = 10_000

/** The one-shot hash costs half as much; the oldest supported versions of Node do not have it. */
const sha256: (text: string) => string =
  'hash' in crypto
    ? text => crypto.hash('sha256', text, 'base64')
    : text => crypto.createHash('sha256').update(text).digest('base64')

interface Result {
  readonly success: AuthenticationSuccess
  readonly until: number
}

interface HashedToken {
  readonly token: string
  readonly hash: string
}

/** Results of bearer tokens, keyed by hash: they outlive the connection that the token came on, and hold no token. */
export class TokenResults {
  readonly #clock: Clock
  readonly #results = new Map<string, Result>()
  /** The server's own list of audiences is always the same object, which makes it cheap to recognise. */
  readonly #textOfAudiences = new WeakMap<readonly string[], string>()

  /** A connection mostly sends the same token with every request, and hashing it costs as much as reading a small object. */
  readonly #lastOfConnection = new WeakMap<object, HashedToken>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** One token may be valid for one audience and not for another. */
  keyOf(token: string, audiences: readonly string[], connection?: object): string {
    let text = this.#textOfAudiences.get(audiences)
    // As JSON: an audience may contain any character, so no separator would be unambiguous.
    if (text === undefined) this.#textOfAudiences.set(audiences, (text = JSON.stringify(audiences)))
    const last = connection && this.#lastOfConnection.get(connection)
    const hash = last?.token === token ? last.hash : sha256(token)
    if (connection && hash !== last?.hash) this.#lastOfConnection.set(connection, { token, hash })
    return hash + text
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
    this.#results.set(key, { success, until: Math.min(this.#clock.now() + cachedForMs, expiresAt) })
    const [oldest] = this.#results.keys()
    if (this.#results.size > maxResults && oldest !== undefined) this.#results.delete(oldest)
  }
}
