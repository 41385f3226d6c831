/** Writes the WebAssembly binary format. */
export class BinaryWriter {
  #bytes: Uint8Array
  #length = 0

  constructor(expected = 1024) {
    this.#bytes = new Uint8Array(expected)
  }

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  byte(...values: readonly number[]): this {
    this.#reserve(values.length)
    for (const value of values) this.#bytes[this.#length++] = value
    return this
  }

  raw(bytes: Uint8Array): this {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
    return this
  }

  u32(value: number): this {
    let rest = value
    while (rest >= 0x80) {
      this.byte((rest % 0x80) | 0x80)
      rest = Math.floor(rest / 0x80)
    }
    return this.byte(rest)
  }

  /** A signed number; never negative here. */
  s32(value: number): this {
    let rest = value
    while (rest >= 0x40) {
      this.byte((rest & 0x7f) | 0x80)
      rest >>>= 7
    }
    return this.byte(rest)
  }

  /** Bytes preceded by their length. */
  sized(bytes: Uint8Array): this {
    return this.u32(bytes.length).raw(bytes)
  }

  name(text: string): this {
    return this.sized(new TextEncoder().encode(text))
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}
