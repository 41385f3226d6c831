/** After so many timeouts in a row a webhook is presumed to hang. */
const timeoutsUntilImpatient = 3
/** How long calls to a hanging webhook wait, unless it has been known to take longer. */
const impatientWaitMs = 1000

/**
 * How long to wait for a webhook. One that keeps timing out holds up every request for its whole timeout; then most calls
 * wait only a moment before the failure policy decides. Every call is still made, and one at a time still waits the full
 * timeout, so a webhook that is merely slow, or well again, is noticed: waiting becomes shorter, decisions do not change.
 */
export class AdaptiveTimeout {
  #timeoutsInARow = 0
  #isSomeoneWaiting = false
  #slowestAnswerMs = 0

  /** Is it presumed to hang? */
  get isLost(): boolean {
    return this.#timeoutsInARow >= timeoutsUntilImpatient
  }

  /** Begins a call that may take `timeoutMs`. */
  begin(timeoutMs: number): Wait {
    const isFull = !this.isLost || !this.#isSomeoneWaiting
    if (this.isLost && isFull) this.#isSomeoneWaiting = true
    const isProbe = this.isLost && isFull
    const waitMs = isFull ? timeoutMs : Math.min(timeoutMs, Math.max(impatientWaitMs, 2 * this.#slowestAnswerMs))
    return {
      waitMs,
      end: (outcome, tookMs) => {
        if (isProbe) this.#isSomeoneWaiting = false
        if (outcome === 'timeout') this.#timeoutsInARow++
        else if (outcome !== 'cut short') {
          this.#timeoutsInARow = 0
          if (outcome === 'answer') this.#slowestAnswerMs = Math.max(this.#slowestAnswerMs * 0.99, tookMs)
        }
      },
    }
  }
}
export interface Wait {
  readonly waitMs: number
  /**
   * Must be called when the call is over. A `failure` came immediately, so no time was spent waiting. A call that was
   * `cut short` by the client says nothing about the webhook.
   */
  end(outcome: 'answer' | 'timeout' | 'failure' | 'cut short', tookMs: number): void
}
