/** Counts how often a marker occurs in a stream of pieces, also across their borders. */
export class MarkerCounter {
  readonly #marker: Buffer
  #tail: Buffer = Buffer.alloc(0)
  count = 0

  constructor(marker: string) {
    this.#marker = Buffer.from(marker)
  }

  read(piece: Buffer): void {
    const border = this.#marker.length - 1
    if (this.#tail.length > 0) this.count += this.#occurrences(Buffer.concat([this.#tail, piece.subarray(0, border)]))
    this.count += this.#occurrences(piece)
    this.#tail =
      piece.length >= border
        ? Buffer.from(piece.subarray(piece.length - border))
        : Buffer.concat([this.#tail, piece]).subarray(-border)
  }

  #occurrences(bytes: Buffer): number {
    let found = 0
    for (let at = bytes.indexOf(this.#marker); at >= 0; at = bytes.indexOf(this.#marker, at + this.#marker.length))
      found++
    return found
  }
}
