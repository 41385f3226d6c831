import { type AdmissionRequest, type ApiObject, type Caches, type Labels, notFound, type StoreReader } from 'orch/sdk'
import { type Candidate, isNamespaceRequest } from './webhook-snapshot.js'

const namespaceCollection = { group: '', resource: 'namespaces' }

export interface NamespaceLookup {
  readonly caches: Caches
  readonly reader: StoreReader
}

/** Does a webhook whose rules match want this very object? */
export async function isSelected(
  { webhook }: Candidate,
  request: AdmissionRequest,
  lookup: NamespaceLookup,
): Promise<boolean> {
  const { selectsNamespace, selectsObject } = webhook
  // A namespace selector leaves out no cluster-scoped object but Namespaces themselves.
  const isInNamespace = request.namespace !== '' || isNamespaceRequest(request)
  if (selectsNamespace && isInNamespace && !selectsNamespace(await namespaceLabels(request, lookup))) return false
  if (!selectsObject) return true
  // What can have no labels (the options of a connection) is not selected, not even by their absence.
  return [request.object, request.oldObject].some(object => object?.metadata && selectsObject(object.metadata.labels))
}

/** The labels of the request's namespace. One that is just being written counts as it will be. */
async function namespaceLabels(request: AdmissionRequest, { caches, reader }: NamespaceLookup): Promise<Labels> {
  const isNamespace = isNamespaceRequest(request)
  if (isNamespace && request.subresource === '' && request.object) return request.object.metadata.labels ?? {}
  const name = isNamespace ? request.name : request.namespace
  const found = caches.of(namespaceCollection).get('', name) ?? (await readNamespace(reader, name))
  return found.metadata.labels ?? {}
}

async function readNamespace(reader: StoreReader, name: string): Promise<ApiObject> {
  const found = await reader.get(namespaceCollection, '', name)
  if (!found) throw notFound({ ...namespaceCollection, name })
  return found
}
