import type { ApiObject, Cache, Caches, GroupResource, Logger, ResourceCatalogue } from 'orch/sdk'
import { ObjectCache } from 'orch/sdk/controllers'
import { isObject, type JsonObject } from '../../libs/json/index.js'
import type { CallLink } from '../isolation/call-link.js'
import { collectionName, readOnceFilled, retriedUntilDone } from '../watch/filled-caches.js'
import { received } from './received.js'

type ChangeType = 'added' | 'modified' | 'deleted'
const applied = { added: 'ADDED', modified: 'MODIFIED', deleted: 'DELETED' } as const

/** A collection whose changes the server sends. */
class FollowedCache extends ObjectCache {
  readonly #follow: () => Promise<unknown>
  readonly #filled = retriedUntilDone(() => this.#fill())
  /** Objects that arrive before the server has sent them all. */
  readonly #early = new Map<string, ApiObject>()

  constructor(follow: () => Promise<unknown>, onError: (error: unknown) => void) {
    super(onError)
    this.#follow = follow
  }
  /** After a failure the next reader tries again. */
  override ready(): Promise<void> {
    return this.#filled()
  }
  async #fill(): Promise<void> {
    this.#early.clear()
    await this.#follow()
    this.replace([...this.#early.values()])
    this.#early.clear()
  }
  receive(type: ChangeType, object: ApiObject): void {
    const { namespace = '', name } = object.metadata
    if (this.isReady) this.apply(applied[type], object)
    else if (type === 'deleted') this.#early.delete(`${namespace}/${name}`)
    else this.#early.set(`${namespace}/${name}`, object)
  }
}

/** A type that is not served has no objects. */
const nothing = new ObjectCache<never>()
nothing.replace([])

/** Copies of collections of the server. They are up to date with every write that was acknowledged before the current call. */
export class FollowedCaches implements Caches {
  readonly #link: () => CallLink
  readonly #types: ResourceCatalogue
  readonly #logger: Logger
  readonly #made = new Map<string, { readonly id: number; readonly cache: Cache }>()
  readonly #filled = new Map<number, FollowedCache>()
  #last = 0

  constructor(link: () => CallLink, types: ResourceCatalogue, logger: Logger) {
    this.#link = link
    this.#types = types
    this.#logger = logger
    types.onChange(({ removed }) => {
      for (const info of removed) this.#drop(info)
    })
  }

  of<T = ApiObject>(collection: GroupResource): Cache<T> {
    const { group, resource } = collection
    const key = `${group}/${resource}`
    if (!this.#types.find(group, resource)) return viewOf<T>(nothing)
    const made = this.#made.get(key) ?? this.#make(key, { group, resource })
    return viewOf<T>(made.cache)
  }

  receive({ id, type, object }: JsonObject): void {
    const known = type === 'added' || type === 'modified' || type === 'deleted' ? type : undefined
    if (known && isObject(object)) this.#filled.get(Number(id))?.receive(known, received<ApiObject>(object))
  }

  #make(key: string, collection: GroupResource) {
    const id = ++this.#last
    const filled = new FollowedCache(
      () => this.#link().call('follow', { id, ...collection }, Number.POSITIVE_INFINITY),
      error => this.#logger.error('a listener or an index of a cache failed', { collection: key, error }),
    )
    const made = { id, cache: readOnceFilled(filled, collectionName(collection)) }
    this.#made.set(key, made)
    this.#filled.set(id, filled)
    // Starts filling, whether or not its first reader waits.
    filled.ready().catch(() => {})
    return made
  }

  #drop({ group, resource }: GroupResource): void {
    const key = `${group}/${resource}`
    const made = this.#made.get(key)
    if (!made) return
    this.#made.delete(key)
    this.#filled.delete(made.id)
    this.#link().notify('unfollow', { id: made.id })
  }
}

/** The caller determines the type of the objects. */
const viewOf = <T>(cache: Cache<never> | Cache): Cache<T> => Object.assign(cache)
