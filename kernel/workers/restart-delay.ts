/** A worker that has served for this long counts as started successfully. */
const stableAfterMs = 10_000
const firstDelayMs = 250
const maxDelayMs = 30_000

/** The delay before a worker is replaced: none after a single crash, with backoff if workers keep crashing. */
export class RestartDelay {
  #failures = 0

  /** Called when a worker has exited after serving for `servedMs`; 0 if it never served. */
  next(servedMs: number): number {
    if (servedMs >= stableAfterMs) this.#failures = 0
    this.#failures++
    // The first crash of a worker that did serve is not delayed; one that failed to start would most likely fail again at once.
    const repeated = this.#failures - (servedMs > 0 ? 2 : 1)
    return repeated < 0 ? 0 : Math.min(maxDelayMs, firstDelayMs * 2 ** repeated)
  }
}
