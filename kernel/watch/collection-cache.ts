import type { ApiObject, Cache, Caches, GroupResource, Logger } from 'orch/sdk'
import { ObjectCache } from 'orch/sdk/controllers'
import { bodiesOf, type Revision, type Store, type StoreEvent } from 'orch/sdk/host'
import type { ResourceTypes } from '../types/resource-types.js'
import { fromStoredBody } from '../types/stored-json.js'
import { collectionName, readOnceFilled } from './filled-caches.js'
import type { WatchHub } from './watch-hub.js'

interface CollectionCacheParts {
  readonly store: Store
  readonly hub: WatchHub
  readonly logger: Logger
  readonly collection: string
  readonly storageKey: string
  readonly keyPrefix: string
}

/** A collection in memory. Events reach it before the write that caused them is answered, so it is never behind its writer. */
class CollectionCache extends ObjectCache {
  readonly #parts: CollectionCacheParts
  #filling: Promise<void> | undefined
  /** What happened before it was filled. */
  #early: StoreEvent[] = []
  /** The revision it was filled at. The hub may be behind that, and tell of what is in already. */
  #filledAt: Revision | undefined
  /** Hears of no more events. */
  readonly stop: () => void

  constructor(parts: CollectionCacheParts) {
    const { hub, logger, collection, storageKey } = parts
    super(error => logger.error('a listener or an index of a cache failed', { collection, error }))
    this.#parts = parts
    this.stop = hub.listen(storageKey, event =>
      this.#filledAt === undefined ? this.#early.push(event) : this.#follow(event),
    )
  }
  /** Who waits hears why the store could not be read; the next one who asks tries again. */
  override ready(): Promise<void> {
    this.#filling ??= this.#fill().catch((failure: unknown) => {
      this.#filling = undefined
      throw failure
    })
    return this.#filling
  }

  async #fill(): Promise<void> {
    const { store, keyPrefix } = this.#parts
    const page = await store.list({ prefix: keyPrefix })
    const objects: ApiObject[] = []
    // Half a list is not kept: what is deleted before the next try would stay.
    for await (const chunk of page.items) for (const body of bodiesOf(chunk)) objects.push(fromStoredBody(body))
    this.replace(objects)
    this.#filledAt = page.revision
    for (const event of this.#early.splice(0)) this.#follow(event)
  }
  #follow({ type, revision, body }: StoreEvent): void {
    if (revision <= (this.#filledAt ?? 0)) return
    this.apply(type === 'delete' ? 'DELETED' : 'MODIFIED', fromStoredBody(body))
  }
}

/** An empty collection of a type no plugin brings: asking for it is not a mistake, there is just nothing in it. */
const nothing: Cache = {
  ready: () => Promise.resolve(),
  isReady: true,
  get: () => undefined,
  list: () => [],
  indexed: () => [],
  addIndex: () => {},
  onChange: () => () => {},
}

interface SharedCachesParts extends Pick<CollectionCacheParts, 'store' | 'hub' | 'logger'> {
  readonly types: ResourceTypes
}

/** The caches of this process, one per collection, made on first use. */
export class SharedCaches implements Caches {
  readonly #made = new Map<string, { readonly cache: Cache; stop(): void }>()
  readonly #parts: SharedCachesParts

  constructor(parts: SharedCachesParts) {
    this.#parts = parts
    parts.types.onChange(({ removed }) => {
      for (const info of removed) this.#dropRemoved(info)
    })
  }
  of<T = ApiObject>({ group, resource }: GroupResource): Cache<T> {
    const { types } = this.#parts
    const type = types.get(group, resource)
    if (!type) return nothing as unknown as Cache<T>
    const { storageKey, keyPrefix } = type
    let made = this.#made.get(storageKey)
    if (!made) {
      const collection = collectionName(type)
      const filled = new CollectionCache({ ...this.#parts, collection, storageKey, keyPrefix })
      made = { cache: readOnceFilled(filled, collection), stop: filled.stop }
      this.#made.set(storageKey, made)
    }
    const { cache } = made
    // Filled from now on, whether its first reader waits for it or not.
    if (!cache.isReady) cache.ready().catch(() => {})
    return cache as unknown as Cache<T>
  }

  /** A type that is gone has no objects, and its cache would be kept for nothing. */
  #dropRemoved({ group, resource }: GroupResource): void {
    const storageKey = `${group}/${resource}`
    if (this.#parts.types.get(group, resource)?.served.length) return
    this.#made.get(storageKey)?.stop()
    this.#made.delete(storageKey)
  }
}
