import type { ApiObject, Cache, CacheChange, Caches, GroupResource, Revision, Store, StoreEvent } from 'orch/sdk'
import type { ResourceTypes } from '../resources/resource-types.js'
import { fromStoredBody } from '../resources/stored-json.js'
import { bodiesOf } from '../storage/bodies-of.js'
import type { WatchHub } from './watch-hub.js'

/** A collection in memory. Events reach it before the write that caused them is answered, so it is never behind its writer. */
class CollectionCache implements Cache {
  readonly #objects = new Map<string, ApiObject>()
  readonly #byNamespace = new Map<string, Map<string, ApiObject>>()
  readonly #indexes = new Map<
    string,
    { valuesOf: (object: ApiObject) => readonly string[]; entries: Map<string, Set<ApiObject>> }
  >()
  readonly #listeners = new Set<(change: CacheChange) => void>()
  readonly #store: Store
  readonly #keyPrefix: string
  #ready: Promise<void> | undefined
  /** What happened before it was filled. */
  #early: StoreEvent[] = []
  /** The revision it was filled at. The hub may be behind that, and tell of what is in already. */
  #filledAt: Revision | undefined
  #isReady = false

  constructor(store: Store, hub: WatchHub, typeKey: string, keyPrefix: string) {
    hub.listen(typeKey, event => (this.#filledAt === undefined ? this.#early.push(event) : this.#apply(event)))
    this.#store = store
    this.#keyPrefix = keyPrefix
  }
  get isReady(): boolean {
    return this.#isReady
  }
  /** Who waits hears why the store could not be read; the next one who asks tries again. */
  ready(): Promise<void> {
    this.#ready ??= this.#fill().catch((failure: unknown) => {
      this.#ready = undefined
      throw failure
    })
    return this.#ready
  }
  get(namespace: string, name: string): ApiObject | undefined {
    return this.#objects.get(`${namespace}/${name}`)
  }
  list(namespace?: string): readonly ApiObject[] {
    if (namespace === undefined) return [...this.#objects.values()]
    return [...(this.#byNamespace.get(namespace)?.values() ?? [])]
  }
  indexed(indexName: string, value: string): readonly ApiObject[] {
    const index = this.#indexes.get(indexName)
    if (!index) throw new Error(`there is no index "${indexName}"`)
    return [...(index.entries.get(value) ?? [])]
  }
  addIndex(indexName: string, valuesOf: (object: ApiObject) => readonly string[]): void {
    if (this.#indexes.has(indexName)) return
    const index = { valuesOf, entries: new Map<string, Set<ApiObject>>() }
    this.#indexes.set(indexName, index)
    for (const object of this.#objects.values()) addTo(index, object)
  }
  onChange(listener: (change: CacheChange) => void): () => void {
    this.#listeners.add(listener)
    for (const object of this.#objects.values()) listener({ type: 'added', object, previous: undefined })
    return () => this.#listeners.delete(listener)
  }

  async #fill(): Promise<void> {
    const page = await this.#store.list({ prefix: this.#keyPrefix })
    const objects: ApiObject[] = []
    // Half a list is not kept: what is deleted before the next try would stay.
    for await (const chunk of page.items) for (const body of bodiesOf(chunk)) objects.push(fromStoredBody(body))
    for (const object of objects) this.#set(object)
    this.#filledAt = page.revision
    for (const event of this.#early.splice(0)) this.#apply(event)
    this.#isReady = true
  }
  #apply(event: StoreEvent): void {
    if (event.revision <= (this.#filledAt ?? 0)) return
    const object = fromStoredBody(event.body)
    if (event.type === 'delete') this.#delete(object)
    else this.#set(object)
  }
  #set(object: ApiObject): void {
    const { namespace = '', name = '' } = object.metadata
    const id = `${namespace}/${name}`
    const previous = this.#objects.get(id)
    this.#objects.set(id, object)
    if (namespace !== '') {
      let ofNamespace = this.#byNamespace.get(namespace)
      if (!ofNamespace) this.#byNamespace.set(namespace, (ofNamespace = new Map()))
      ofNamespace.set(name, object)
    }
    for (const index of this.#indexes.values()) {
      if (previous) removeFrom(index, previous)
      addTo(index, object)
    }
    for (const listener of this.#listeners) listener({ type: previous ? 'modified' : 'added', object, previous })
  }
  #delete(object: ApiObject): void {
    const { namespace = '', name = '' } = object.metadata
    const previous = this.#objects.get(`${namespace}/${name}`)
    if (!previous) return
    this.#objects.delete(`${namespace}/${name}`)
    const ofNamespace = this.#byNamespace.get(namespace)
    ofNamespace?.delete(name)
    if (ofNamespace?.size === 0) this.#byNamespace.delete(namespace)
    for (const index of this.#indexes.values()) removeFrom(index, previous)
    for (const listener of this.#listeners) listener({ type: 'deleted', object, previous })
  }
}

interface Index {
  readonly valuesOf: (object: ApiObject) => readonly string[]
  readonly entries: Map<string, Set<ApiObject>>
}
function addTo({ valuesOf, entries }: Index, object: ApiObject): void {
  for (const value of valuesOf(object)) {
    const set = entries.get(value)
    if (set) set.add(object)
    else entries.set(value, new Set([object]))
  }
}
function removeFrom({ valuesOf, entries }: Index, object: ApiObject): void {
  for (const value of valuesOf(object)) {
    const set = entries.get(value)
    set?.delete(object)
    if (set?.size === 0) entries.delete(value)
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

/** The caches of this process, one per collection, made on first use. */
export class SharedCaches implements Caches {
  readonly #made = new Map<string, CollectionCache>()
  readonly #store: Store
  readonly #hub: WatchHub
  readonly #types: ResourceTypes

  constructor(store: Store, hub: WatchHub, types: ResourceTypes) {
    this.#store = store
    this.#hub = hub
    this.#types = types
  }
  of<T = ApiObject>({ group, resource }: GroupResource): Cache<T> {
    const type = this.#types.get(group, resource)
    if (!type) return nothing as unknown as Cache<T>
    const { storageKey, keyPrefix } = type
    let cache = this.#made.get(storageKey)
    if (!cache) this.#made.set(storageKey, (cache = new CollectionCache(this.#store, this.#hub, storageKey, keyPrefix)))
    // Not everybody waits until it is filled, and then nobody hears of a store that cannot be reached.
    if (!cache.isReady) cache.ready().catch(() => {})
    return cache as unknown as Cache<T>
  }
}
