/** A rate limit: how much of something may happen per period. */
export class Budget {
  readonly #limit: number
  readonly #periodMs: number
  #began = Number.NEGATIVE_INFINITY
  #used = 0

  constructor(limit: number, periodMs: number) {
    this.#limit = limit
    this.#periodMs = periodMs
  }

  /** Takes an amount. Returns `exceeds` once per period, `exceeded` afterwards. */
  take(amount = 1): 'within' | 'exceeds' | 'exceeded' {
    const now = performance.now()
    if (now - this.#began >= this.#periodMs) {
      this.#began = now
      this.#used = 0
    }
    const before = this.#used
    this.#used += amount
    if (this.#used <= this.#limit) return 'within'
    return before <= this.#limit ? 'exceeds' : 'exceeded'
  }

  /** The time until the next period begins. */
  get leftMs(): number {
    return Math.max(0, this.#began + this.#periodMs - performance.now())
  }
}
