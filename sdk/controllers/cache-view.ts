import type { Cache, CacheChange } from '../plugin/caches.js'
import type { ApiObject } from '../resource/meta.js'
import type { ObjectCache } from './object-cache.js'

/** One user's view of a shared cache: its indexes and listeners are its own and are removed when it closes. */
export class CacheView<T extends ApiObject> implements Cache<T> {
  readonly #cache: ObjectCache<T>
  readonly #owner: string
  readonly #closers = new Set<() => void>()
  constructor(cache: ObjectCache<T>, owner: string) {
    this.#cache = cache
    this.#owner = owner
  }
  get isReady(): boolean {
    return this.#cache.isReady
  }
  ready(): Promise<void> {
    return this.#cache.ready()
  }
  get(namespace: string, name: string): T | undefined {
    return this.#cache.get(namespace, name)
  }
  list(namespace?: string): readonly T[] {
    return this.#cache.list(namespace)
  }
  indexed(indexName: string, value: string): readonly T[] {
    return this.#cache.indexed(this.#own(indexName), value)
  }
  addIndex(indexName: string, valuesOf: (object: T) => readonly string[]): void {
    this.#cache.addIndex(this.#own(indexName), valuesOf)
    this.#closers.add(() => this.#cache.removeIndex(this.#own(indexName)))
  }
  onChange(listener: (change: CacheChange<T>) => void): () => void {
    const stop = this.#cache.onChange(listener)
    this.#closers.add(stop)
    return () => {
      this.#closers.delete(stop)
      stop()
    }
  }
  close(): void {
    for (const close of this.#closers) close()
    this.#closers.clear()
  }
  /** Two loops may use one index name for different things. */
  #own(indexName: string): string {
    return `${this.#owner}:${indexName}`
  }
}
