/** Who has served for this long has not failed at start. */
const provenMs = 10_000
const firstDelayMs = 250
const maxDelayMs = 30_000

/** How long to wait before a worker is replaced: not at all after an accident, longer and longer when it keeps dying. */
export class RestartDelay {
  #failures = 0

  /** A worker ended that had served for `servedMs`; 0 when it never did. */
  next(servedMs: number): number {
    if (servedMs >= provenMs) this.#failures = 0
    this.#failures++
    // A first death of one that did serve is an accident; one that could not even start will hardly do better at once.
    const repeated = this.#failures - (servedMs > 0 ? 2 : 1)
    return repeated < 0 ? 0 : Math.min(maxDelayMs, firstDelayMs * 2 ** repeated)
  }
}
