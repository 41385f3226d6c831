import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'

/** The file with the older part of a recording. */
export const olderPart = (path: string): string => `${path}.1`

/**
 * A file of lines with a maximum size: at half of it, the file is renamed and replaces the older
 * part. Lines are written when `write` returns, so that nothing is lost with the process.
 */
export class RecordFile {
  readonly #path: string
  readonly #partBytes: number
  readonly #head: (part: number) => string
  #part = 0
  #descriptor: number | undefined
  #bytes = 0

  /** `head` is the first line of each part. */
  constructor(path: string, maxBytes: number, head: (part: number) => string) {
    this.#path = path
    this.#partBytes = Math.floor(maxBytes / 2)
    this.#head = head
  }

  get isOpen(): boolean {
    return this.#descriptor !== undefined
  }

  /** Replaces existing files. Throws if the file cannot be written. */
  open(): void {
    rmSync(olderPart(this.#path), { force: true })
    rmSync(this.#path, { force: true })
    this.#begin()
  }

  /** Returns true if the line is the first of a part. */
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
    // It contains objects, so only its owner may read it.
    this.#descriptor = openSync(this.#path, 'wx', 0o600)
    this.#bytes = 0
    this.#append(this.#head(++this.#part))
  }
  #append(line: string): void {
    this.#bytes += writeSync(this.#descriptor!, line)
  }
}
