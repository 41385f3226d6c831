import { createLocalJWKSet, type JSONWebKeySet } from 'jose'
import type { Clock, Logger } from 'orch/sdk'
import type { Issuer } from './issuer.js'

type KeySet = ReturnType<typeof createLocalJWKSet>

/** Keys are fetched anew after this time, so that one the issuer has withdrawn stops counting. */
const freshForMs = 10 * 60_000
/** For an unknown key they are fetched again at most this often: anybody can make up key ids. */
const askAgainMs = 10_000
/** An issuer that could not be reached is tried again after this time. */
const retryMs = 1000
/** An issuer that hangs must not hold up the requests of its users: they wait no longer than this for it. */
const patienceMs = 1000

/** The signing keys of an OpenID Connect issuer: found by discovery, kept, and fetched anew now and then. */
export class IssuerKeys {
  readonly #issuer: Issuer
  readonly #clock: Clock
  readonly #logger: Logger
  #keys: { readonly set: KeySet; readonly fetchedAt: number } | undefined
  #triedAt = Number.NEGATIVE_INFINITY
  #fetching: Promise<void> | undefined
  /** Whether it did not answer the last time. */
  #isAway = false

  constructor(issuer: Issuer, clock: Clock, logger: Logger) {
    this.#issuer = issuer
    this.#clock = clock
    this.#logger = logger
  }

  /** The keys as they are known, fetched when they are old or not there yet. Throws when there are none. */
  async current(): Promise<KeySet> {
    if (!this.#keys) {
      const fetching = this.#fetchUnlessTried(retryMs)
      await (this.#isAway ? this.#briefly(fetching) : fetching)
    } else if (this.#clock.now() - this.#keys.fetchedAt > freshForMs) {
      const fetching = this.#fetchUnlessTried(askAgainMs)
      if (!this.#isAway) await this.#briefly(fetching)
    }
    if (!this.#keys) throw new Error('the keys of the issuer are not known yet')
    return this.#keys.set
  }
  /** The keys after another look, because one was missing; undefined when the last look was a moment ago. */
  async refreshed(): Promise<KeySet | undefined> {
    const before = this.#keys
    if (before && this.#clock.now() - before.fetchedAt < askAgainMs) return undefined
    await this.#fetchUnlessTried(retryMs)
    return this.#keys === before ? undefined : this.#keys?.set
  }

  async #briefly(fetching: Promise<void>): Promise<void> {
    let cancel = () => {}
    const patience = new Promise<void>(resolve => {
      cancel = this.#clock.after(patienceMs, resolve)
    })
    await Promise.race([fetching, patience])
    cancel()
  }

  async #fetchUnlessTried(withinMs: number): Promise<void> {
    if (!this.#fetching) {
      if (this.#clock.now() - this.#triedAt < withinMs) return
      this.#triedAt = this.#clock.now()
      this.#fetching = this.#fetch().finally(() => {
        this.#fetching = undefined
      })
    }
    await this.#fetching
  }

  async #fetch(): Promise<void> {
    try {
      const { jwks_uri: keysUrl } = await this.#issuer.discover()
      const set = createLocalJWKSet((await this.#issuer.getJson(keysUrl)) as JSONWebKeySet)
      this.#keys = { set, fetchedAt: this.#clock.now() }
      this.#isAway = false
    } catch (error) {
      // Cached keys stay valid; the issuer may be back soon.
      this.#isAway = true
      this.#logger.warn('the keys of the OpenID Connect issuer could not be fetched', {
        issuer: this.#issuer.url,
        error: (error as Error).message,
      })
    }
  }
}
