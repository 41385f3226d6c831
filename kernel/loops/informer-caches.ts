import {
  type Cache,
  type Caches,
  type GroupResource,
  type Informer,
  type InformerOptions,
  shareInformer,
} from 'orch/sdk'

/** The service `caches` apart from the server: copies kept fresh by watches of its API. */
export class InformerCaches implements Caches {
  readonly #parts: Omit<InformerOptions, 'resource'>
  readonly #informers = new Map<string, Informer>()
  constructor(parts: Omit<InformerOptions, 'resource'>) {
    this.#parts = parts
  }
  of<T>({ group, resource }: GroupResource): Cache<T> {
    const id = `${group}/${resource}`
    // Without a version it is the one that the server prefers.
    const informer =
      this.#informers.get(id) ?? shareInformer({ ...this.#parts, resource: { group, version: '', resource } })
    this.#informers.set(id, informer)
    return informer.cache as unknown as Cache<T>
  }
  async close(): Promise<void> {
    await Promise.all([...this.#informers.values()].map(informer => informer.stop()))
  }
}
