const firstMs = 1000
const maxMs = 15 * 60_000

/**
 * How long a failed Pod is kept before it is replaced: a node that rejects a daemon would otherwise get one after
 * another. Each failure doubles the backoff; it is reset after twice the maximum without a failure.
 */
export class FailedPodBackoff {
  readonly #waits = new Map<string, { waitMs: number; since: number }>()

  /** The remaining backoff of this key in ms. 0 means that the Pod is replaced now, and counts as a failure. */
  next(key: string, now: number): number {
    const known = this.#waits.get(key)
    if (known && now - known.since < known.waitMs) return known.waitMs - (now - known.since)
    const isOld = !known || now - known.since > 2 * maxMs
    this.#waits.set(key, { waitMs: isOld ? firstMs : Math.min(known.waitMs * 2, maxMs), since: now })
    if (this.#waits.size > maxEntries) this.#dropExpired(now)
    return 0
  }

  #dropExpired(now: number): void {
    for (const [key, { since }] of this.#waits) if (now - since > 2 * maxMs) this.#waits.delete(key)
  }
}
/** Beyond this many entries, those whose backoff has ended are dropped. */
const maxEntries = 1000
