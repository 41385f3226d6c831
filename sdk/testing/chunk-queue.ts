/** Documents handed to one reader as lines of JSON; it ends when closed. */
export class ChunkQueue implements AsyncIterable<Buffer> {
  /** Called once when it closes, from either side. */
  onClose: (() => void) | undefined
  readonly #chunks: Buffer[] = []
  #wake: (() => void) | undefined
  #isClosed = false

  push(document: unknown): void {
    this.#chunks.push(Buffer.from(`${JSON.stringify(document)}\n`))
    this.#wake?.()
  }
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#wake?.()
    this.onClose?.()
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        const chunk = this.#chunks.shift()
        if (chunk) yield chunk
        else if (this.#isClosed) return
        else
          await new Promise<void>(resolve => {
            this.#wake = resolve
          })
      }
    } finally {
      this.close()
    }
  }
}
