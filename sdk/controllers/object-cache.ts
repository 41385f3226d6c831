import type { Cache, CacheChange } from '../plugin/caches.js'
import { addAll } from '../resource/field-errors.js'
import type { ApiObject } from '../resource/meta.js'
import { keyOf } from './control-loop.js'

interface Index<T> {
  readonly valuesOf: (object: T) => readonly string[]
  /** Value → key → object. */
  readonly entries: Map<string, Map<string, T>>
}

/** A copy of a collection, kept up to date with `replace` and `apply`. Listeners are called when a change is complete. */
export class ObjectCache<T extends ApiObject = ApiObject> implements Cache<T> {
  readonly #objects = new Map<string, T>()
  readonly #namespaces = new Map<string, Map<string, T>>()
  readonly #indexes = new Map<string, Index<T>>()
  readonly #listeners = new Set<(change: CacheChange<T>) => void>()
  readonly #onError: (error: unknown) => void
  readonly #ready: Promise<void>
  #markReady: () => void = () => {}
  #isReady = false
  /** The result of list() until the next change. */
  #all: readonly T[] | undefined

  /** `onError` is called for listeners and index functions that throw; the others are still called. */
  constructor(onError: (error: unknown) => void = () => {}) {
    this.#onError = onError
    this.#ready = new Promise(resolve => {
      this.#markReady = resolve
    })
  }
  get isReady(): boolean {
    return this.#isReady
  }
  ready(): Promise<void> {
    return this.#ready
  }
  get(namespace: string, name: string): T | undefined {
    return this.#objects.get(namespace ? `${namespace}/${name}` : name)
  }
  list(namespace?: string): readonly T[] {
    if (namespace !== undefined) return [...(this.#namespaces.get(namespace)?.values() ?? [])]
    return (this.#all ??= [...this.#objects.values()])
  }
  indexed(indexName: string, value: string): readonly T[] {
    const index = this.#indexes.get(indexName)
    if (index === undefined) throw new Error(`no index "${indexName}": add it with addIndex first`)
    return [...(index.entries.get(value)?.values() ?? [])]
  }
  addIndex(indexName: string, valuesOf: (object: T) => readonly string[]): void {
    if (this.#indexes.has(indexName)) return
    const index: Index<T> = { valuesOf: object => this.#valuesOf(valuesOf, object), entries: new Map() }
    for (const [key, object] of this.#objects) addTo(index, key, object)
    this.#indexes.set(indexName, index)
  }
  /** Removes an index that is no longer used. */
  removeIndex(indexName: string): void {
    this.#indexes.delete(indexName)
  }
  onChange(listener: (change: CacheChange<T>) => void): () => void {
    this.#listeners.add(listener)
    for (const object of [...this.#objects.values()])
      this.#call(listener, { type: 'added', object, previous: undefined })
    return () => this.#listeners.delete(listener)
  }

  /** Takes over a complete listing. Objects that are not in it were deleted meanwhile, and listeners are called for them. */
  replace(objects: readonly T[]): void {
    const listed = new Map(objects.map(object => [keyOf(object), object]))
    const vanished = [...this.#objects].filter(([key]) => !listed.has(key))
    const changes: CacheChange<T>[] = vanished.map(([key, object]) => this.#remove(key, object, object))
    for (const [key, object] of listed) addAll(changes, this.#store(key, object))
    if (!this.#isReady) {
      this.#isReady = true
      this.#markReady()
    }
    this.#notify(changes)
  }
  /** Takes over one event of a watch. */
  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void {
    const key = keyOf(object)
    const previous = this.#objects.get(key)
    if (type !== 'DELETED') this.#notify(this.#store(key, object))
    else if (previous) this.#notify([this.#remove(key, object, previous)])
  }

  #store(key: string, object: T): CacheChange<T>[] {
    const previous = this.#objects.get(key)
    if (previous === undefined) return [this.#put(key, object, undefined)]
    if (previous.metadata.uid !== object.metadata.uid)
      // Deleted and created again under the same name: two changes of two objects.
      return [this.#remove(key, previous, previous), this.#put(key, object, undefined)]
    if (previous.metadata.resourceVersion === object.metadata.resourceVersion && object.metadata.resourceVersion)
      return []
    return [this.#put(key, object, previous)]
  }
  #put(key: string, object: T, previous: T | undefined): CacheChange<T> {
    this.#all = undefined
    this.#objects.set(key, object)
    const namespace = object.metadata.namespace ?? ''
    const inNamespace = this.#namespaces.get(namespace) ?? new Map<string, T>()
    this.#namespaces.set(namespace, inNamespace.set(key, object))
    for (const index of this.#indexes.values()) {
      if (previous) removeFrom(index, key, previous)
      addTo(index, key, object)
    }
    return { type: previous ? 'modified' : 'added', object, previous }
  }
  #remove(key: string, object: T, previous: T): CacheChange<T> {
    this.#all = undefined
    this.#objects.delete(key)
    const namespace = previous.metadata.namespace ?? ''
    const inNamespace = this.#namespaces.get(namespace)
    inNamespace?.delete(key)
    if (inNamespace?.size === 0) this.#namespaces.delete(namespace)
    for (const index of this.#indexes.values()) removeFrom(index, key, previous)
    return { type: 'deleted', object, previous }
  }
  #notify(changes: readonly CacheChange<T>[]): void {
    for (const change of changes) for (const listener of this.#listeners) this.#call(listener, change)
  }
  #call(listener: (change: CacheChange<T>) => void, change: CacheChange<T>): void {
    try {
      listener(change)
    } catch (error) {
      this.#onError(error)
    }
  }
  /** An object for which an index function throws is not in that index. */
  #valuesOf(valuesOf: (object: T) => readonly string[], object: T): readonly string[] {
    try {
      return valuesOf(object)
    } catch (error) {
      this.#onError(error)
      return []
    }
  }
}

function addTo<T>(index: Index<T>, key: string, object: T): void {
  for (const value of index.valuesOf(object)) {
    const entry = index.entries.get(value) ?? new Map<string, T>()
    index.entries.set(value, entry.set(key, object))
  }
}
function removeFrom<T>(index: Index<T>, key: string, object: T): void {
  for (const value of index.valuesOf(object)) {
    const entry = index.entries.get(value)
    entry?.delete(key)
    if (entry?.size === 0) index.entries.delete(value)
  }
}
