/** After this many timeouts in a row a webhook is presumed to hang. */
const timeoutsUntilShort = 3
/** How long calls to a hanging webhook wait, unless it has been known to take longer. */
const shortWaitMs = 1000

/**
 * How long to wait for a webhook. One that keeps timing out would delay every request by its full timeout, so most calls to it
 * wait only briefly before the failure policy applies. Every call is still made, and one at a time still waits the full
 * timeout, which detects a webhook that is merely slow or has recovered: waits become shorter, decisions do not change.
 */
export class AdaptiveTimeout {
  #timeoutsInARow = 0
  #isProbing = false
  #slowestAnswerMs = 0

  get isPresumedHanging(): boolean {
    return this.#timeoutsInARow >= timeoutsUntilShort
  }

  /** Begins a call that may take `timeoutMs`. */
  begin(timeoutMs: number): Wait {
    const isFull = !this.isPresumedHanging || !this.#isProbing
    if (this.isPresumedHanging && isFull) this.#isProbing = true
    const isProbe = this.isPresumedHanging && isFull
    const waitMs = isFull ? timeoutMs : Math.min(timeoutMs, Math.max(shortWaitMs, 2 * this.#slowestAnswerMs))
    return {
      waitMs,
      end: (outcome, tookMs) => {
        if (isProbe) this.#isProbing = false
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
