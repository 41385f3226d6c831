/** Returns a buffer of this length, with any content. */
export type Allocate = (length: number) => Buffer

const maxKeptBytes = 2 ** 20
const frameLengthBytes = 4

/**
 * Writes the Protobuf wire format straight into one growing buffer. protobufjs' writer keeps an object per value and measures
 * before it writes, which makes long lists three times as slow. protobufjs is only used for reading.
 */
export class WireWriter {
  #buffer: Buffer
  #position = 0

  constructor(size = 4096) {
    this.#buffer = Buffer.allocUnsafe(size)
  }

  /** Discards everything written, also after a failure in the middle of a message. */
  reset(): void {
    this.#position = 0
    // One large object must not keep a large buffer allocated.
    if (this.#buffer.length > maxKeptBytes) this.#buffer = Buffer.allocUnsafe(maxKeptBytes)
  }
  /** Discards everything after this many bytes. */
  rewind(length: number): void {
    this.#position = length
  }
  get length(): number {
    return this.#position
  }

  /** A copy of the bytes written since a position, in new memory or in some that the caller provides. */
  toBytes(allocate: Allocate = Buffer.allocUnsafe, since = 0): Buffer {
    const bytes = allocate(this.#position - since)
    this.#buffer.copy(bytes, 0, since, this.#position)
    return bytes
  }

  /** An unsigned number below 2^32: a tag or a length. */
  unsigned(value: number): this {
    this.#reserve(5)
    if (value < 128) this.#buffer[this.#position++] = value
    else this.#position = putVarint(this.#buffer, this.#position, value)
    return this
  }

  /** A signed integer, int32 or int64: negative ones take ten bytes. */
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

  /** Bytes of another buffer, prefixed with their length. */
  copy(source: Buffer, start: number, end: number): this {
    const length = end - start
    this.unsigned(length)
    this.#reserve(length)
    const buffer = this.#buffer
    let position = this.#position
    if (length < 48) for (let index = start; index < end; index++) buffer[position++] = source[index]!
    else source.copy(buffer, position, start, end)
    this.#position += length
    return this
  }
  /** Bytes that are already encoded fields. */
  append(fields: Buffer): this {
    this.#reserve(fields.length)
    for (let index = 0; index < fields.length; index++) this.#buffer[this.#position++] = fields[index]!
    return this
  }

  text(value: string): this {
    const { length } = value
    this.#reserve(length * 3 + 5)
    // Short texts are mostly ASCII, and a native call costs more than writing them here.
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

  /** Starts a nested message of about this many bytes; pass the result and the same estimate to `end`. */
  begin(guess = 0): number {
    const size = varintSize(guess)
    this.#reserve(size)
    const start = this.#position
    this.#position += size
    return start
  }

  /** Ends a nested message: writes its length before it, where space was reserved by the estimate. */
  end(start: number, guess = 0): void {
    const guessed = varintSize(guess)
    const length = this.#position - start - guessed
    const size = varintSize(length)
    if (size !== guessed) {
      if (size > guessed) this.#reserve(size - guessed)
      this.#buffer.copyWithin(start + size, start + guessed, this.#position)
      this.#position += size - guessed
    }
    putVarint(this.#buffer, start, length)
  }

  /** Starts a frame of a stream; pass the result to `endFrame`. */
  beginFrame(): number {
    this.#reserve(frameLengthBytes)
    const start = this.#position
    this.#position += frameLengthBytes
    return start
  }
  /** Ends a frame: writes its length before it, big-endian. */
  endFrame(start: number): void {
    this.#buffer.writeUInt32BE(this.#position - start - frameLengthBytes, start)
  }

  #reserve(bytes: number): void {
    if (this.#position + bytes <= this.#buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#position + bytes))
    larger.set(this.#buffer.subarray(0, this.#position))
    this.#buffer = larger
  }
}

/** Writes an unsigned number and returns the position after it. */
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
