const firstMs = 1000
const mostMs = 15 * 60_000

/**
 * How long a failed Pod is left on its node before it is replaced: a node that rejects a daemon would otherwise get one after
 * another. Each failure doubles the wait; a node that has had none for twice the longest wait begins anew.
 */
export class FailedPodBackoff {
  readonly #waits = new Map<string, { waitMs: number; since: number }>()

  /** How long to wait yet for this place, in ms. 0: go on, which counts as a failure. */
  take(place: string, now: number): number {
    const known = this.#waits.get(place)
    if (known && now - known.since < known.waitMs) return known.waitMs - (now - known.since)
    const isOld = !known || now - known.since > 2 * mostMs
    this.#waits.set(place, { waitMs: isOld ? firstMs : Math.min(known.waitMs * 2, mostMs), since: now })
    if (this.#waits.size > mostPlaces) this.#forget(now)
    return 0
  }

  #forget(now: number): void {
    for (const [place, { since }] of this.#waits) if (now - since > 2 * mostMs) this.#waits.delete(place)
  }
}
/** Beyond this many entries, those whose backoff has ended are dropped. */
const mostPlaces = 1000
