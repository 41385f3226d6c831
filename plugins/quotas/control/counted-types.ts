import {
  type ApiObject,
  type Cache,
  type CacheChange,
  type Client,
  type Clock,
  type GroupResource,
  type Informer,
  type Kinds,
  type Logger,
  shareInformer,
} from 'orch/sdk'

export interface CountedTypesParts {
  readonly client: Client
  readonly clock: Clock
  readonly logger: Logger
  readonly kinds: Kinds
  /** An object of a counted type came, went or changed. */
  changed(type: GroupResource, change: CacheChange): void
}

/** Copies of the types that quotas count. A type is followed from the moment that some quota names it. */
export class CountedTypes {
  readonly #parts: CountedTypesParts
  readonly #informers = new Map<string, Informer>()
  constructor(parts: CountedTypesParts) {
    this.#parts = parts
  }
  /** The objects of a type, once all are there; undefined for a type that is not served or lives outside namespaces. */
  async of({ group, resource }: GroupResource): Promise<Cache<ApiObject> | undefined> {
    const id = `${resource}.${group}`
    const informer = this.#informers.get(id) ?? this.#follow(group, resource)
    if (!informer) return undefined
    this.#informers.set(id, informer)
    await informer.cache.ready()
    return informer.cache
  }
  async stop(): Promise<void> {
    await Promise.all([...this.#informers.values()].map(informer => informer.stop()))
  }

  #follow(group: string, resource: string): Informer | undefined {
    const { client, clock, logger, kinds, changed } = this.#parts
    const kind = kinds.findResource(group, resource)
    const isFollowed = kind?.namespaced && ['list', 'watch'].every(verb => kind.verbs.includes(verb))
    if (!kind || !isFollowed) return undefined
    const informer = shareInformer({ client, clock, logger, resource: { group, version: kind.version, resource } })
    const unhear = informer.cache.onChange(change => changed({ group, resource }, change))
    return {
      cache: informer.cache,
      async stop() {
        unhear()
        await informer.stop()
      },
    }
  }
}
