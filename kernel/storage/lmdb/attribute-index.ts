import type { AttributeLookup, ListRequest, Revision } from 'orch/sdk/host'
import { lookUp, markOf } from '../attributes.js'
import { attributesOf, bodyStartOf, entryHasPrefix, entryKeyOf, previousOf, recordHeader } from '../revision.js'
import type { Environment } from './environment.js'
import { revisionKey } from './read-log.js'

interface Posting {
  readonly keys: Set<string>
  /** In byte order, made when they are asked for. */
  sorted: readonly Buffer[] | undefined
}

/**
 * Which keys of a prefix have which value of one attribute. It is as of a revision and follows the log when it is asked, so that
 * writes know nothing of it.
 */
export class AttributeIndex {
  readonly #environment: Environment
  readonly #prefix: Buffer
  readonly #name: Buffer
  readonly #postings = new Map<string, Posting>()
  /** How many keys have attributes that begin with a mark. */
  readonly #marks = new Map<string, number>()
  /** Keys that changed since, with the attributes that they are indexed by. */
  readonly #changed = new Map<string, Buffer | undefined>()
  #readTo: Revision
  #size = 0
  #indexed = 0

  constructor(environment: Environment, prefix: string, name: Buffer, revision: Revision) {
    this.#environment = environment
    this.#prefix = Buffer.from(prefix)
    this.#name = name
    this.#readTo = revision
  }

  /** Keys of the prefix. */
  get size(): number {
    return this.#size
  }
  /** Those of them that have the attribute, and are therefore kept in memory. */
  get indexed(): number {
    return this.#indexed + this.#changed.size
  }

  add(key: string, bytes: Buffer, start: number, end: number): void {
    this.#count(markOf(bytes, start, end), 1)
    const value = lookUp(bytes, start, end, this.#name)
    if (value === undefined) return
    let posting = this.#postings.get(value)
    if (posting === undefined) this.#postings.set(value, (posting = { keys: new Set(), sorted: undefined }))
    posting.keys.add(key)
    posting.sorted = undefined
    this.#indexed++
  }

  #remove(key: string, attributes: Buffer): void {
    this.#count(markOf(attributes, 0, attributes.length), -1)
    const value = lookUp(attributes, 0, attributes.length, this.#name)
    const posting = value === undefined ? undefined : this.#postings.get(value)
    if (posting === undefined) return
    posting.keys.delete(key)
    posting.sorted = undefined
    this.#indexed--
    if (posting.keys.size === 0) this.#postings.delete(value!)
  }

  #count(mark: string, change: number): void {
    this.#size += change
    const count = (this.#marks.get(mark) ?? 0) + change
    if (count === 0) this.#marks.delete(mark)
    else this.#marks.set(mark, count)
  }

  /** Reads the log up to `newest`, or a part of it that does not take long. False while there is more. */
  read(newest: Revision): boolean {
    const { scanLog, limits } = this.#environment
    const to = Math.min(newest, this.#readTo + limits.logEntriesPerRead)
    scanLog.visit = entry => {
      if (!entryHasPrefix(entry, this.#prefix)) return
      const key = entryKeyOf(entry)
      if (this.#changed.has(key)) return
      const before = previousOf(entry)
      this.#changed.set(key, before && Buffer.from(attributesOf(before)))
    }
    const range = { start: revisionKey(this.#readTo + 1), end: revisionKey(to + 1) }
    if (to > this.#readTo) for (const _ of scanLog.database.getRange(range));
    this.#readTo = to
    return to === newest
  }

  /** Can it still follow, with the log going back to `compacted`? */
  canFollow(compacted: Revision): boolean {
    return this.#readTo >= compacted
  }

  /** Only when the log was read up to the snapshot of this turn: the index becomes one of that snapshot. */
  #apply(): void {
    const { current } = this.#environment
    for (const [key, before] of this.#changed) {
      if (before !== undefined) this.#remove(key, before)
      const record = current.getBinaryFast(key)
      if (record !== undefined) this.add(key, record, recordHeader, bodyStartOf(record))
    }
    this.#changed.clear()
  }

  /**
   * The keys that can match, in byte order, as of the snapshot of this turn up to which the log was read; undefined if it is
   * better to visit all.
   */
  keys({ values }: AttributeLookup, isUsual: ListRequest['isUsual']): readonly Buffer[] | undefined {
    this.#apply()
    if (isUsual !== undefined && !this.#areUsual(isUsual)) return undefined
    const postings = values.flatMap(value => this.#postings.get(value.toString('latin1')) ?? [])
    const count = postings.reduce((sum, { keys }) => sum + keys.size, 0)
    if (count * this.#environment.limits.keysPerLookup > this.#size) return undefined
    const [only] = postings
    if (postings.length < 2) return only === undefined ? [] : (only.sorted ??= sorted(only.keys))
    return sorted(new Set(postings.flatMap(({ keys }) => [...keys])))
  }

  #areUsual(isUsual: NonNullable<ListRequest['isUsual']>): boolean {
    for (const mark of this.#marks.keys()) {
      const bytes = Buffer.from(mark, 'latin1')
      if (!isUsual(bytes, 0, bytes.length)) return false
    }
    return true
  }
}

const sorted = (keys: ReadonlySet<string>): readonly Buffer[] =>
  Array.from(keys, key => Buffer.from(key)).sort(Buffer.compare)
