import { StorageError } from 'orch/sdk'
import type { Environment } from './environment.js'

const measureEveryMs = 100

/**
 * Bounds the data of a store. LMDB of this version enlarges its map instead of reporting that it is full, so the bound is
 * kept here, on pages in use. Only new data is refused: deletes and compaction need a few pages to free many.
 */
export class SpaceGuard {
  readonly #environment: Environment
  readonly #maxBytes: number | undefined
  #usedBytes = 0
  #measuredAt = Number.NEGATIVE_INFINITY

  constructor(environment: Environment, maxBytes: number | undefined) {
    this.#environment = environment
    this.#maxBytes = maxBytes
  }

  check(): void {
    if (this.#maxBytes === undefined) return
    const now = performance.now()
    if (now - this.#measuredAt >= measureEveryMs) {
      this.#measuredAt = now
      this.#usedBytes = this.#environment.usedBytes()
    }
    if (this.#usedBytes >= this.#maxBytes) {
      throw new StorageError('full', `the store holds ${this.#usedBytes} bytes of at most ${this.#maxBytes}`)
    }
  }
}
