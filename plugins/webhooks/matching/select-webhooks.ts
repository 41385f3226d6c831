import { type AdmissionRequest, type Caches, namespaceOfRequest, type StoreReader } from 'orch/sdk'
import type { Candidate } from './webhook-snapshot.js'

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
  if (selectsNamespace) {
    const namespace = await namespaceOfRequest(request, lookup)
    if (namespace && !selectsNamespace(namespace.metadata.labels ?? {})) return false
  }
  if (!selectsObject) return true
  // What can have no labels (the options of a connection) is not selected, not even by their absence.
  return [request.object, request.oldObject].some(object => object?.metadata && selectsObject(object.metadata.labels))
}
