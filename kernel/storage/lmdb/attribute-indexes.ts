import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ListRequest, Revision } from 'orch/sdk/host'
import { recordHeader } from '../revision.js'
import { AttributeIndex } from './attribute-index.js'
import type { Environment } from './environment.js'
import { firstRange, type KeyRange, PastCursor } from './past-cursor.js'
import { walkRevision } from './walk-revision.js'

/** After this many lists, the size of a collection is checked again: it may be worth an index now. */
const listsBeforeRetry = 1000
/** The number of remembered selectors; the least recently used is evicted. */
const mostRemembered = 1000
const mostIndexes = 64

/** An index that a list fills while it visits every key, see `AttributeIndexes.prepare`. */
export interface CollectedIndex {
  readonly id: string
  readonly index: AttributeIndex
}

/**
 * Attribute indexes for the selectors of lists. The first list by an attribute fills its index while it reads; where it does not
 * read the whole collection, the index is built in the background when the selector is repeated
 * (`npm run bench:compare -- --only list-label-first`). Indexes are in memory and bounded, and only an optimization: with or
 * without one, a list has the same result.
 */
export class AttributeIndexes {
  readonly #environment: Environment
  /** The least recently used first. */
  readonly #indexes = new Map<string, AttributeIndex>()
  /** How many lists by an attribute are still to come before an index is made. */
  readonly #waiting = new Map<string, number>()
  #building: Promise<void> | undefined

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /**
   * Called when a list at a revision begins: lets its index catch up. If there is none, returns one that the list has to fill with
   * every key that it visits, and to hand to `adopt` if these were all.
   */
  async prepare({ prefix, after, filter }: ListRequest, revision: Revision): Promise<CollectedIndex | undefined> {
    for (const { name } of filter?.lookups ?? []) {
      const id = idOf(prefix, name)
      const index = this.#indexes.get(id)
      if (index === undefined) {
        if (!this.#isWanted(id, prefix, name, after === undefined)) return undefined
        return { id, index: new AttributeIndex(this.#environment, prefix, name, revision) }
      }
      this.#indexes.delete(id)
      this.#indexes.set(id, index)
      while (this.#follow(id, index) === 'behind') await nextTurn()
    }
    this.#makeRoom()
    return undefined
  }

  /** Keeps an index that has every key of its prefix at its revision, if it is worth its memory. */
  adopt({ id, index }: CollectedIndex): void {
    // Lists that began at the same time all fill one.
    if (this.#indexes.has(id)) return
    if (index.isTooLarge || index.size < this.#environment.limits.keysWorthIndexing)
      return this.#wait(id, listsBeforeRetry)
    this.#waiting.delete(id)
    this.#indexes.set(id, index)
    this.#makeRoom()
  }

  /** The keys that can match, in byte order, as of the snapshot of this turn; undefined if all have to be visited. */
  candidates({ prefix, filter, isUsual }: ListRequest): readonly Buffer[] | undefined {
    for (const lookup of filter?.lookups ?? []) {
      const id = idOf(prefix, lookup.name)
      const index = this.#indexes.get(id)
      if (index === undefined || this.#follow(id, index) !== 'there') continue
      const keys = index.keys(lookup, isUsual)
      if (keys !== undefined) return keys
    }
    return undefined
  }

  #follow(id: string, index: AttributeIndex): 'there' | 'behind' | 'gone' {
    const { revision, compacted } = this.#environment.readState()
    // An index that is too far behind is built again.
    if (!index.canFollow(compacted) || index.indexed > 2 * this.#environment.limits.indexedKeys) {
      this.#indexes.delete(id)
      return 'gone'
    }
    return index.follow(revision) ? 'there' : 'behind'
  }

  /** Whether the list should fill an index. One that begins in the middle cannot: if such lists are repeated, it is built beside them. */
  #isWanted(id: string, prefix: string, name: Buffer, readsFromStart: boolean): boolean {
    const { listsBeforeIndexing } = this.#environment.limits
    const left = this.#waiting.get(id) ?? listsBeforeIndexing
    this.#wait(id, Math.max(0, left - 1))
    if (this.#building) return false
    if (left > 0) return readsFromStart && left <= listsBeforeIndexing
    this.#building = this.#build(id, prefix, name)
      // The store is closed, or the revision was compacted: then there is no index, and the next list tries again.
      .catch(() => {})
      .finally(() => {
        this.#building = undefined
      })
    return false
  }

  #wait(id: string, lists: number): void {
    this.#waiting.delete(id)
    this.#waiting.set(id, lists)
    const [oldest] = this.#waiting.keys()
    if (this.#waiting.size > mostRemembered && oldest !== undefined) this.#waiting.delete(oldest)
  }

  /** Reads the whole prefix at one revision, a part in each turn as lists do. */
  async #build(id: string, prefix: string, name: Buffer): Promise<void> {
    const { revision } = this.#environment.readState()
    const index = new AttributeIndex(this.#environment, prefix, name, revision)
    for (let range: KeyRange | undefined = firstRange({ prefix }); range !== undefined && !index.isTooLarge; ) {
      await nextTurn()
      range = this.#readPart(index, range, revision)
    }
    this.adopt({ id, index })
  }

  #readPart(index: AttributeIndex, range: KeyRange, revision: Revision): KeyRange | undefined {
    const environment = this.#environment
    const { revision: newest, compacted } = environment.readState()
    if (revision < compacted) throw new Error(`revision ${revision} has been compacted`)
    const pasts = newest === revision ? undefined : new PastCursor(environment, range, revision)
    const resume = walkRevision(environment, range, revision, pasts, (bytes, start, _end, key) => {
      const attributes = start + recordHeader
      index.visit(key, bytes, attributes, attributes + bytes.readUInt32BE(start + 8))
      return true
    })
    return resume && { ...range, start: resume, isAfterStart: true }
  }

  #makeRoom(): void {
    let keys = 0
    for (const index of this.#indexes.values()) keys += index.indexed
    for (const [id, index] of this.#indexes) {
      if (keys <= this.#environment.limits.indexedKeys && this.#indexes.size <= mostIndexes) return
      this.#indexes.delete(id)
      keys -= index.indexed
    }
  }
}

const idOf = (prefix: string, name: Buffer): string => `${name.toString('latin1')}${prefix}`
