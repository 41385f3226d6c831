/** Lets through so many at once, and so many each second after that. */
export class TokenBucket {
  readonly #perSecond: number
  readonly #size: number
  #tokens: number
  #countedAt: number

  constructor(perSecond: number, size: number, now: number) {
    this.#perSecond = perSecond
    this.#size = size
    this.#tokens = size
    this.#countedAt = now
  }
  /** Takes one, if there is one. */
  take(now: number): boolean {
    const grown = this.#tokens + ((now - this.#countedAt) / 1000) * this.#perSecond
    this.#tokens = Math.min(this.#size, grown)
    this.#countedAt = now
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }
}
