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
  withoutVersion,
  withVersion,
} from 'orch/sdk/host'
import { listChunks } from './list-chunks.js'
import type { Change, Memory } from './memory.js'
import type { Version } from './version.js'

/** The limit of the embedded store, so that data can be moved there. */
const longestKeyBytes = 1_900
const none = Buffer.alloc(0)

export interface MemoryStoreOptions {
  readonly historyMs: number
  readonly now: () => number
  /** Called once, when the store is closed. */
  readonly whenClosed?: () => void
}

/** A store in memory. A write is committed when the call returns, so that nothing waits. */
export class MemoryStore implements Store {
  readonly #memory: Memory
  readonly #options: MemoryStoreOptions
  readonly #subscribers = new Set<(events: readonly StoreEvent[]) => void>()
  /** The revisions of writes that others may build on. */
  readonly #written = new WeakMap<Write, Revision>()
  readonly #transactions = new Transactions({ supportsChainedWrites: true })
  #isClosed = false

  constructor(memory: Memory, options: MemoryStoreOptions) {
    this.#memory = memory
    this.#options = options
  }

  currentRevision = (): Revision => this.#memory.revision
  latestRevision = (): Revision => this.#memory.revision
  compactedRevision = (): Revision => this.#memory.compacted

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
    let count = 0
    for (const key of this.#memory.keys(prefix)) if (this.#memory.at(key)) count++
    return count
  }

  writeTurn(): undefined {}

  transact(key: string, decide: Decide, options?: TransactOptions): Promise<TransactionResult> {
    return this.#transactions.run(this, key, decide, options)
  }

  async write(write: Write): Promise<WriteResult> {
    const { key, body, attributes, lastBody } = write
    if (this.#isClosed) throw new StorageError('unavailable', 'the store is closed')
    if (Buffer.byteLength(key) > longestKeyBytes) throw new StorageError('tooLarge', 'the key is too long')
    const previous = this.#memory.at(key)
    const hasNothingToDelete = body === undefined && previous === undefined
    if (!this.#isExpected(write, previous) || hasNothingToDelete)
      return { ok: false, current: previous && storedObject(key, previous) }
    const revision = this.#memory.revision + 1
    // Copied, because the caller may reuse the buffers.
    const version: Version = {
      revision,
      body: body && withVersion(body, revision),
      attributes: Buffer.from(attributes ?? (body ? none : (previous?.attributes ?? none))),
    }
    const shown = { ...version, body: version.body ?? lastShown(lastBody, previous, revision) }
    const type = body === undefined ? 'delete' : previous ? 'update' : 'create'
    const change: Change = { key, type, at: this.#options.now(), shown, previous }
    this.#memory.put(change, version)
    this.#written.set(write, revision)
    this.#forgetOld()
    // Subscribers come first: once a write has succeeded, it must be visible.
    const events = [eventOf(change)]
    for (const deliver of this.#subscribers) deliver(events)
    return { ok: true, revision, body: version.body && Buffer.from(version.body) }
  }

  #isExpected({ expect, after }: Write, previous: Version | undefined): boolean {
    const found = previous?.revision ?? 0
    if (after !== undefined) return this.#written.get(after) === found
    return expect === undefined || expect === found
  }

  subscribe(deliver: (events: readonly StoreEvent[]) => void): () => void {
    this.#subscribers.add(deliver)
    return () => this.#subscribers.delete(deliver)
  }

  *history(prefix: string, from: Revision, to: Revision): Generator<StoreEvent> {
    if (from < this.#memory.compacted) throw new CompactedError(this.#memory.compacted)
    for (const change of this.#memory.changes(from, to)) if (change.key.startsWith(prefix)) yield eventOf(change)
  }

  async compact(revision: Revision): Promise<void> {
    this.#memory.forgetBefore(revision)
  }

  stats(): StoreStats {
    const { revision, compacted, historyEntries, size } = this.#memory
    return { revision, compactedRevision: compacted, keys: size.keys, sizeBytes: size.bytes, historyEntries }
  }

  async advanceTo(revision: Revision): Promise<void> {
    this.#memory.advanceTo(revision)
  }

  /** No other process has the store. */
  catchUp(): void {}

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#subscribers.clear()
    this.#options.whenClosed?.()
  }

  /** Removes history in batches, so that the cost is amortized over many writes. */
  #forgetOld(): void {
    const { historyMs, now } = this.#options
    const time = now()
    if ((this.#memory.oldest?.at ?? time) > time - 1.2 * historyMs) return
    const revision = this.#memory.lastBefore(time - historyMs)
    if (revision !== undefined) this.#memory.forgetBefore(revision)
  }
}

const storedObject = (key: string, { revision, body, attributes }: Version): StoredObject => ({
  key,
  modRevision: revision,
  body: Buffer.from(body ?? none),
  attributes: Buffer.from(attributes),
})

/** The last body of a key that is deleted, under the revision of the deletion. */
function lastShown(lastBody: Buffer | undefined, previous: Version | undefined, revision: Revision): Buffer {
  if (lastBody) return withVersion(lastBody, revision)
  return previous?.body ? withVersion(withoutVersion(previous.body).body, revision) : none
}

const eventOf = ({ key, type, shown, previous }: Change): StoreEvent => ({
  revision: shown.revision,
  type,
  key,
  body: Buffer.from(shown.body),
  attributes: Buffer.from(shown.attributes),
  previousAttributes: previous && Buffer.from(previous.attributes),
  previousBody: () => previous?.body && Buffer.from(previous.body),
})
