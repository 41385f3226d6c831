import { type GroupResource, type Resolved, services } from 'orch/sdk'
import type { Node } from '../nodes/schema.js'

/** The services for looking up an object. */
export const lookupNeeds = { caches: services.caches, reader: services.reader } as const

/** The cached object; one that is not in the cache (yet) is read from the store. */
export async function findObject<T>(
  collection: GroupResource,
  namespace: string,
  name: string,
  { caches, reader }: Resolved<typeof lookupNeeds>,
): Promise<T | undefined> {
  return caches.of<T>(collection).get(namespace, name) ?? (await reader.get<T>(collection, namespace, name))
}

const nodes = { group: '', resource: 'nodes' }
export const findNode = (name: string, lookup: Resolved<typeof lookupNeeds>): Promise<Node | undefined> =>
  findObject<Node>(nodes, '', name, lookup)
