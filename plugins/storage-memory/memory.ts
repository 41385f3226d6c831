import type { Revision, StoreEventType } from 'orch/sdk/host'
import { SortedKeys } from './sorted-keys.js'
import type { Version } from './version.js'

/** An entry of the log. */
export interface Change {
  readonly key: string
  readonly type: StoreEventType
  /** When, in ms since the epoch. */
  readonly at: number
  /** The version in the event: on delete the last body. */
  readonly shown: Version & { readonly body: Buffer }
  readonly previous: Version | undefined
}

/** The contents of a store: the versions of every key, oldest first, and the log of changes. */
export class Memory {
  #revision: Revision = 1
  #compacted: Revision = 1
  /** Oldest first; entries before `#logStart` are removed. */
  #log: Change[] = []
  #logStart = 0
  readonly #versions = new Map<string, Version[]>()
  readonly #keys = new SortedKeys()
  #bytes = 0
  #count = 0

  get revision(): Revision {
    return this.#revision
  }
  get compacted(): Revision {
    return this.#compacted
  }
  get historyEntries(): number {
    return this.#log.length - this.#logStart
  }
  /** Keys that have a body now, and the size of these bodies. */
  get size(): { readonly keys: number; readonly bytes: number } {
    return { keys: this.#count, bytes: this.#bytes }
  }
  get oldest(): Change | undefined {
    return this.#log[this.#logStart]
  }

  /** The version of a key at a revision. */
  at(key: string, revision = this.#revision): Version | undefined {
    const found = this.#versions.get(key)?.findLast(version => version.revision <= revision)
    return found?.body === undefined ? undefined : found
  }
  keys(prefix: string, after?: string): Generator<string> {
    return this.#keys.withPrefix(prefix, after)
  }
  put(change: Change, version: Version): void {
    const { key, previous } = change
    this.#store(key, version)
    this.#count += (version.body ? 1 : 0) - (previous ? 1 : 0)
    this.#bytes += (version.body?.length ?? 0) - (previous?.body?.length ?? 0)
    this.#log.push(change)
    this.#revision = version.revision
  }
  /** Loads an object of a snapshot, without history. */
  load(key: string, version: Version & { readonly body: Buffer }): void {
    this.#store(key, version)
    this.#count++
    this.#bytes += version.body.length
  }
  #store(key: string, version: Version): void {
    const versions = this.#versions.get(key)
    if (versions) versions.push(version)
    else {
      this.#versions.set(key, [version])
      this.#keys.add(key)
    }
  }

  advanceTo(revision: Revision): void {
    this.#revision = Math.max(this.#revision, revision)
    this.forgetBefore(this.#revision)
  }
  /** Changes with `from < revision <= to`, oldest first. */
  changes(from: Revision, to: Revision): readonly Change[] {
    return this.#log.slice(this.#placeAfter(from), this.#placeAfter(to))
  }
  /** The revision of the last change before a time. */
  lastBefore(time: number): Revision | undefined {
    let [low, high] = [this.#logStart, this.#log.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#log[middle]!.at < time) low = middle + 1
      else high = middle
    }
    return this.#log[low - 1]?.shown.revision
  }
  /** Removes versions that only earlier revisions need. The cost is proportional to the removed history. */
  forgetBefore(revision: Revision): void {
    const compacted = Math.min(revision, this.#revision)
    if (compacted <= this.#compacted) return
    this.#compacted = compacted
    const end = this.#placeAfter(compacted)
    for (let at = this.#logStart; at < end; at++) this.#trim(this.#log[at]!.key)
    this.#logStart = end
    if (this.#logStart > this.#log.length / 2) {
      this.#log = this.#log.slice(this.#logStart)
      this.#logStart = 0
    }
  }
  #trim(key: string): void {
    const versions = this.#versions.get(key)
    if (!versions) return
    const oldest = versions.findLastIndex(version => version.revision <= this.#compacted)
    if (oldest > 0) versions.splice(0, oldest)
    if (versions.length > 1 || versions[0]?.body !== undefined) return
    this.#versions.delete(key)
    this.#keys.remove(key)
  }
  /** The index in the log of the first change after a revision. */
  #placeAfter(revision: Revision): number {
    let [low, high] = [this.#logStart, this.#log.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#log[middle]!.shown.revision <= revision) low = middle + 1
      else high = middle
    }
    return low
  }
}
