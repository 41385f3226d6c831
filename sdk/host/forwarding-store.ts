import type {
  Decide,
  ListPage,
  ListRequest,
  Revision,
  Store,
  StoredObject,
  StoreEvent,
  StoreStats,
  TransactionResult,
  TransactOptions,
  Write,
  WriteResult,
} from './storage.js'

/**
 * A store that forwards everything to another. Layers extend it and override what they change, so that later additions to the
 * contract work through them as well.
 */
export class ForwardingStore implements Store {
  /** The store below. */
  protected readonly inner: Store

  constructor(inner: Store) {
    this.inner = inner
  }

  currentRevision(): Revision {
    return this.inner.currentRevision()
  }
  latestRevision(): Revision | Promise<Revision> {
    return this.inner.latestRevision()
  }
  compactedRevision(): Revision {
    return this.inner.compactedRevision()
  }
  get(key: string, notOlderThan?: Revision): StoredObject | undefined | Promise<StoredObject | undefined> {
    return this.inner.get(key, notOlderThan)
  }
  list(request: ListRequest): ListPage | Promise<ListPage> {
    return this.inner.list(request)
  }
  count(prefix: string): number | Promise<number> {
    return this.inner.count(prefix)
  }
  writeTurn(): Promise<void> | undefined {
    return this.inner.writeTurn()
  }
  transact(key: string, decide: Decide, options?: TransactOptions): Promise<TransactionResult> {
    return this.inner.transact(key, decide, options?.view ? options : { ...options, view: this })
  }
  write(write: Write): Promise<WriteResult> {
    return this.inner.write(write)
  }
  subscribe(deliver: (events: readonly StoreEvent[]) => void): () => void {
    return this.inner.subscribe(deliver)
  }
  history(prefix: string, from: Revision, to: Revision): Iterable<StoreEvent> | AsyncIterable<StoreEvent> {
    return this.inner.history(prefix, from, to)
  }
  compact(revision: Revision): Promise<void> {
    return this.inner.compact(revision)
  }
  stats(): StoreStats | Promise<StoreStats> {
    return this.inner.stats()
  }
  advanceTo(revision: Revision): Promise<void> {
    return this.inner.advanceTo(revision)
  }
  catchUp(): void {
    this.inner.catchUp()
  }
  close(): Promise<void> {
    return this.inner.close()
  }
}
