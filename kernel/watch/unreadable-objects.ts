import type { Clock, Gauge, Logger } from 'orch/sdk'
import type { StorageError, Store, StoredObject } from 'orch/sdk/host'

/** How soon they are read again for the first time, and how seldom in the end. */
const firstRetryMs = 1000
const longestRetryMs = 60_000

export interface UnreadableObjectsParts {
  readonly store: Pick<Store, 'get'>
  readonly clock: Clock
  readonly logger: Logger
  /** Of all caches of this process, by collection. */
  readonly gauge: Gauge
  readonly collection: string
  /** An object can be read again; undefined when it is gone. */
  readable(key: string, found: StoredObject | undefined): void
}

/**
 * Objects of a cache that were changed into something that cannot be read, because a key is missing for instance. What the cache
 * held of them before is no longer true. They are read again and again, and whoever asks for one meanwhile hears why it is not there.
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
  /** Those that could not be read in the first place. There may be many of one reason, so they are told of in one line. */
  addAll(failures: ReadonlyMap<string, StorageError>): void {
    const [failure] = failures.values()
    if (failure === undefined) return
    const { logger, collection } = this.#parts
    logger.error('objects cannot be read', { collection, count: failures.size, failure: failure.message })
    for (const [key, each] of failures) this.#failures.set(key, each)
    this.#retrySoon()
  }
  /** It is known what became of it. */
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
        // Something newer may have come meanwhile.
        if (this.#failures.get(key) !== failure) continue
        this.forget(key)
        readable(key, found)
      } catch {
        // As before.
      }
    }
    if (this.#failures.size > 0) this.#retryLater()
  }
}
