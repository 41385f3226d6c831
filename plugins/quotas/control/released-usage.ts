import { type Amounts, excessOf, noAmounts, sumAmounts } from '../amounts/amounts.js'

/** Usage that deleted or reduced objects have released, by quota, until it is subtracted from the quota's usage. */
export class ReleasedUsage {
  readonly #amounts = new Map<string, Amounts>()
  of(key: string): Amounts {
    return this.#amounts.get(key) ?? noAmounts
  }
  add(key: string, amounts: Amounts): void {
    if (amounts.size > 0) this.#amounts.set(key, sumAmounts([this.of(key), amounts]))
  }
  /** Removes amounts that were subtracted from the usage; amounts released in the meantime remain. */
  subtract(key: string, amounts: Amounts): void {
    const left = excessOf(this.of(key), amounts)
    if (left.size === 0) this.#amounts.delete(key)
    else this.#amounts.set(key, left)
  }
  forget(key: string): void {
    this.#amounts.delete(key)
  }
}
