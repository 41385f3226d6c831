/**
 * Entries that come and go with requests, under a key or under a number of their own. Boxes around the values, which keep V8 from
 * holding on to removed ones, were tried: a create takes as much CPU with them (`npm run bench:compare -- --only create-c1,create-c64`).
 */
export class ShortLivedEntries<V extends object> {
  readonly #entries = new Map<string | number, V>()
  #lastNumber = 0

  get size(): number {
    return this.#entries.size
  }
  get(key: string | number): V | undefined {
    return this.#entries.get(key)
  }
  set(key: string | number, value: V): void {
    this.#entries.set(key, value)
  }
  /** Adds an entry under a number of its own, and returns that. */
  add(value: V): number {
    this.set(++this.#lastNumber, value)
    return this.#lastNumber
  }
  /** Removes an entry; if a value is passed, only while it is that. */
  delete(key: string | number, value?: V): void {
    if (value === undefined || this.#entries.get(key) === value) this.#entries.delete(key)
  }
  clear(): void {
    this.#entries.clear()
  }
  /** Those that there are when this is called. */
  values(): readonly V[] {
    return [...this.#entries.values()]
  }
}
