import type { ListPage, ListRequest, Revision, Store, StoredObject, StoreEvent, Write } from './storage.js'

/**
 * A copy of a store in a folder of this machine, for an engine whose store is elsewhere: the engine passes it every change, and it answers
 * reads like the embedded engine. It is not durable, for it can be made again; one that may have been damaged when the machine stopped is
 * empty when it is opened.
 */
export interface StoreReplica {
  /** Everything up to this revision has been applied. 0 while it is empty or being filled. */
  readonly revision: Revision
  /** The oldest revision that can be listed or read on from. */
  readonly compactedRevision: Revision
  /** The key of the newest change, where there was one since it was filled. */
  readonly lastKey: string | undefined
  get(key: string): StoredObject | undefined
  /** As of `revision` of the request, or as of its own. */
  list(request: ListRequest): ListPage
  count(prefix: string): number
  history(prefix: string, from: Revision, to: Revision): Iterable<StoreEvent>
  /**
   * Applies changes, oldest first, and is then at `revision`. Visible at once. What it has already is left out. Throws a StorageError, of
   * the kind `corrupt` when a change does not fit what it holds; it must then be discarded.
   */
  apply(changes: readonly ReplicatedChange[], revision: Revision): void
  /** Fills an empty one, piece by piece; `filled` says as of which revision that is all. */
  fill(objects: readonly ReplicatedObject[]): void
  filled(revision: Revision): void
  /** Forgets history, as `Store.compact` does. */
  compact: Store['compact']
  /** Keeps it for the next process. */
  close(): Promise<void>
  /** Closes it and removes its files. */
  discard(): Promise<void>
}

/** A change of one key, as its source made it. */
export interface ReplicatedChange extends Pick<Write, 'key' | 'body' | 'attributes' | 'lastBody'> {
  readonly revision: Revision
  /** The revision that the change replaced, 0 for none, as its source says: a replica that holds another is wrong. */
  readonly replaces?: Revision
}

/** An object as it was when a replica was filled. */
export interface ReplicatedObject {
  readonly key: string
  readonly modRevision: Revision
  /** Without resourceVersion. */
  readonly body: Buffer
  readonly attributes: Buffer
}

/** Opens the replica of a source, which is empty if there was none, or none of this source, or one that cannot be trusted. */
export type OpenReplica = (source: string) => Promise<StoreReplica>
