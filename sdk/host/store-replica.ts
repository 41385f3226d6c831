import type { ListPage, ListRequest, Revision, Store, StoredObject, StoreEvent, Write } from './storage.js'

/**
 * A local copy of a store, for an engine whose store is on other machines: the engine passes it every change, and it
 * answers reads like the embedded engine. It is not durable, because it can be rebuilt; one that may have been damaged
 * when the machine stopped is empty when it is opened.
 */
export interface StoreReplica {
  /** Everything up to this revision has been applied. 0 while it is empty or being filled. */
  readonly revision: Revision
  /** The oldest revision that can be listed or watched from. */
  readonly compactedRevision: Revision
  /** The key of the newest change, if there was one since it was filled. */
  readonly lastKey: string | undefined
  get(key: string): StoredObject | undefined
  /** At `revision` of the request, or at its own. */
  list(request: ListRequest): ListPage
  count(prefix: string): number
  history(prefix: string, from: Revision, to: Revision): Iterable<StoreEvent>
  /**
   * Applies changes, oldest first, and is then at `revision`. Visible immediately. Changes that it already has are
   * skipped. Throws a StorageError, of the kind `corrupt` if a change does not match its contents; it must then be
   * discarded.
   */
  apply(changes: readonly ReplicatedChange[], revision: Revision): void
  /** Fills an empty replica, piece by piece; `filled` states the revision of the complete contents. */
  fill(objects: readonly ReplicatedObject[]): void
  filled(revision: Revision): void
  /** Discards history, as `Store.compact` does. */
  compact: Store['compact']
  /** Keeps it for the next process. */
  close(): Promise<void>
  /** Closes it and removes its files. */
  discard(): Promise<void>
}

/** A change of one key, as reported by its source. */
export interface ReplicatedChange extends Pick<Write, 'key' | 'body' | 'attributes' | 'lastBody'> {
  readonly revision: Revision
  /**
   * The revision that the change replaced, 0 for none, according to the source: a replica with another revision is
   * wrong.
   */
  readonly replaces?: Revision
}

/** An object at the time when a replica was filled. */
export interface ReplicatedObject {
  readonly key: string
  readonly modRevision: Revision
  /** Without resourceVersion. */
  readonly body: Buffer
  readonly attributes: Buffer
}

/**
 * Opens the replica of a source; it is empty if there was none, or if it belongs to another source or cannot be
 * trusted.
 */
export type OpenReplica = (source: string) => Promise<StoreReplica>
