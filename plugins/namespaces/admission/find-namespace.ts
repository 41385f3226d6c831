import { type Caches, type Resolved, type StoreReader, services } from 'orch/sdk'
import { type Namespace, namespaceCollection } from 'orch/sdk/core'

/** The services for looking up a namespace. */
export const lookupNeeds = { caches: services.caches, reader: services.reader } as const

/** The cached namespace; if it is not cached (yet), it is read from the store. */
export async function findNamespace(
  name: string,
  { caches, reader }: Resolved<typeof lookupNeeds>,
): Promise<Namespace | undefined> {
  return cachedNamespace(name, caches) ?? (await readNamespace(name, reader))
}
export const cachedNamespace = (name: string, caches: Caches): Namespace | undefined =>
  caches.of<Namespace>(namespaceCollection).get('', name)
export const readNamespace = (name: string, reader: StoreReader): Promise<Namespace | undefined> =>
  reader.get<Namespace>(namespaceCollection, '', name)

/**
 * Whether the request concerns an object in a namespace, rather than a cluster-scoped object such as the Namespace
 * itself.
 */
export const isInsideNamespace = (request: { group: string; resource: string; namespace: string }): boolean =>
  request.namespace !== '' && !isNamespace(request)

export const isNamespace = ({ group, resource }: { group: string; resource: string }): boolean =>
  group === namespaceCollection.group && resource === namespaceCollection.resource
