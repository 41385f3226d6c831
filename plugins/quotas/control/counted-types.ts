import type { ApiObject, Cache, CacheChange, Clock, GroupResource, Logger, ResourceCatalogue } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { type Informer, shareInformer } from 'orch/sdk/controllers'

export interface CountedTypesParts {
  readonly client: Client
  readonly clock: Clock
  readonly logger: Logger
  readonly resources: ResourceCatalogue
  /** An object of a counted type was added, changed or deleted. */
  changed(type: GroupResource, change: CacheChange): void
}

/** Caches of the types that quotas count. A type is watched from when the first quota names it. */
export class CountedTypes {
  readonly #parts: CountedTypesParts
  readonly #informers = new Map<string, Informer>()
  constructor(parts: CountedTypesParts) {
    this.#parts = parts
  }
  /** The cache of a type, once it is synced; undefined for a type that is not served or is cluster-scoped. */
  async of({ group, resource }: GroupResource): Promise<Cache<ApiObject> | undefined> {
    const id = `${resource}.${group}`
    if (!this.#parts.resources.find(group, resource)) {
      // No longer or not yet served.
      await this.#informers.get(id)?.stop()
      this.#informers.delete(id)
      return undefined
    }
    const informer = this.#informers.get(id) ?? this.#watch(group, resource)
    if (!informer) return undefined
    this.#informers.set(id, informer)
    await informer.cache.ready()
    return informer.cache
  }
  async stop(): Promise<void> {
    await Promise.all([...this.#informers.values()].map(informer => informer.stop()))
  }

  #watch(group: string, resource: string): Informer | undefined {
    const { client, clock, logger, resources, changed } = this.#parts
    const kind = resources.find(group, resource)
    const isWatchable = kind?.namespaced && (['list', 'watch'] as const).every(verb => kind.verbs.includes(verb))
    if (!kind || !isWatchable) return undefined
    const informer = shareInformer({ client, clock, logger, resource: { group, version: kind.version, resource } })
    const unsubscribe = informer.cache.onChange(change => changed({ group, resource }, change))
    return {
      cache: informer.cache,
      async stop() {
        unsubscribe()
        await informer.stop()
      },
    }
  }
}
