/** A module that cannot be metered; the message is written for its author. */
export class MeteringError extends Error {}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads the WebAssembly binary format, and never past its end. */
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
    if (byte === undefined) throw new MeteringError(`the module is truncated at byte ${this.position}`)
    this.position += 1
    return byte
  }

  skip(length: number): void {
    if (length > this.end - this.position)
      throw new MeteringError(`at byte ${this.position} ${length} bytes are declared, but fewer follow`)
    this.position += length
  }

  /** The next bytes, without copying them. */
  take(length: number): Uint8Array {
    const from = this.position
    this.skip(length)
    return this.bytes.subarray(from, this.position)
  }

  /** A reader for the next bytes, such as a section or a function. */
  part(length: number): BinaryReader {
    const from = this.position
    this.skip(length)
    return new BinaryReader(this.bytes, from, this.position)
  }

  /** An unsigned 32-bit number. */
  u32(): number {
    const at = this.position
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte()
      // Only four bits of the fifth byte are used.
      if (shift === 28 && byte > 0x0f) break
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    throw new MeteringError(`the number at byte ${at} is too large`)
  }

  /** An item count. Every item takes at least one byte, so a count cannot exceed the remaining bytes. */
  count(what: string): number {
    const at = this.position
    const count = this.u32()
    if (count > this.end - this.position)
      throw new MeteringError(`at byte ${at} ${count} ${what} are declared, but there is no room for them`)
    return count
  }

  /** Skips a signed number of up to this many bits. */
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
