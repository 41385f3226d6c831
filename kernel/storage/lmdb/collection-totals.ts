import type { Revision } from 'orch/sdk/host'
import { entryHasPrefix, entryTypeOf } from '../revision.js'
import type { Environment } from './environment.js'
import { revisionKey } from './read-log.js'

interface Total {
  readonly revision: Revision
  readonly count: number
}

/** Collections whose size is remembered; others are counted again. */
const maxCollections = 1000
/**
 * Reading an entry of the log costs as much as counting one or two keys: with one entry per this many keys, following
 * the log is cheaper.
 */
const keysPerEntry = 4
const alwaysFollowed = 1000

/** How many keys a prefix had, counted once and then kept up to date from the log: a million keys take half a second. */
export class CollectionTotals {
  readonly #environment: Environment
  readonly #known = new Map<string, Total>()

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** The count at a revision, if it follows from an earlier one. */
  at(prefix: string, revision: Revision): number | undefined {
    const known = this.#known.get(prefix)
    if (known === undefined) return undefined
    const followed = Math.max(alwaysFollowed, known.count / keysPerEntry)
    const isFollowed = revision >= known.revision && revision - known.revision <= followed
    if (!isFollowed || known.revision < this.#environment.readState().compacted) return undefined
    const count = known.count + this.#change(Buffer.from(prefix), known.revision, revision)
    this.remember(prefix, revision, count)
    return count
  }

  remember(prefix: string, revision: Revision, count: number): void {
    this.#known.delete(prefix)
    this.#known.set(prefix, { revision, count })
    const [oldest] = this.#known.keys()
    if (this.#known.size > maxCollections && oldest !== undefined) this.#known.delete(oldest)
  }

  #change(prefix: Buffer, from: Revision, to: Revision): number {
    if (from === to) return 0
    const { scanLog } = this.#environment
    let change = 0
    scanLog.visit = entry => {
      if (!entryHasPrefix(entry, prefix)) return
      const type = entryTypeOf(entry)
      if (type === 'create') change++
      else if (type === 'delete') change--
    }
    for (const _ of scanLog.database.getRange({ start: revisionKey(from + 1), end: revisionKey(to + 1) }));
    return change
  }
}
