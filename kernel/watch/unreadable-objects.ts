import type { Clock, Gauge, Logger } from 'orch/sdk'
import type { StorageError, Store, StoredObject } from 'orch/sdk/host'

/** First and longest delay between attempts to read them again. */
const firstRetryMs = 1000
const longestRetryMs = 60_000

export interface UnreadableObjectsParts {
  readonly store: Pick<Store, 'get'>
  readonly clock: Clock
  readonly logger: Logger
  /** Counts for all caches of this process, by collection. */
  readonly gauge: Gauge
  readonly collection: string
  /** Called when an object can be read again; undefined if it is gone. */
  readable(key: string, found: StoredObject | undefined): void
}

/**
 * Objects of a cache that became unreadable, because an encryption key is missing for instance. The cached
 * state is outdated. They are retried with growing delays; reading one meanwhile fails with the reason.
 */
export class UnreadableObjects {
  readonly #parts: UnreadableObjectsParts
  readonly #failures = new Map<string, StorageError>()
  #delayMs = firstRetryMs
  #cancel: (() => void) | undefined

  constructor(parts: UnreadableObjectsParts) {
    this.#parts = parts
  }

  get isEmpty(): boolean {
    return this.#failures.size === 0
  }
  /** Throws when an object cannot be read: this one, or without a key any. */
  check(key?: string): void {
    if (this.isEmpty) return
    const failure = key === undefined ? this.#failures.values().next().value : this.#failures.get(key)
    if (failure) throw failure
  }
  add(key: string, failure: StorageError): void {
    const { logger, collection } = this.#parts
    if (!this.#failures.has(key))
      logger.error('an object has changed and cannot be read', { collection, failure: failure.message })
    this.#failures.set(key, failure)
    this.#retrySoon()
  }
  /** Objects that were unreadable when the cache was filled. There may be many, so they are logged in one line. */
  addAll(failures: ReadonlyMap<string, StorageError>): void {
    const [failure] = failures.values()
    if (failure === undefined) return
    const { logger, collection } = this.#parts
    logger.error('objects cannot be read', { collection, count: failures.size, failure: failure.message })
    for (const [key, each] of failures) this.#failures.set(key, each)
    this.#retrySoon()
  }
  /** Its state is known again. */
  forget(key: string): void {
    if (this.#failures.delete(key)) this.#changed()
  }
  stop(): void {
    this.#cancel?.()
    this.#failures.clear()
  }

  #retrySoon(): void {
    this.#changed()
    this.#delayMs = firstRetryMs
    this.#retryLater()
  }
  #changed(): void {
    this.#parts.gauge.set(this.#failures.size, { resource: this.#parts.collection })
  }
  #retryLater(): void {
    this.#cancel?.()
    this.#cancel = this.#parts.clock.after(this.#delayMs, () => void this.#retry())
    this.#delayMs = Math.min(this.#delayMs * 2, longestRetryMs)
  }
  async #retry(): Promise<void> {
    const { store, readable } = this.#parts
    for (const [key, failure] of [...this.#failures]) {
      try {
        const found = await store.get(key)
        // A newer event may have arrived meanwhile.
        if (this.#failures.get(key) !== failure) continue
        this.forget(key)
        readable(key, found)
      } catch {
        // Still unreadable.
      }
    }
    if (this.#failures.size > 0) this.#retryLater()
  }
}
