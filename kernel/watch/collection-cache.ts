import type { ApiObject, Cache, Caches, Clock, Gauge, GroupResource, Logger, Metrics } from 'orch/sdk'
import { ObjectCache, splitKey } from 'orch/sdk/controllers'
import { bodiesOf, type Revision, StorageError, type Store, type StoreEvent } from 'orch/sdk/host'
import type { ResourceTypes } from '../types/resource-types.js'
import { fromStoredBody } from '../types/stored-json.js'
import { collectionName, readOnceFilled, retriedUntilDone } from './filled-caches.js'
import { UnreadableObjects } from './unreadable-objects.js'
import type { WatchHub } from './watch-hub.js'

interface CollectionCacheParts {
  readonly store: Store
  readonly hub: WatchHub
  readonly logger: Logger
  readonly clock: Clock
  readonly gauge: Gauge
  readonly collection: string
  readonly storageKey: string
  readonly keyPrefix: string
}

/** A collection in memory. Events reach it before their write is acknowledged, so writers see their own writes. */
class CollectionCache extends ObjectCache {
  readonly #parts: CollectionCacheParts
  readonly #filled = retriedUntilDone(() => this.#fill())
  /** Events that arrived before it was filled. */
  #early: StoreEvent[] = []
  /** The revision it was filled at. The hub may be behind that, and deliver events that are already included. */
  #filledAt: Revision | undefined
  readonly #unreadable: UnreadableObjects
  /** Unsubscribes from events. */
  readonly stop: () => void

  constructor(parts: CollectionCacheParts) {
    const { hub, logger, collection, storageKey } = parts
    super(error => logger.error('a listener or an index of a cache failed', { collection, error }))
    this.#parts = parts
    this.#unreadable = new UnreadableObjects({
      ...parts,
      readable: (key, found) => (found ? this.apply('MODIFIED', fromStoredBody(found.body)) : this.#remove(key)),
    })
    const stopListening = hub.listen(storageKey, event =>
      this.#filledAt === undefined ? this.#early.push(event) : this.#follow(event),
    )
    this.stop = () => {
      stopListening()
      this.#unreadable.stop()
    }
  }
  /** Waiting readers get the error of the store; the next reader tries again. */
  override ready(): Promise<void> {
    return this.#filled()
  }

  async #fill(): Promise<void> {
    const { store, keyPrefix } = this.#parts
    const unreadable = new Map<string, StorageError>()
    const page = await store.list({ prefix: keyPrefix, onUnreadable: (key, failure) => unreadable.set(key, failure) })
    const objects: ApiObject[] = []
    // A partial list is not kept: objects that are deleted before the next attempt would stay.
    for await (const chunk of page.items) for (const body of bodiesOf(chunk)) objects.push(fromStoredBody(body))
    this.replace(objects)
    this.#unreadable.addAll(unreadable)
    this.#filledAt = page.revision
    for (const event of this.#early.splice(0)) this.#follow(event)
  }
  override get(namespace: string, name: string): ApiObject | undefined {
    if (!this.#unreadable.isEmpty)
      this.#unreadable.check(this.#parts.keyPrefix + (namespace ? `${namespace}/${name}` : name))
    return super.get(namespace, name)
  }
  override list(namespace?: string): readonly ApiObject[] {
    this.#unreadable.check()
    return super.list(namespace)
  }
  override indexed(indexName: string, value: string): readonly ApiObject[] {
    this.#unreadable.check()
    return super.indexed(indexName, value)
  }

  #follow(event: StoreEvent): void {
    const { type, revision, key } = event
    if (revision <= (this.#filledAt ?? 0)) return
    let object: ApiObject
    try {
      object = fromStoredBody(event.body)
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      if (type === 'delete') this.#remove(key)
      else this.#unreadable.add(key, error)
      return
    }
    this.#unreadable.forget(key)
    this.apply(type === 'delete' ? 'DELETED' : 'MODIFIED', object)
  }
  /** The last state of the deleted object is unreadable or unknown. */
  #remove(key: string): void {
    this.#unreadable.forget(key)
    const { namespace, name } = splitKey(key.slice(this.#parts.keyPrefix.length))
    const last = super.get(namespace, name)
    if (last) this.apply('DELETED', last)
  }
}

/** An empty collection for a type that no plugin serves: reading it is no error. */
const nothing: Cache = {
  ready: () => Promise.resolve(),
  isReady: true,
  get: () => undefined,
  list: () => [],
  indexed: () => [],
  addIndex: () => {},
  onChange: () => () => {},
}

interface SharedCachesParts extends Pick<CollectionCacheParts, 'store' | 'hub' | 'logger' | 'clock'> {
  readonly types: ResourceTypes
  readonly metrics: Metrics
}

/** The caches of this process, one per collection, made on first use. */
export class SharedCaches implements Caches {
  readonly #made = new Map<string, { readonly cache: Cache; stop(): void }>()
  readonly #parts: SharedCachesParts
  readonly #gauge: Gauge

  constructor(parts: SharedCachesParts) {
    this.#parts = parts
    const help = 'Objects that have changed into something that cannot be read.'
    this.#gauge = parts.metrics.gauge('apiserver_cache_unreadable_objects', help, ['resource'])
    parts.types.onChange(({ removed }) => {
      for (const info of removed) this.#dropRemoved(info)
    })
  }
  of<T = ApiObject>({ group, resource }: GroupResource): Cache<T> {
    const { types } = this.#parts
    const type = types.get(group, resource)
    if (!type) return nothing as Cache<T>
    const { storageKey, keyPrefix } = type
    let made = this.#made.get(storageKey)
    if (!made) {
      const collection = collectionName(type)
      const filled = new CollectionCache({ ...this.#parts, gauge: this.#gauge, collection, storageKey, keyPrefix })
      made = { cache: readOnceFilled(filled, collection), stop: filled.stop }
      this.#made.set(storageKey, made)
    }
    const { cache } = made
    // Starts filling, whether or not its first reader waits.
    if (!cache.isReady) cache.ready().catch(() => {})
    return cache as Cache<T>
  }

  /** A removed type has no objects: its cache is dropped. */
  #dropRemoved({ group, resource }: GroupResource): void {
    const storageKey = `${group}/${resource}`
    if (this.#parts.types.get(group, resource)?.served.length) return
    this.#made.get(storageKey)?.stop()
    this.#made.delete(storageKey)
  }
}
