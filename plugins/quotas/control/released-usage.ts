import { type Amounts, excessOf, noAmounts, sumAmounts } from '../amounts/amounts.js'

/** What objects that went or shrank no longer use, by quota, until it is taken off the quota's usage. */
export class ReleasedUsage {
  readonly #amounts = new Map<string, Amounts>()
  of(key: string): Amounts {
    return this.#amounts.get(key) ?? noAmounts
  }
  add(key: string, amounts: Amounts): void {
    if (amounts.size > 0) this.#amounts.set(key, sumAmounts([this.of(key), amounts]))
  }
  /** These were taken off; what was released meanwhile still is to be. */
  settle(key: string, amounts: Amounts): void {
    const left = excessOf(this.of(key), amounts)
    if (left.size === 0) this.#amounts.delete(key)
    else this.#amounts.set(key, left)
  }
  forget(key: string): void {
    this.#amounts.delete(key)
  }
}
