import { StorageError } from 'orch/sdk'
import type { Environment } from './environment.js'

const measureEveryMs = 100
/** Measured also after this part of the bound was written, so that a burst cannot overshoot it by much. */
const measuredPart = 1 / 64

/**
 * Bounds the data of a store. LMDB of this version enlarges its map instead of reporting that it is full, so the bound is
 * kept here, on pages in use. Only new data is refused: deletes and compaction need a few pages to free many.
 */
export class SpaceGuard {
  readonly #environment: Environment
  readonly #maxBytes: number | undefined
  #usedBytes = 0
  #measuredAt = Number.NEGATIVE_INFINITY
  #writtenSince = 0

  constructor(environment: Environment, maxBytes: number | undefined) {
    this.#environment = environment
    this.#maxBytes = maxBytes
  }

  /** Throws when there is no room for more; `bytes` are about to be written. */
  check(bytes: number): void {
    if (this.#maxBytes === undefined) return
    const now = performance.now()
    this.#writtenSince += bytes
    if (now - this.#measuredAt >= measureEveryMs || this.#writtenSince > this.#maxBytes * measuredPart) {
      this.#measuredAt = now
      this.#writtenSince = 0
      this.#usedBytes = this.#environment.usedBytes()
    }
    if (this.#usedBytes >= this.#maxBytes) {
      throw new StorageError('full', `the store holds ${this.#usedBytes} bytes of at most ${this.#maxBytes}`)
    }
  }
}
