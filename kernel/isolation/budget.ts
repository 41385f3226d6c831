/** How much of something may happen in a time; what is beyond that is left out. */
export class Budget {
  readonly #limit: number
  readonly #periodMs: number
  #began = Number.NEGATIVE_INFINITY
  #used = 0

  constructor(limit: number, periodMs: number) {
    this.#limit = limit
    this.#periodMs = periodMs
  }

  /** Takes some of it. `exceeds` is said once in each period, `exceeded` afterwards. */
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

  /** Until the next period begins. */
  get leftMs(): number {
    return Math.max(0, this.#began + this.#periodMs - performance.now())
  }
}
