import type { Cache, Caches, GroupResource, ResourceCatalogue } from 'orch/sdk'
import { type Informer, type InformerOptions, ObjectCache, shareInformer } from 'orch/sdk/controllers'
import { collectionName, readOnceFilled } from '../watch/filled-caches.js'

export interface InformerCachesParts extends Omit<InformerOptions, 'resource'> {
  readonly types: ResourceCatalogue
}

/** The service `caches` outside of a server: caches that are updated by watches. */
export class InformerCaches implements Caches {
  readonly #parts: InformerCachesParts
  readonly #informers = new Map<string, Informer>()
  readonly #caches = new Map<string, Cache>()
  constructor(parts: InformerCachesParts) {
    this.#parts = parts
  }
  of<T>({ group, resource }: GroupResource): Cache<T> {
    const { types, ...parts } = this.#parts
    const type = types.find(group, resource)
    if (!type) return nothing() as unknown as Cache<T>
    const id = collectionName({ group, resource })
    let cache = this.#caches.get(id)
    if (!cache) {
      const informer = shareInformer({ ...parts, resource: type })
      cache = readOnceFilled(informer.cache, id)
      this.#informers.set(id, informer)
      this.#caches.set(id, cache)
    }
    return cache as Cache<T>
  }
  async close(): Promise<void> {
    await Promise.all([...this.#informers.values()].map(informer => informer.stop()))
    this.#informers.clear()
    this.#caches.clear()
  }
}

/** The cache of a type that is not served: it is empty, and ready at once. */
function nothing(): ObjectCache {
  const cache = new ObjectCache()
  cache.replace([])
  return cache
}
