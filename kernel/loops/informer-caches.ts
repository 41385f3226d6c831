import {
  type Cache,
  type Caches,
  type GroupResource,
  type Informer,
  type InformerOptions,
  ObjectCache,
  type ResourceCatalogue,
  shareInformer,
} from 'orch/sdk'

export interface InformerCachesParts extends Omit<InformerOptions, 'resource'> {
  readonly types: ResourceCatalogue
}

/** The service `caches` apart from the server: copies kept fresh by watches of its API. */
export class InformerCaches implements Caches {
  readonly #parts: InformerCachesParts
  readonly #informers = new Map<string, Informer>()
  constructor(parts: InformerCachesParts) {
    this.#parts = parts
  }
  of<T>({ group, resource }: GroupResource): Cache<T> {
    const { types, ...parts } = this.#parts
    const type = types.find(group, resource)
    if (!type) return nothing() as unknown as Cache<T>
    const id = `${group}/${resource}`
    const informer = this.#informers.get(id) ?? shareInformer({ ...parts, resource: type })
    this.#informers.set(id, informer)
    return informer.cache as unknown as Cache<T>
  }
  async close(): Promise<void> {
    await Promise.all([...this.#informers.values()].map(informer => informer.stop()))
    this.#informers.clear()
  }
}

/** Of a type that is not served there is nothing, and that is known at once. */
function nothing(): ObjectCache {
  const cache = new ObjectCache()
  cache.replace([])
  return cache
}
