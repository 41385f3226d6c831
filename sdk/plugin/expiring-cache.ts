import type { Clock } from './basic-services.js'

/** A bounded cache in which each value has its own lifetime; the least recently used one is evicted first. */
export class ExpiringCache<V> {
  readonly #clock: Clock
  readonly #maxEntries: number
  readonly #entries = new Map<string, { readonly value: V; readonly expiresAt: number }>()

  constructor(clock: Clock, maxEntries: number) {
    this.#clock = clock
    this.#maxEntries = maxEntries
  }
  /** Undefined when it was never set, or has expired. */
  get(key: string): V | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    if (entry.expiresAt <= this.#clock.now()) return undefined
    this.#entries.set(key, entry)
    return entry.value
  }
  /** Nothing is kept for a time of zero. */
  set(key: string, value: V, ttlMs: number): void {
    if (ttlMs <= 0) return
    this.#entries.delete(key)
    this.#entries.set(key, { value, expiresAt: this.#clock.now() + ttlMs })
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.#maxEntries && oldest !== undefined) this.#entries.delete(oldest)
  }
}
