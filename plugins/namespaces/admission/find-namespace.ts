import { type Caches, type Resolved, type StoreReader, services } from 'orch/sdk'
import { type Namespace, namespaceCollection } from 'orch/sdk/core'

/** What looking a namespace up takes. */
export const lookupNeeds = { caches: services.caches, reader: services.reader } as const

/** The namespace as this process knows it; one it does not know (yet) is read from the store. */
export async function findNamespace(
  name: string,
  { caches, reader }: Resolved<typeof lookupNeeds>,
): Promise<Namespace | undefined> {
  return knownNamespace(name, caches) ?? (await readNamespace(name, reader))
}
export const knownNamespace = (name: string, caches: Caches): Namespace | undefined =>
  caches.of<Namespace>(namespaceCollection).get('', name)
export const readNamespace = (name: string, reader: StoreReader): Promise<Namespace | undefined> =>
  reader.get<Namespace>(namespaceCollection, '', name)

/** Does the request concern something inside a namespace, rather than a cluster-wide object or a Namespace itself? */
export const isInsideNamespace = (request: { group: string; resource: string; namespace: string }): boolean =>
  request.namespace !== '' && !isNamespace(request)

export const isNamespace = ({ group, resource }: { group: string; resource: string }): boolean =>
  group === namespaceCollection.group && resource === namespaceCollection.resource
