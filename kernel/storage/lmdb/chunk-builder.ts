import type { ListChunk } from 'orch/sdk/host'

/** Room for the body that fills a chunk, if it is of usual size. */
const overhang = 16 * 1024
const comma = 0x2c

/**
 * Collects bodies, joined by commas. One serves a whole store, since a chunk is built without a pause.
 * A buffer that is mostly used goes to the receiver and is replaced, otherwise its content is copied to one of its size.
 */
export class ChunkBuilder {
  readonly #chunkBytes: number
  #buffer: Buffer | undefined
  #length = 0
  #offsets: number[] = []

  constructor(chunkBytes: number) {
    this.#chunkBytes = chunkBytes
  }

  get count(): number {
    return this.#offsets.length
  }
  get isFull(): boolean {
    return this.#length >= this.#chunkBytes
  }

  /** Forgets what an earlier reader that failed may have left. */
  begin(): void {
    this.#length = 0
    this.#offsets = []
  }

  add(source: Buffer, start: number, end: number): void {
    let buffer = this.#buffer ?? Buffer.allocUnsafeSlow(this.#chunkBytes + overhang)
    let length = this.#length
    const needed = length + 1 + end - start
    if (needed > buffer.length) {
      const larger = Buffer.allocUnsafeSlow(needed)
      buffer.copy(larger, 0, 0, length)
      buffer = larger
    }
    if (this.#offsets.length > 0) buffer[length++] = comma
    this.#offsets.push(length)
    buffer.set(source.subarray(start, end), length)
    this.#length = length + end - start
    this.#buffer = buffer
  }

  finish(lastKey: string, more: boolean): ListChunk {
    const filled = this.#buffer?.subarray(0, this.#length) ?? Buffer.alloc(0)
    const isGivenAway = this.#buffer !== undefined && filled.length > this.#buffer.length / 2
    const chunk = {
      joined: isGivenAway ? filled : Buffer.from(filled),
      count: this.#offsets.length,
      offsets: this.#offsets,
      lastKey,
      more,
    }
    if (isGivenAway) this.#buffer = undefined
    this.begin()
    return chunk
  }
}
