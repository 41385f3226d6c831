import type { StorageError } from './storage-errors.js'

export { CompactedError, StorageError } from './storage-errors.js'

/**
 * The contract between the kernel and a storage engine. One global revision counts every write and is the
 * resourceVersion. An engine stores bytes; it never parses them.
 *
 * A stored body is JSON text of an object without apiVersion and kind that begins with `{"metadata":{`. Reads return it
 * with `"resourceVersion":"<revision>",` inserted right after those bytes, so that it can be sent as it is.
 */
export const bodyPrefix = '{"metadata":{'

/** Revisions are safe integers: 2^53 writes are enough. An empty store is at revision 1, since clients read "0" as any. */
export type Revision = number

/** A stored object as it is read. */
export interface StoredObject {
  readonly key: string
  /** Revision of the last write to this key. */
  readonly modRevision: Revision
  /** The body with its resourceVersion inserted. Owned by the receiver. */
  readonly body: Buffer
  /** What selectors need, kept beside the body: see kernel/storage/attributes. Owned by the receiver. */
  readonly attributes: Buffer
  /** Stored in another form than it is read in; the next write replaces that form. No engine sets it. */
  readonly isConverted?: boolean
}

/** One change of one key. */
export interface Write {
  readonly key: string
  /** The new body, or undefined to delete. A delete keeps `body` in its event: see `lastBody`. */
  readonly body: Buffer | undefined
  readonly attributes?: Buffer
  /** On delete: the body to show in the DELETED event, if it differs from the stored one. */
  readonly lastBody?: Buffer
  /**
   * What must hold or nothing is written: 0 means the key must not exist, another number means the key's modRevision.
   * Undefined writes unconditionally.
   */
  readonly expect?: Revision
  /**
   * Instead of `expect`: an earlier write of the same key, handed to this store and perhaps not answered yet, that this one
   * builds on. It must succeed and be the newest, or this one fails its precondition. Only an engine whose transactions chain writes
   * (see `Transactions`) gets it.
   */
  readonly after?: Write
  /**
   * Names that this write acquires and releases for its key. An engine that several servers share must check them; one
   * that a single server uses may ignore them, since the server decides who gets a name.
   */
  readonly claims?: Claims
  /** For a traced request: headers for the servers that the engine calls for this write. See `RequestTracer`. */
  readonly traceHeaders?: Readonly<Record<string, string>>
}

/**
 * Names of which each belongs to at most one key, such as addresses: of two writes that acquire the same, one fails.
 */
export interface Claims {
  readonly take: readonly string[]
  readonly release: readonly string[]
}

/** The result of a write. */
export type WriteResult =
  | { readonly ok: true; readonly revision: Revision; readonly body: Buffer | undefined }
  /**
   * The precondition failed; `current` is what is stored now, undefined if nothing. For a write with `after` it is the
   * state that made an earlier one fail. `claimed` is a name that could not be acquired because another key has it.
   */
  | { readonly ok: false; readonly current: StoredObject | undefined; readonly claimed?: string }

/** The state of a key that a writer decides on. */
export interface KeyState {
  /** Undefined when there is no such key. */
  readonly object: StoredObject | undefined
  /**
   * False when the state is that of a write which is not committed yet. Its `body` then has no resourceVersion, and `modRevision` is
   * the newest revision of the key that a client can have read.
   */
  readonly isCommitted: boolean
  /** Lets the next writer of the key in, for a writer that waits for an external system. */
  release(): void
}
/** A change of one key. */
export type KeyChange = Pick<Write, 'body' | 'attributes' | 'lastBody' | 'claims'>
/** What a writer decides about a key. */
export interface Decision {
  /** The change to write; without one the key stays unchanged. */
  readonly write?: KeyChange
  /** A second change right after the first, such as the removal of an object that was just marked. */
  readonly followedBy?: KeyChange
  /** The change is for this state only: if the key changed meanwhile, the transaction fails. Otherwise the writer decides again. */
  readonly isConditional?: boolean
  /** The writer cannot decide on an uncommitted state: it is called again once the state is committed. */
  readonly waitsForCommit?: boolean
}
/** Decides about a key; throws to leave it unchanged. Called again when the key changed meanwhile. */
export type Decide = (state: KeyState) => Decision | Promise<Decision>

