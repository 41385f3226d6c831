import type { ListRequest, Revision } from 'orch/sdk/host'
import {
  afterPastOf,
  isTooLong,
  maxKeyBytes,
  pastKey,
  pastRevisionStart,
  prefixEnd,
  readRevision,
} from '../revision.js'
import type { Environment } from './environment.js'

export interface KeyRange {
  readonly start: Buffer
  /** The start itself is left out. */
  readonly isAfterStart: boolean
  readonly end: Buffer | undefined
}

/** Where a list begins and ends. */
export function firstRange({ prefix, after }: Pick<ListRequest, 'prefix' | 'after'>): KeyRange {
  // LMDB accepts no longer key, not even as a start. No stored key is longer, so comparing with the truncated one gives
  // the same result.
  const first = Buffer.from(prefix).subarray(0, maxKeyBytes)
  if (isTooLong(prefix)) return { start: first, isAfterStart: true, end: first }
  const previous = after === undefined ? undefined : Buffer.from(after).subarray(0, maxKeyBytes)
  const isAfterStart = previous !== undefined && previous.compare(first) >= 0
  return { start: isAfterStart ? previous : first, isAfterStart, end: prefixEnd(first) }
}

/** A key that had another version at the listed revision; the log entry of `replacedAt` holds it. */
export interface PastVersion {
  readonly key: Buffer
  readonly replacedAt: Revision
}
/** Versions that were current at a revision and have been replaced since, in key order. */
export interface PastVersions {
  next(): PastVersion | undefined
  close(): void
}

/**
 * Finds past versions through the index of past keys. Of each key only the first replacement after the revision matters;
 * the others are stepped over, and jumped over where they are many.
 */
export class PastCursor implements PastVersions {
  readonly #environment: Environment
  readonly #end: Buffer | undefined
  readonly #revision: Revision
  #iterator: Iterator<unknown>
  #decided: Buffer | undefined
  #modRevision = 0

  constructor(environment: Environment, { start, isAfterStart, end }: KeyRange, revision: Revision) {
    this.#environment = environment
    this.#end = end
    this.#revision = revision
    this.#iterator = this.#from(isAfterStart ? afterPastOf(start) : start)
  }

  next(): PastVersion | undefined {
    const { scanPast, limits } = this.#environment
    const { key: scanned } = scanPast
    let useless = 0
    for (;;) {
      scanPast.visit = value => {
        this.#modRevision = readRevision(value, 0)
      }
      if (this.#iterator.next().done) return undefined
      const revisionStart = pastRevisionStart(scanned.end)
      const keyEnd = revisionStart - 1
      const replacedAt = readRevision(scanned.bytes, revisionStart)
      if (replacedAt <= this.#revision) {
        if (++useless % limits.stepsPerSeek === 0) this.#jump(pastKey(this.#copyKey(keyEnd), this.#revision + 1))
        continue
      }
      if (this.#decided !== undefined && this.#decided.compare(scanned.bytes, scanned.start, keyEnd) === 0) {
        if (++useless % limits.stepsPerSeek === 0) this.#jump(afterPastOf(this.#decided))
        continue
      }
      this.#decided = this.#copyKey(keyEnd)
      if (this.#modRevision <= this.#revision) return { key: this.#decided, replacedAt }
    }
  }

  close(): void {
    this.#iterator.return?.()
  }

  #copyKey(end: number): Buffer {
    const { bytes, start } = this.#environment.scanPast.key
    return Buffer.from(bytes.subarray(start, end))
  }
  #jump(start: Buffer): void {
    this.close()
    this.#iterator = this.#from(start)
  }
  #from(start: Buffer): Iterator<unknown> {
    return this.#environment.scanPast.database.getRange({ start, end: this.#end })[Symbol.iterator]()
  }
}
