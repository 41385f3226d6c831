/** Keys are in the order of their UTF-8 bytes, which differs from that of JavaScript for characters beyond U+D7FF. */
type KeyOrder = (one: string, other: string) => number

/** Such a character, or half of a surrogate pair. */
const beyond = /[\ud800-\uffff]/
const needsBytes = (key: string): boolean => beyond.test(key)

const byUnits: KeyOrder = (one, other) => (one === other ? 0 : one < other ? -1 : 1)
export const byBytes: KeyOrder = (one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))

/** Inserting into an array of this size takes negligible time. */
const maxBlockKeys = 512

/** A place among the keys. */
interface KeyPosition {
  readonly block: number
  readonly at: number
}

/** Keys in order, in blocks: adding and removing one moves the keys of one block only. */
export class SortedKeys {
  #blocks: string[][] = [[]]
  #order: KeyOrder = byUnits

  add(key: string): void {
    // Comparing bytes is slower, so it starts with the first key that needs it.
    if (needsBytes(key)) this.#order = byBytes
    const { block, at } = this.#firstFrom(key)
    const keys = this.#blocks[block]!
    if (keys[at] === key) return
    keys.splice(at, 0, key)
    if (keys.length <= maxBlockKeys) return
    const half = maxBlockKeys / 2
    this.#blocks.splice(block, 1, keys.slice(0, half), keys.slice(half))
  }

  remove(key: string): void {
    const { block, at } = this.#firstFrom(key)
    const keys = this.#blocks[block]!
    if (keys[at] !== key) return
    keys.splice(at, 1)
    if (keys.length === 0 && this.#blocks.length > 1) this.#blocks.splice(block, 1)
  }

  /** Keys with a prefix, in order, behind `after`. They must not change meanwhile. */
  *withPrefix(prefix: string, after?: string): Generator<string> {
    const isBehind = after !== undefined && byBytes(after, prefix) >= 0
    let { block, at } = this.#firstFrom(isBehind ? after : prefix)
    for (; block < this.#blocks.length; block++, at = 0) {
      const keys = this.#blocks[block]!
      for (; at < keys.length; at++) {
        const key = keys[at]!
        if (isBehind && key === after) continue
        // The iteration started at the prefix, so this key is after all that have it.
        if (!key.startsWith(prefix)) return
        yield key
      }
    }
  }

  /** The first key that is not before this one. */
  #firstFrom(key: string): KeyPosition {
    const order = needsBytes(key) ? byBytes : this.#order
    let [low, high] = [0, this.#blocks.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      const last = this.#blocks[middle]!.at(-1)
      if (last !== undefined && order(last, key) < 0) low = middle + 1
      else high = middle
    }
    const keys = this.#blocks[low]!
    let [first, end] = [0, keys.length]
    while (first < end) {
      const middle = (first + end) >> 1
      if (order(keys[middle]!, key) < 0) first = middle + 1
      else end = middle
    }
    return { block: low, at: first }
  }
}