/** The result of a transaction. */
export type TransactionResult =
  /**
   * `body` is what is stored now, undefined if nothing; of a change that is followed by another, what the first one stored.
   * `revision` is that of the last change.
   */
  | { readonly ok: true; readonly isWritten: boolean; readonly revision: Revision; readonly body: Buffer | undefined }
  /** Another writer changed the key, too often or for a conditional change, or another key has the name `claimed`. */
  | { readonly ok: false; readonly current: StoredObject | undefined; readonly claimed?: string }

/** How to run a transaction. */
export interface TransactOptions {
  /**
   * The revision that the key should have, 0 if it should not exist: the writer decides without a read, on a state
   * without an object, and the transaction fails if that is wrong. `any` overwrites whatever is stored.
   */
  readonly expect?: Revision | 'any'
  /** Where it reads and writes: a layer passes itself, so that both go through it. The store itself by default. */
  readonly view?: Pick<Store, 'get' | 'write'>
}

/**
 * Called with the attributes of each candidate of a list; the buffer is only valid during the call, which must not use the
 * store. What wraps a filter loses its lookups, which is safe: the list then visits every key.
 */
export interface AttributeFilter {
  (attributes: Buffer): boolean
  /**
   * Each holds for everything that passes the filter and that `isUsual` of the request holds for. An engine may look up the keys
   * instead of visiting all.
   */
  readonly lookups?: readonly AttributeLookup[]
}
/**
 * One attribute has one of these values: `name` occurs in the attributes at most once, followed by the value and a zero
 * byte.
 */
export interface AttributeLookup {
  readonly name: Buffer
  readonly values: readonly Buffer[]
}

/** What to list: a range of keys, at a revision, in pages. */
export interface ListRequest {
  /** Every key that starts with this prefix. */
  readonly prefix: string
  /** Continue after this key. */
  readonly after?: string
  /** State at this revision; undefined means the newest. */
  readonly revision?: Revision
  /** Instead of the newest: what this process has, if that is at least as new as this; 0 takes whatever it has. */
  readonly notOlderThan?: Revision
  readonly limit?: number
  readonly filter?: AttributeFilter
  /**
   * Called with the place of the attributes of each body that is taken; false for one whose attributes the chunk must include. What it gets
   * is only valid during the call, which must not use the store.
   */
  readonly isUsual?: (bytes: Buffer, start: number, end: number) => boolean
  /** Whether chunks name the key of each body. */
  readonly keys?: boolean
  /**
   * Called for an object that cannot be read, which is then omitted; without it the list fails. Only layers call it.
   */
  readonly onUnreadable?: (key: string, failure: StorageError) => void
}

/** A consistent listing in pieces: bodies are appended to chunks so that a large list never builds objects. */
export interface ListPage {
  readonly revision: Revision
  /** Up to the engine's chunk size of items at a time; an empty list has no chunk. The arrays and their buffers belong to the receiver. */
  readonly items: AsyncIterable<ListChunk> | Iterable<ListChunk>
}
/** Some objects of a list, in order. */
export interface ListChunk {
  /** Bodies joined by `,` and nothing else: ready to be written into a JSON array. */
  readonly joined: Buffer
  /** Number of bodies in `joined`. */
  readonly count: number
  /** Where each body starts in `joined`, for consumers that need them one by one; body i ends at offsets[i+1]-1 (or the end). */
  readonly offsets: readonly number[]
  readonly lastKey: string
  /** The key of each body, when the request asked for keys. */
  readonly keys?: readonly string[]
  /** The attributes of those bodies, by their place in the chunk, that `isUsual` of the request does not hold for. */
  readonly otherAttributes?: ReadonlyMap<number, Buffer>
  /** The places of those bodies that are stored in another form than they are read in. No engine sets it. */
  readonly converted?: ReadonlySet<number>
  /** True when `limit` was reached and there may be more keys after lastKey. */
  readonly more: boolean
  /** With `more`: the number of keys that remain after lastKey, counted at the same revision. Absent when there is a filter. */
  readonly remaining?: number
  /**
   * Returns the memory of `joined` to the engine, which reuses it for a later chunk: the caller guarantees that nothing
   * reads the bytes any more. Optional: memory that is not returned is garbage-collected. A layer that keeps the bytes
   * omits this.
   */
  readonly release?: () => void
}

