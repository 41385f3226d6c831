interface Box<V> {
  value: V | undefined
}

/**
 * Entries that come and go with requests. A plain Map or Set of them is costly: a table that it has replaced, because it was full or
 * full of gaps, refers to the table after it and keeps the entries of its time. Once one such table is among V8's old objects, all
 * that later ones keep survives the collections of young objects, request after request. Here they keep boxes that are empty.
 * Measured by its test: of 14 MB that came and went 8 MB were kept in a Map, and 15 kB here. How much CPU it saves depends on when a
 * table becomes old (`npm run bench -- --only 'create*'`).
 */
export class ShortLivedEntries<V extends object> {
  readonly #boxes = new Map<string | number, Box<V>>()
  #lastNumber = 0

  get size(): number {
    return this.#boxes.size
  }
  get(key: string | number): V | undefined {
    return this.#boxes.get(key)?.value
  }
  set(key: string | number, value: V): void {
    const box = this.#boxes.get(key)
    if (box) box.value = value
    else this.#boxes.set(key, { value })
  }
  /** Adds an entry under a new number, and returns the number. */
  add(value: V): number {
    this.set(++this.#lastNumber, value)
    return this.#lastNumber
  }
  /** Removes an entry; if a value is passed, only if the entry still has it. */
  delete(key: string | number, value?: V): void {
    const box = this.#boxes.get(key)
    if (!box || (value !== undefined && box.value !== value)) return
    box.value = undefined
    this.#boxes.delete(key)
  }
  clear(): void {
    for (const key of [...this.#boxes.keys()]) this.delete(key)
  }
  /** The entries at the time of the call. */
  values(): readonly V[] {
    const values: V[] = []
    for (const { value } of this.#boxes.values()) if (value) values.push(value)
    return values
  }
}
