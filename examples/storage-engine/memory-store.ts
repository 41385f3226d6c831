import {
  CompactedError,
  type Decide,
  type ListPage,
  type ListRequest,
  type Revision,
  StorageError,
  type Store,
  type StoredObject,
  type StoreEvent,
  type StoreStats,
  type TransactionResult,
  Transactions,
  type TransactOptions,
  type Write,
  type WriteResult,
  withVersion,
} from 'orch/sdk/host'
import { listChunks } from './list-chunks.js'
import type { Change, Memory } from './memory.js'
import type { Version } from './version.js'

/** The maximum length of a key; every engine has such a limit, and must reject longer ones. */
const maxKeyBytes = 1_900

/** A store in memory. It commits at once, so nothing waits; a real engine batches writes and commits them together. */
export class MemoryStore implements Store {
  readonly #memory: Memory
  readonly #historyMs: number
  readonly #now: () => number
  readonly #subscribers = new Set<(events: readonly StoreEvent[]) => void>()
  readonly #transactions = new Transactions()
  #isClosed = false
  constructor(memory: Memory, { historyMs, now }: { historyMs: number; now: () => number }) {
    this.#memory = memory
    this.#historyMs = historyMs
    this.#now = now
  }
  currentRevision(): Revision {
    return this.#memory.revision
  }
  latestRevision(): Revision {
    return this.#memory.revision
  }
  compactedRevision(): Revision {
    return this.#memory.compacted
  }
  get(key: string): StoredObject | undefined {
    const found = this.#memory.at(key)
    return found && storedObject(key, found)
  }
  list(request: ListRequest): ListPage {
    const { revision: newest, compacted } = this.#memory
    const { revision = newest } = request
    if (revision > newest) throw new StorageError('unavailable', `there is no revision ${revision} yet`)
    if (revision < compacted) throw new CompactedError(compacted)
    return { revision, items: listChunks(this.#memory, request, revision) }
  }
  count(prefix: string): number {
    return this.#memory.keys(prefix).filter(key => this.#memory.at(key)).length
  }
  writeTurn(): undefined {}
  /** Serializes changes of a key; `Transactions` does that for any engine that can read and write. */
  transact(key: string, decide: Decide, options?: TransactOptions): Promise<TransactionResult> {
    return this.#transactions.run(this, key, decide, options)
  }
  async write({ key, body, attributes, lastBody, expect }: Write): Promise<WriteResult> {
    if (this.#isClosed) throw new StorageError('unavailable', 'the store is closed')
    if (Buffer.byteLength(key) > maxKeyBytes) throw new StorageError('tooLarge', 'the key is too long')
    const previous = this.#memory.at(key)
    const isExpected = expect === undefined || expect === (previous?.revision ?? 0)
    const hasNothingToDelete = body === undefined && previous === undefined
    if (!isExpected || hasNothingToDelete) return { ok: false, current: previous && storedObject(key, previous) }
    const revision = this.#memory.revision + 1
    // Copied, because the caller may reuse the buffers.
    const version: Version = {
      revision,
      body: body && Buffer.from(body),
      attributes: Buffer.from(attributes ?? (body ? [] : (previous?.attributes ?? []))),
    }
    const shown = { ...version, body: version.body ?? lastBody ?? previous?.body ?? Buffer.alloc(0) }
    const type = body === undefined ? 'delete' : previous ? 'update' : 'create'
    const change: Change = { key, type, at: this.#now(), shown, previous }
    this.#memory.put(key, version, change)
    this.#forgetOld()
    // Subscribers come first: once a write has succeeded, it must be visible.
    for (const deliver of this.#subscribers) deliver([eventOf(change)])
    return { ok: true, revision, body: body && withVersion(body, revision) }
  }
  subscribe(deliver: (events: readonly StoreEvent[]) => void): () => void {
    this.#subscribers.add(deliver)
    return () => this.#subscribers.delete(deliver)
  }
  *history(prefix: string, from: Revision, to: Revision): Generator<StoreEvent> {
    if (from < this.#memory.compacted) throw new CompactedError(this.#memory.compacted)
    for (const change of this.#memory.log) {
      const { revision } = change.shown
      if (revision > from && revision <= to && change.key.startsWith(prefix)) yield eventOf(change)
    }
  }
  async compact(revision: Revision): Promise<void> {
    this.#memory.forgetBefore(revision)
  }
  stats(): StoreStats {
    const { revision, compacted, log } = this.#memory
    const keys = this.#memory.keys('').flatMap(key => this.#memory.at(key) ?? [])
    const sizeBytes = keys.reduce((sum, { body }) => sum + (body?.length ?? 0), 0)
    return { revision, compactedRevision: compacted, keys: keys.length, sizeBytes, historyEntries: log.length }
  }
  async advanceTo(revision: Revision): Promise<void> {
    this.#memory.revision = Math.max(this.#memory.revision, revision)
    this.#memory.forgetBefore(this.#memory.revision)
  }
  /** No other process writes to the store. */
  catchUp(): void {}
  async close(): Promise<void> {
    this.#isClosed = true
    this.#subscribers.clear()
  }
  /** Removes old versions, but not at every write, because that iterates over all keys. */
  #forgetOld(): void {
    const { log } = this.#memory
    const now = this.#now()
    if ((log[0]?.at ?? now) > now - 2 * this.#historyMs) return
    const newestOld = log.findLast(({ at }) => at < now - this.#historyMs)
    if (newestOld) this.#memory.forgetBefore(newestOld.shown.revision)
  }
}

const storedObject = (key: string, { revision, body, attributes }: Version): StoredObject => ({
  key,
  modRevision: revision,
  body: withVersion(body ?? Buffer.alloc(0), revision),
  attributes: Buffer.from(attributes),
})
const eventOf = ({ key, type, shown, previous }: Change): StoreEvent => ({
  revision: shown.revision,
  type,
  key,
  body: withVersion(shown.body, shown.revision),
  attributes: shown.attributes,
  previousAttributes: previous?.attributes,
  previousBody: () => previous?.body && withVersion(previous.body, previous.revision),
})
