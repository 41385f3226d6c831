import type { AttributeLookup, ListRequest, Revision } from 'orch/sdk/host'
import { lookUp, markOf } from '../attributes.js'
import { attributesOf, bodyStartOf, entryHasPrefix, entryKeyOf, previousOf, recordHeader } from '../revision.js'
import type { Environment, ScannedKey } from './environment.js'
import { revisionKey } from './read-log.js'

interface Posting {
  readonly keys: Set<string>
  /** In byte order, computed on demand. */
  sorted: readonly Buffer[] | undefined
}

/**
 * Which keys of a prefix have which value of one attribute. It is valid at a revision and catches up with the log when
 * it is used, so that writes are not affected.
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
  #lastMark = { text: '', bytes: Buffer.alloc(0) }
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
  /** It would take all the memory of indexes for itself. */
  get isTooLarge(): boolean {
    return this.#indexed > this.#environment.limits.indexedKeys
  }

  /** Takes a key of the revision at which the index begins. Call it for each of them, once; bytes are of the attributes. */
  visit(key: ScannedKey, bytes: Buffer, start: number, end: number): void {
    if (this.isTooLarge) return
    this.#count(this.#usualMark(bytes, start, end), 1)
    const value = lookUp(bytes, start, end, this.#name)
    if (value !== undefined) this.#post(key.bytes.toString('utf8', key.start, key.end), value)
  }

  /** The mark of these attributes. Nearly all of a collection have the same, so that no text has to be made. */
  #usualMark(bytes: Buffer, start: number, end: number): string {
    const { text, bytes: last } = this.#lastMark
    const isSame =
      last.length > 0 &&
      end - start >= last.length &&
      bytes.compare(last, 0, last.length, start, start + last.length) === 0
    if (isSame) return text
    const mark = markOf(bytes, start, end)
    this.#lastMark = { text: mark, bytes: Buffer.from(mark, 'latin1') }
    return mark
  }

  #add(key: string, bytes: Buffer, start: number, end: number): void {
    this.#count(markOf(bytes, start, end), 1)
    const value = lookUp(bytes, start, end, this.#name)
    if (value !== undefined) this.#post(key, value)
  }

  #post(key: string, value: string): void {
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

  /**
   * Catches up with the log towards `newest`, the revision of this turn's snapshot, by a bounded amount. True once the
   * index has reached that snapshot.
   */
  follow(newest: Revision): boolean {
    this.#readLog(newest)
    // The current state of a changed key is only known at the revision up to which the log was read.
    return this.#readTo === newest && this.#applyChanges()
  }

  #readLog(newest: Revision): void {
    const { scanLog, limits } = this.#environment
    const to = Math.min(newest, this.#readTo + limits.logEntriesPerRead)
    if (to <= this.#readTo) return
    scanLog.visit = entry => {
      if (!entryHasPrefix(entry, this.#prefix)) return
      const key = entryKeyOf(entry)
      if (this.#changed.has(key)) return
      const before = previousOf(entry)
      this.#changed.set(key, before && Buffer.from(attributesOf(before)))
    }
    for (const _ of scanLog.database.getRange({ start: revisionKey(this.#readTo + 1), end: revisionKey(to + 1) }));
    this.#readTo = to
  }

  #applyChanges(): boolean {
    const { current, limits } = this.#environment
    let left = limits.keysPerRead
    for (const [key, before] of this.#changed) {
      if (left-- === 0) return false
      if (before !== undefined) this.#remove(key, before)
      const record = current.getBinaryFast(key)
      if (record !== undefined) this.#add(key, record, recordHeader, bodyStartOf(record))
      this.#changed.delete(key)
    }
    return true
  }

  /** Whether it can still catch up, if the log is compacted to `compacted`. */
  canFollow(compacted: Revision): boolean {
    return this.#readTo >= compacted
  }

  /**
   * The keys that can match, in byte order, at the snapshot that the index has caught up with; undefined if visiting
   * all is cheaper.
   */
  keys({ values }: AttributeLookup, isUsual: ListRequest['isUsual']): readonly Buffer[] | undefined {
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