/** The kind of a change. */
export type StoreEventType = 'create' | 'update' | 'delete'
/** One committed write, as recorded in the log. */
export interface StoreEvent {
  readonly revision: Revision
  readonly type: StoreEventType
  readonly key: string
  /** The body after the write; on delete the last body, with the revision of the deletion as resourceVersion. */
  readonly body: Buffer
  readonly attributes: Buffer
  /** Attributes before the write; undefined on create. */
  readonly previousAttributes: Buffer | undefined
  /** The body before the write, for watchers whose selector it matched; undefined on create. Loaded on demand. */
  previousBody(): Buffer | undefined
}

/** Figures for operators. */
export interface StoreStats {
  readonly revision: Revision
  readonly compactedRevision: Revision
  readonly keys: number
  readonly sizeBytes: number
  readonly historyEntries: number
  /** How much the store can still grow; undefined if the engine does not know. */
  readonly freeBytes?: number
}

/** What an engine must implement. Every method may throw a StorageError. */
export interface Store {
  /** The newest committed revision this process knows of. */
  currentRevision(): Revision
  /** The newest committed revision of the whole store; a network engine asks its cluster. */
  latestRevision(): Revision | Promise<Revision>
  /** The oldest revision that can still be listed or watched from. */
  compactedRevision(): Revision
  /** The newest state of a key; with `notOlderThan` as for a list, any that is at least as new. */
  get(key: string, notOlderThan?: Revision): StoredObject | undefined | Promise<StoredObject | undefined>
  /** Several reads at one revision, in chunks. Throws a CompactedError, also between chunks, when the revision is compacted. */
  list(request: ListRequest): ListPage | Promise<ListPage>
  /** How many keys start with the prefix now. */
  count(prefix: string): number | Promise<number>
  /**
   * What a writer should wait for before it reads and prepares its object, if anything. Called at the beginning of
   * every writing request: an engine that commits in groups may want to commit one group while the next is prepared.
   */
  writeTurn(): Promise<void> | undefined
  /**
   * Changes one key by what `decide` makes of its newest state: the way of every write of an object. Nobody changes the
   * key between the state and the write, or the writer decides again. How writers of one key wait for each other, what
   * they read and what they may build on is up to the engine; `Transactions` implements it for any engine with `get`
   * and `write`.
   */
  transact(key: string, decide: Decide, options?: TransactOptions): Promise<TransactionResult>
  /**
   * Writes one key. Resolves only when the write is durable. Concurrent writes share a commit. Before it resolves, the
   * event has been handed to every subscriber, so a writer reads and watches its own write.
   */
  write(write: Write): Promise<WriteResult>
  /**
   * Every committed event of this store, in order, without gaps, from now on, in batches; also those of other processes.
   * Returns a function that ends the subscription. Callbacks must not throw and must not block.
   */
  subscribe(deliver: (events: readonly StoreEvent[]) => void): () => void
  /**
   * Committed events with `from < revision <= to` whose key starts with `prefix`, oldest first.
   * Throws a CompactedError when `from` is older than the compacted revision.
   */
  history(prefix: string, from: Revision, to: Revision): Iterable<StoreEvent> | AsyncIterable<StoreEvent>
  /** Discards history before `revision`, in small steps. */
  compact(revision: Revision): Promise<void>
  stats(): StoreStats | Promise<StoreStats>
  /**
   * Restarts the history: the next write gets a revision after this one, and everything before it counts as compacted,
   * also after reopening. So a moved store repeats no revision, and no client resumes from a revision of another store
   * whose later changes are missing here.
   */
  advanceTo(revision: Revision): Promise<void>
  /**
   * Delivers the events that other processes of this server committed until now. Called before every request of a server of several
   * processes, so that caches know what clients have read elsewhere. An engine that cannot do it in microseconds does nothing.
   */
  catchUp(): void
  close(): Promise<void>
}

/** The other processes of this server that have the same store open. */
export interface StorePeers {
  /** One of them does work that is needed once, such as discarding old history. */
  readonly isPrimary: boolean
  /** Call this after a commit, so that the others check immediately instead of periodically. */
  announce(): void
  /** Calls back when another one has committed. */
  onNews(look: () => void): void
}
