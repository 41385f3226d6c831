import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'

/** Where the older part of a recording is. */
export const olderPart = (path: string): string => `${path}.1`

/**
 * A file of lines that does not grow beyond a limit: at half of it what there is becomes the older part, in place of the one
 * before. Lines are there when `write` returns, so that nothing is lost with the process.
 */
export class RecordFile {
  readonly #path: string
  readonly #partBytes: number
  readonly #head: (part: number) => string
  #part = 0
  #descriptor: number | undefined
  #bytes = 0

  /** `head` is what each part begins with. */
  constructor(path: string, maxBytes: number, head: (part: number) => string) {
    this.#path = path
    this.#partBytes = Math.floor(maxBytes / 2)
    this.#head = head
  }

  get isOpen(): boolean {
    return this.#descriptor !== undefined
  }

  /** Begins anew. Throws when the file cannot be written. */
  open(): void {
    rmSync(olderPart(this.#path), { force: true })
    rmSync(this.#path, { force: true })
    this.#begin()
  }

  /** True when the line is the first of a part. */
  write(line: string): boolean {
    if (this.#descriptor === undefined) return false
    const begins = this.#bytes + Buffer.byteLength(line) > this.#partBytes
    if (begins) {
      this.close()
      renameSync(this.#path, olderPart(this.#path))
      this.#begin()
    }
    this.#append(line)
    return begins
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  #begin(): void {
    // Objects are in it, so it is for its owner alone.
    this.#descriptor = openSync(this.#path, 'wx', 0o600)
    this.#bytes = 0
    this.#append(this.#head(++this.#part))
  }
  #append(line: string): void {
    this.#bytes += writeSync(this.#descriptor!, line)
  }
}
