import type { ApiObject } from '../resource/meta.js'

/** Names a collection independent of version. */
export interface GroupResource {
  readonly group: string
  readonly resource: string
}

/**
 * An in-memory copy of a collection, kept up to date by a watch. Objects are in the storage version and must not be changed.
 * Before it is filled, `get`, `list` and `indexed` of `services.caches` throw a 503. The kernel then waits until it is filled
 * and calls admission controls, permissions, authorizers and authenticators again; other code must wait for `ready()`.
 */
export interface Cache<T = ApiObject> {
  /** Waits until the cache is filled. */
  ready(): Promise<void>
  readonly isReady: boolean
  get(namespace: string, name: string): T | undefined
  /** All objects, or those of one namespace. */
  list(namespace?: string): readonly T[]
  /** Objects for which the index function returned this value. The function is given once, by name. */
  indexed(indexName: string, value: string): readonly T[]
  /** A function that throws is logged; the object is then missing from its index only. */
  addIndex(indexName: string, valuesOf: (object: T) => readonly string[]): void
  /**
   * Called for every change after the object is in the cache, and once for each object already there. One that throws is
   * logged, and the others are still called. Returns a function that removes the listener.
   */
  onChange(listener: (change: CacheChange<T>) => void): () => void
}
/** A change of an object in a cache. */
export interface CacheChange<T = ApiObject> {
  readonly type: 'added' | 'modified' | 'deleted'
  readonly object: T
  readonly previous: T | undefined
}

/** The shared caches of this process: all users of a collection share one copy. */
export interface Caches {
  of<T = ApiObject>(collection: GroupResource): Cache<T>
}
