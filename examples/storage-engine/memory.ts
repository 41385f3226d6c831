import type { Revision, StoreEventType } from 'orch/sdk/host'
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

/** The contents of a store. A real engine has this on disk or in a cluster; the rest of the example can be kept. */
export class Memory {
  revision: Revision = 1
  compacted: Revision = 1
  /** Newest last. */
  log: Change[] = []
  readonly #versions = new Map<string, Version[]>()
  /** In the order of their bytes, which is not that of JavaScript; undefined after a key was added or removed. */
  #sorted: readonly string[] | undefined

  /** The version of a key at a revision. */
  at(key: string, revision = this.revision): Version | undefined {
    const found = this.#versions.get(key)?.findLast(version => version.revision <= revision)
    return found?.body === undefined ? undefined : found
  }
  keys(prefix: string): readonly string[] {
    this.#sorted ??= [...this.#versions.keys()].sort((left, right) =>
      Buffer.compare(Buffer.from(left), Buffer.from(right)),
    )
    return this.#sorted.filter(key => key.startsWith(prefix))
  }
  put(key: string, version: Version, change: Change): void {
    const versions = this.#versions.get(key)
    if (versions) versions.push(version)
    else {
      this.#versions.set(key, [version])
      this.#sorted = undefined
    }
    this.log.push(change)
    this.revision = version.revision
  }
  /** Removes versions that only earlier revisions need. */
  forgetBefore(revision: Revision): void {
    this.compacted = Math.max(this.compacted, Math.min(revision, this.revision))
    this.log = this.log.filter(({ shown }) => shown.revision > this.compacted)
    for (const [key, versions] of this.#versions) {
      const oldest = versions.findLastIndex(version => version.revision <= this.compacted)
      versions.splice(0, Math.max(oldest, 0))
      if (versions.length > 1 || versions[0]?.body !== undefined) continue
      this.#versions.delete(key)
      this.#sorted = undefined
    }
  }
}
