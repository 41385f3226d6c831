import type { Cache, Caches, GroupResource } from '../plugin/caches.js'
import type { StoreReader } from '../plugin/store-reader.js'
import type { ObjectMeta } from '../resource/meta.js'

/** An object of any type, as a test writes it. */
interface Named {
  readonly metadata?: ObjectMeta
}
/** Objects by collection: `pods` of the core group, `leases.coordination.acme.test` of another. */
export type Collections = Readonly<Record<string, readonly Named[]>>

/** Caches and store of a server that holds these objects. Those in `unseen` are stored, and not in the caches yet. */
export function fakeCollections(
  cached: Collections,
  unseen: Collections = {},
): { readonly caches: Caches; readonly reader: StoreReader } {
  const cachedOf = (collection: GroupResource) => cached[keyOf(collection)] ?? []
  const storedOf = (collection: GroupResource) => [...cachedOf(collection), ...(unseen[keyOf(collection)] ?? [])]
  const found = new Map<string, Cache<Named>>()
  return {
    caches: {
      of<T>(collection: GroupResource) {
        const key = keyOf(collection)
        if (!found.has(key)) found.set(key, cacheOf(cachedOf(collection)))
        return found.get(key) as Cache<T>
      },
    },
    reader: {
      get: async <T>(collection: GroupResource, namespace: string, name: string) =>
        storedOf(collection).find(isAt(namespace, name)) as T | undefined,
      list: async <T>(collection: GroupResource, namespace?: string) =>
        storedOf(collection).filter(isIn(namespace)) as T[],
    },
  }
}

const keyOf = ({ group, resource }: GroupResource) => (group === '' ? resource : `${resource}.${group}`)
const isIn =
  (namespace: string | undefined) =>
  ({ metadata }: Named) =>
    namespace === undefined || (metadata?.namespace ?? '') === namespace
const isAt = (namespace: string, name: string) => (object: Named) =>
  isIn(namespace)(object) && object.metadata?.name === name

function cacheOf(objects: readonly Named[]): Cache<Named> {
  const indexes = new Map<string, (object: Named) => readonly string[]>()
  return {
    isReady: true,
    ready: async () => {},
    get: (namespace, name) => objects.find(isAt(namespace, name)),
    list: namespace => objects.filter(isIn(namespace)),
    addIndex: (name, valuesOf) => void indexes.set(name, valuesOf),
    indexed: (name, value) => objects.filter(object => indexes.get(name)?.(object).includes(value)),
    onChange(listener) {
      for (const object of objects) listener({ type: 'added', object, previous: undefined })
      return () => {}
    },
  }
}
