/** A module that cannot be metered; the message is a sentence for its author. */
export class MeteringError extends Error {}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads the binary format of WebAssembly, and never beyond its end. */
export class BinaryReader {
  readonly bytes: Uint8Array
  readonly end: number
  position: number

  constructor(bytes: Uint8Array, position = 0, end = bytes.length) {
    this.bytes = bytes
    this.position = position
    this.end = end
  }

  get isAtEnd(): boolean {
    return this.position >= this.end
  }

  byte(): number {
    const byte = this.position < this.end ? this.bytes[this.position] : undefined
    if (byte === undefined) throw new MeteringError(`the module ends in the middle, at byte ${this.position}`)
    this.position += 1
    return byte
  }

  skip(length: number): void {
    if (length > this.end - this.position)
      throw new MeteringError(`at byte ${this.position} ${length} bytes are announced, and fewer are there`)
    this.position += length
  }

  /** The bytes that follow, without copying them. */
  take(length: number): Uint8Array {
    const from = this.position
    this.skip(length)
    return this.bytes.subarray(from, this.position)
  }

  /** What follows, as far as a section or a function goes. */
  part(length: number): BinaryReader {
    const from = this.position
    this.skip(length)
    return new BinaryReader(this.bytes, from, this.position)
  }

  /** An unsigned number of 32 bits. */
  u32(): number {
    const at = this.position
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte()
      // The fifth byte has room for four bits only.
      if (shift === 28 && byte > 0x0f) break
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    throw new MeteringError(`the number at byte ${at} is too large`)
  }

  /** How many items follow. Each takes a byte at least, so a count is never larger than what is left. */
  count(what: string): number {
    const at = this.position
    const count = this.u32()
    if (count > this.end - this.position)
      throw new MeteringError(`at byte ${at} ${count} ${what} are announced, and there is no room for them`)
    return count
  }

  /** Passes over a signed number of up to so many bits. */
  skipSigned(bits: number): void {
    const at = this.position
    for (let read = 0; read < bits; read += 7) if (this.byte() < 0x80) return
    throw new MeteringError(`the number at byte ${at} is too large`)
  }

  name(): string {
    const at = this.position
    const bytes = this.take(this.u32())
    try {
      return utf8.decode(bytes)
    } catch {
      throw new MeteringError(`the name at byte ${at} is not UTF-8`)
    }
  }
}
