import { readFileSync, statSync } from 'node:fs'
import { StorageError } from 'orch/sdk/host'
import { freeBytesAt, reservedBytes } from '../disk-space.js'
import { dataFile } from './data-file.js'
import type { Environment } from './environment.js'

const measureEveryMs = 100
/** Measured also after this part of the bound was written, so that a burst cannot overshoot it by much. */
const measuredPart = 1 / 64
/** The fraction of a file size limit that is kept free instead, if it is less. */
const limitedPart = 2
/** How long all writes are rejected after a commit found no space. */
const refusalMs = 500

/** The disk figures that a guard uses, and the time in milliseconds. */
export interface Disk {
  freeBytes(): number
  now(): number
}

/**
 * Bounds the data of a store. LMDB of this version enlarges its map instead of reporting that it is full, so the bound is
 * kept here, on pages in use. Only new data is refused: deletes and compaction need a few pages to free many.
 *
 * A disk that is full is noticed before LMDB writes to it, and one that was found full is left alone for a while: processes
 * were seen to die of a damaged heap while commits failed inside lmdb 3.5.6. Not proved, but likely: mdb_page_flush describes
 * a failed write with sprintf in 100 bytes, which the text may exceed.
 */
export class SpaceGuard {
  readonly #environment: Environment
  readonly #maxBytes: number | undefined
  readonly #disk: Disk
  #usedBytes = 0
  #hasRoom = true
  #measuredAt = Number.NEGATIVE_INFINITY
  #refusedUntil = Number.NEGATIVE_INFINITY
  #writtenSince = 0

  constructor(environment: Environment, maxBytes: number | undefined, disk: Disk = diskAt(environment.path)) {
    this.#environment = environment
    this.#maxBytes = maxBytes
    this.#disk = disk
  }

  /** Throws if not even a delete should be tried. */
  checkAny(): void {
    if (this.#disk.now() < this.#refusedUntil) {
      throw new StorageError('full', 'no space left for the store: the disk was found full')
    }
  }
  /** Throws if there is no space for more; `bytes` are about to be written. */
  check(bytes: number): void {
    this.checkAny()
    const now = this.#disk.now()
    const burst = Math.min(this.#maxBytes === undefined ? Infinity : this.#maxBytes * measuredPart, reservedBytes / 4)
    this.#writtenSince += bytes
    if (now - this.#measuredAt >= measureEveryMs || this.#writtenSince > burst) this.#measure(now)
    if (!this.#hasRoom) throw new StorageError('full', 'no space left for the store: the disk is full')
    if (this.#maxBytes !== undefined && this.#usedBytes >= this.#maxBytes) {
      throw new StorageError('full', `the store holds ${this.#usedBytes} bytes of at most ${this.#maxBytes}`)
    }
  }

  /** Why new data would be rejected now; undefined if it would be accepted. */
  reasonToRefuse(): string | undefined {
    try {
      this.check(0)
      return undefined
    } catch (error) {
      return (error as StorageError).message
    }
  }

  /** A commit failed for this reason. */
  failed(error: unknown): void {
    if (error instanceof StorageError && error.kind === 'full') this.#refusedUntil = this.#disk.now() + refusalMs
  }

  /** What can still be written: on the disk, and within the bound. */
  freeBytes(): number {
    const onDisk = this.#disk.freeBytes() + this.#unusedBytes()
    return this.#maxBytes === undefined
      ? onDisk
      : Math.max(0, Math.min(onDisk, this.#maxBytes - this.#environment.usedBytes()))
  }

  /** Free pages of the file, which are used before the file grows. */
  #unusedBytes(): number {
    return this.#environment.fileBytes() - this.#environment.usedBytes()
  }
  #measure(now: number): void {
    this.#measuredAt = now
    this.#writtenSince = 0
    this.#hasRoom = this.#disk.freeBytes() >= reservedBytes || this.#unusedBytes() >= reservedBytes
    if (this.#maxBytes !== undefined) this.#usedBytes = this.#environment.usedBytes()
  }
}

const diskAt = (path: string): Disk => ({
  now: performance.now.bind(performance),
  freeBytes: () => Math.min(freeBytesAt(path), freeInFile(path)),
})

/** How far the file may grow before it meets the limit that this process has for files, where the system tells it. */
function freeInFile(path: string): number {
  try {
    const limit = /^Max file size +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1]
    if (limit === undefined) return Infinity
    const free = Number(limit) - statSync(dataFile(path)).size
    // With a small file size limit, less is kept free.
    return (free * reservedBytes) / Math.min(reservedBytes, Number(limit) / limitedPart)
  } catch {
    return Infinity
  }
}
