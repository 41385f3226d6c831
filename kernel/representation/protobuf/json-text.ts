/** Longer texts are parsed: the positions of their values would take too much memory. */
const maxTextLength = 2 ** 18
const maxTextDepth = 128

/**
 * Finds values in JSON text as `JSON.stringify` writes it, without building them. Anything else (white space, keys with escapes)
 * throws `notPlain`, and the text has to be parsed.
 */
export class JsonText {
  bytes: Buffer = Buffer.alloc(0)
  /** By the position of a quote or bracket, relative to `#origin`: the end of that string, list or object. */
  #ends = new Int32Array(4096)
  #origin = 0
  readonly #open = new Int32Array(maxTextDepth)
  /** The first backslash at or after `#searchedFrom`: most texts have none, and one search is enough for all of them. */
  #escape = -1
  #searchedFrom = 0

  begin(bytes: Buffer): void {
    this.bytes = bytes
    this.#searchedFrom = 0
    this.#escape = -1
  }

  /** Finds the ends of all values in the object between these positions, in one pass. */
  index(start: number, end: number): void {
    const length = end - start
    if (length > maxTextLength) throw notPlain
    if (length > this.#ends.length) this.#ends = new Int32Array(2 * length)
    this.#origin = start
    const { bytes } = this
    const ends = this.#ends
    const open = this.#open
    let depth = 0
    for (let place = start; place < end; ) {
      const sign = bytes[place]
      if (sign === quote) {
        const after = this.#endOfString(place)
        ends[place - start] = after
        place = after
        continue
      }
      place++
      if (sign === beginObject || sign === beginList) {
        if (depth === maxTextDepth) throw notPlain
        open[depth++] = place - 1
      } else if (sign === endObject || sign === endList) {
        if (--depth < 0) throw notPlain
        ends[open[depth]! - start] = place
        if (depth === 0 && place !== end) throw notPlain
      }
    }
    if (depth !== 0) throw notPlain
  }

  /** The end of the value that starts here, within the indexed text. */
  skip(start: number): number {
    const { bytes } = this
    const sign = bytes[start]!
    if (sign === quote || sign === beginObject || sign === beginList) return this.#ends[start - this.#origin]!
    let end = start
    for (let next = sign; next !== comma && next !== endObject && next !== endList; next = bytes[++end]!)
      if (!(next > space) || next === quote) throw notPlain
    return end
  }

  /** The end of the key that starts here, at its quote. Throws unless a value follows immediately. */
  endOfKey(start: number): number {
    const { bytes } = this
    if (bytes[start] !== quote) throw notPlain
    const end = this.#ends[start - this.#origin]! - 1
    if (bytes[end + 1] !== colon) throw notPlain
    return end
  }
  /** Whether there are only unescaped ASCII characters. */
  isAscii(start: number, end: number): boolean {
    const { bytes } = this
    for (let place = start; place < end; place++) {
      const sign = bytes[place]!
      if (sign >= 128 || sign === backslash) return false
    }
    return true
  }

  /** Whether the text between these positions has exactly these bytes. */
  isAt(start: number, end: number, expected: Buffer): boolean {
    const { length } = expected
    if (end - start !== length) return false
    const { bytes } = this
    // From the end: times differ in their seconds.
    for (let index = length - 1; index >= 0; index--) if (bytes[start + index] !== expected[index]) return false
    return true
  }

  isNull(start: number): boolean {
    return this.bytes[start] === letterN
  }

  hasEscape(start: number, end: number): boolean {
    if (start < this.#searchedFrom || this.#escape < start) {
      const found = this.bytes.indexOf(backslash, start)
      this.#escape = found < 0 ? Number.MAX_SAFE_INTEGER : found
      this.#searchedFrom = start
    }
    return this.#escape < end
  }

  /** The text between these positions. */
  value(start: number, end: number): unknown {
    return JSON.parse(this.bytes.toString('utf8', start, end))
  }

  #endOfString(start: number): number {
    const { bytes } = this
    let end = start + 1
    // Most strings are short, and a native call costs more than checking a few bytes.
    const near = end + 40
    for (; end < near; end++) {
      const sign = bytes[end]
      if (sign === quote) return end + 1
      if (sign === backslash) return this.#endOfEscaped(end)
    }
    end = bytes.indexOf(quote, end)
    if (end < 0) throw notPlain
    return this.hasEscape(start, end) ? this.#endOfEscaped(this.#escape) : end + 1
  }
  #endOfEscaped(start: number): number {
    const { bytes } = this
    for (let end = start; end < bytes.length; end++) {
      const sign = bytes[end]
      if (sign === backslash) end++
      else if (sign === quote) return end + 1
    }
    throw notPlain
  }
}

/** Thrown without a stack: the text has to be parsed. */
export const notPlain = Object.freeze({ notPlain: true })

const code = (sign: string) => sign.charCodeAt(0)
const quote = code('"')
const backslash = code('\\')
const colon = code(':')
const comma = code(',')
const space = code(' ')
const beginList = code('[')
const endList = code(']')
const beginObject = code('{')
const endObject = code('}')
const letterN = code('n')
