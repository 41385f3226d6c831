const newline = 0x0a

/** Cuts a stream of JSON documents, one per line, into documents. */
export class JsonLines {
  // Pieces of a line that is not complete yet; joined once, so that a long line costs no more than its length.
  #pieces: Buffer[] = [];

  /** The documents that this chunk completes. */
  *push(chunk: Buffer): Iterable<unknown> {
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const line =
        this.#pieces.length === 0 ? chunk.toString('utf8', start, end) : this.#join(chunk.subarray(start, end))
      start = end + 1
      if (!isBlank(line)) yield JSON.parse(line)
    }
    if (start < chunk.length) this.#pieces.push(start === 0 ? chunk : chunk.subarray(start))
  }

  /** The document after the last line end, if any. */
  *end(): Iterable<unknown> {
    const line = this.#join()
    if (!isBlank(line)) yield JSON.parse(line)
  }

  #join(...last: Buffer[]): string {
    const line = Buffer.concat([...this.#pieces, ...last]).toString('utf8')
    this.#pieces = []
    return line
  }
}

const isBlank = (line: string) => line.length < 2 && line.trim() === ''
