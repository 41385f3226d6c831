import type { ApiObject, GroupResource, StoreReader } from 'orch/sdk'
import { bodiesOf, type Store } from 'orch/sdk/host'
import type { ResourceTypes } from '../types/resource-types.js'
import { fromStoredBody } from '../types/stored-json.js'

/** Consistent reads for plugins that must not decide on stale data. */
export class DirectReader implements StoreReader {
  readonly #store: Store
  readonly #types: ResourceTypes
  constructor(store: Store, types: ResourceTypes) {
    this.#store = store
    this.#types = types
  }
  async get<T = ApiObject>(
    { group, resource }: GroupResource,
    namespace: string,
    name: string,
  ): Promise<T | undefined> {
    const type = this.#types.get(group, resource)
    const found = type && (await this.#store.get(type.key(namespace, name)))
    return found && (fromStoredBody(found.body) as T)
  }
  async list<T = ApiObject>({ group, resource }: GroupResource, namespace = ''): Promise<T[]> {
    const type = this.#types.get(group, resource)
    const objects: T[] = []
    if (!type) return objects
    const page = await this.#store.list({ prefix: type.collectionPrefix(namespace) })
    for await (const chunk of page.items) for (const body of bodiesOf(chunk)) objects.push(fromStoredBody(body) as T)
    return objects
  }
}
