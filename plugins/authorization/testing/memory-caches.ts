import type { ApiObject, Cache, CacheChange, Caches, GroupResource } from 'orch/sdk'

/** A collection that a test fills. */
class MemoryCache implements Cache<ApiObject> {
  readonly #objects = new Map<string, ApiObject>()
  readonly #listeners = new Set<(change: CacheChange<ApiObject>) => void>()
  #becomeReady: () => void = () => {}
  readonly #ready = new Promise<void>(resolve => {
    this.#becomeReady = resolve
  })
  isReady = false

  markReady(): void {
    this.isReady = true
    this.#becomeReady()
  }
  put(object: ApiObject): void {
    const key = `${object.metadata.namespace ?? ''}/${object.metadata.name}`
    const previous = this.#objects.get(key)
    this.#objects.set(key, object)
    this.#notify({ type: previous ? 'modified' : 'added', object, previous })
  }
  remove(namespace: string, name: string): void {
    const object = this.#objects.get(`${namespace}/${name}`)
    if (object === undefined) return
    this.#objects.delete(`${namespace}/${name}`)
    this.#notify({ type: 'deleted', object, previous: object })
  }
  #notify(change: CacheChange<ApiObject>): void {
    for (const listener of this.#listeners) listener(change)
  }

  ready = (): Promise<void> => this.#ready
  get = (namespace: string, name: string) => this.#objects.get(`${namespace}/${name}`)
  list = (namespace?: string) =>
    [...this.#objects.values()].filter(o => namespace === undefined || o.metadata.namespace === namespace)
  indexed = (): readonly ApiObject[] => []
  addIndex(): void {}
  onChange(listener: (change: CacheChange<ApiObject>) => void): () => void {
    for (const object of this.#objects.values()) listener({ type: 'added', object, previous: undefined })
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

/** In-memory caches that a test fills. */
export class MemoryCaches implements Caches {
  readonly #caches = new Map<string, MemoryCache>()

  memory({ group, resource }: GroupResource): MemoryCache {
    const key = `${group}/${resource}`
    const cache = this.#caches.get(key) ?? new MemoryCache()
    this.#caches.set(key, cache)
    return cache
  }
  of<T>(collection: GroupResource): Cache<T> {
    return this.memory(collection) as unknown as Cache<T>
  }
  markReady(): void {
    for (const cache of this.#caches.values()) cache.markReady()
  }
}
