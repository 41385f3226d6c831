/**
 * Writes the Protobuf wire format straight into one growing buffer. protobufjs' writer keeps an object per value and measures
 * before it writes, which makes a long list three times as slow; reading is left to protobufjs.
 */
export class WireWriter {
  #buffer: Buffer
  #position = 0

  constructor(size = 4096) {
    this.#buffer = Buffer.allocUnsafe(size)
  }

  /** Forgets what was written, also after a failure in the middle of a message. */
  reset(): void {
    this.#position = 0
  }

  /** A copy of what was written. */
  toBytes(): Buffer {
    return Buffer.from(this.#buffer.subarray(0, this.#position))
  }

  /** An unsigned number below 2^32: a tag or a length. */
  unsigned(value: number): this {
    this.#reserve(5)
    this.#position = putVarint(this.#buffer, this.#position, value)
    return this
  }

  /** A signed whole number, as int32 and int64 share it: negative ones take ten bytes. */
  integer(value: number): this {
    if (value >= 0 && value < 2 ** 32) return this.unsigned(value)
    this.#reserve(10)
    let rest = BigInt.asUintN(64, BigInt(value))
    while (rest > 127n) {
      this.#buffer[this.#position++] = Number(rest & 127n) | 128
      rest >>= 7n
    }
    this.#buffer[this.#position++] = Number(rest)
    return this
  }

  double(value: number): this {
    this.#reserve(8)
    this.#position = this.#buffer.writeDoubleLE(value, this.#position)
    return this
  }

  bytes(value: Uint8Array): this {
    this.unsigned(value.length)
    this.#reserve(value.length)
    this.#buffer.set(value, this.#position)
    this.#position += value.length
    return this
  }

  text(value: string): this {
    const { length } = value
    this.#reserve(length * 3 + 5)
    // Short texts are mostly ASCII; a call into the engine costs more than writing them here.
    if (length < 64 && this.#putShortAscii(value, length)) return this
    const start = this.#position
    const assumed = varintSize(length)
    const written = this.#buffer.write(value, start + assumed, 'utf8')
    const actual = varintSize(written)
    if (actual !== assumed) this.#buffer.copyWithin(start + actual, start + assumed, start + assumed + written)
    this.#position = putVarint(this.#buffer, start, written) + written
    return this
  }

  #putShortAscii(value: string, length: number): boolean {
    const buffer = this.#buffer
    let position = this.#position
    buffer[position++] = length
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index)
      if (code > 127) return false
      buffer[position++] = code
    }
    this.#position = position
    return true
  }

  /** Starts a nested message; `end` takes what this returns. */
  begin(): number {
    this.#reserve(1)
    return this.#position++
  }

  /** Ends a nested message: its length goes in front of it. Most are short, so one byte was left for that. */
  end(start: number): void {
    const length = this.#position - start - 1
    const size = varintSize(length)
    if (size > 1) {
      this.#reserve(size - 1)
      this.#buffer.copyWithin(start + size, start + 1, this.#position)
      this.#position += size - 1
    }
    putVarint(this.#buffer, start, length)
  }

  #reserve(bytes: number): void {
    if (this.#position + bytes <= this.#buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#position + bytes))
    larger.set(this.#buffer.subarray(0, this.#position))
    this.#buffer = larger
  }
}

/** Writes an unsigned number and returns the position behind it. */
export function putVarint(buffer: Buffer, position: number, value: number): number {
  while (value > 127) {
    buffer[position++] = (value & 127) | 128
    value >>>= 7
  }
  buffer[position++] = value
  return position
}

export const varintSize = (value: number): number =>
  value < 128 ? 1 : value < 16_384 ? 2 : value < 2_097_152 ? 3 : value < 268_435_456 ? 4 : 5
