import { createLocalJWKSet, type JSONWebKeySet } from 'jose'
import type { Clock, Logger } from 'orch/sdk'
import type { Issuer } from './issuer.js'

type KeySet = ReturnType<typeof createLocalJWKSet>

/** Keys are refetched after this time, so that a withdrawn key stops being accepted. */
const freshForMs = 10 * 60_000
/** For an unknown key they are refetched at most this often: anybody can make up key ids. */
const refetchMs = 10_000
/** A failed fetch is retried after this time. */
const retryMs = 1000
/** An issuer that hangs must not block requests for longer than this. */
const maxWaitMs = 1000

/** The signing keys of an OpenID Connect issuer: found by discovery, cached, and refetched from time to time. */
export class IssuerKeys {
  readonly #issuer: Issuer
  readonly #clock: Clock
  readonly #logger: Logger
  #keys: { readonly set: KeySet; readonly fetchedAt: number } | undefined
  #triedAt = Number.NEGATIVE_INFINITY
  #fetching: Promise<void> | undefined
  /** Whether the last fetch failed. */
  #isUnreachable = false

  constructor(issuer: Issuer, clock: Clock, logger: Logger) {
    this.#issuer = issuer
    this.#clock = clock
    this.#logger = logger
  }

  /** The cached keys, fetched when they are stale or missing. Throws when there are none. */
  async current(): Promise<KeySet> {
    if (!this.#keys) {
      const fetching = this.#fetchUnlessRecent(retryMs)
      await (this.#isUnreachable ? this.#waitBriefly(fetching) : fetching)
    } else if (this.#clock.now() - this.#keys.fetchedAt > freshForMs) {
      const fetching = this.#fetchUnlessRecent(refetchMs)
      if (!this.#isUnreachable) await this.#waitBriefly(fetching)
    }
    if (!this.#keys) throw new Error('the keys of the issuer have not been fetched yet')
    return this.#keys.set
  }
  /** The keys after a refetch, because one was missing; undefined when they were fetched only moments ago. */
  async refreshed(): Promise<KeySet | undefined> {
    const before = this.#keys
    if (before && this.#clock.now() - before.fetchedAt < refetchMs) return undefined
    await this.#fetchUnlessRecent(retryMs)
    return this.#keys === before ? undefined : this.#keys?.set
  }

  async #waitBriefly(fetching: Promise<void>): Promise<void> {
    let cancel = () => {}
    const timeout = new Promise<void>(resolve => {
      cancel = this.#clock.after(maxWaitMs, resolve)
    })
    await Promise.race([fetching, timeout])
    cancel()
  }

  async #fetchUnlessRecent(withinMs: number): Promise<void> {
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
      this.#isUnreachable = false
    } catch (error) {
      // Cached keys stay valid; the issuer may be back soon.
      this.#isUnreachable = true
      this.#logger.warn('the keys of the OpenID Connect issuer could not be fetched', {
        issuer: this.#issuer.url,
        error: (error as Error).message,
      })
    }
  }
}
