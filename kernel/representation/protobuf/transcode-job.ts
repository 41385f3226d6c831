import { JsonText, notPlain } from './json-text.js'
import { WireWriter } from './wire-writer.js'

const quote = 0x22
/** A map with more keys than this that are not in order is parsed: the insertion sort below is quadratic. */
const maxUnsorted = 32

/** The input and output of transcoding, and the positions of the fields. */
export class TranscodeJob {
  readonly text = new JsonText()
  readonly writer = new WireWriter()
  /** Start and end of the fields of every open struct, consecutively; -1 for absent fields. */
  places = new Int32Array(256)
  #used = 0

  /** Ensures space for the positions of this many fields. */
  enter(count: number): number {
    const base = this.#used
    this.#used = base + 2 * count
    if (this.#used > this.places.length) {
      const larger = new Int32Array(2 * this.#used)
      larger.set(this.places)
      this.places = larger
    }
    return base
  }
  leave(base: number): void {
    this.#used = base
  }

  /** Sorts the entries of a map by their keys. They are mostly written in order already. */
  sortKeys(base: number, count: number): void {
    const { places } = this
    const { bytes } = this.text
    for (let entry = 1; entry < count; entry++) {
      const start = places[base + 2 * entry]!
      const end = places[base + 2 * entry + 1]!
      let to = entry
      while (to > 0 && isKeyBefore(bytes, start, places[base + 2 * to - 2]!)) {
        if (count > maxUnsorted) throw notPlain
        places[base + 2 * to] = places[base + 2 * to - 2]!
        places[base + 2 * to + 1] = places[base + 2 * to - 1]!
        to--
      }
      places[base + 2 * to] = start
      places[base + 2 * to + 1] = end
    }
  }
}

/** Compares keys of ASCII characters, which end at their quotes. */
function isKeyBefore(bytes: Buffer, one: number, other: number): boolean {
  for (let index = 0; ; index++) {
    const left = bytes[one + index]!
    const right = bytes[other + index]!
    if (left === quote || right === quote) return left === quote && right !== quote
    if (left !== right) return left < right
  }
}
