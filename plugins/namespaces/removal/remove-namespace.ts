import type { Clock, ResourceCatalogue } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { type Namespace, namespaceCollection } from 'orch/sdk/core'
import type { NamespaceNames } from '../names.js'
import { nextConditions } from './conditions.js'
import { emptyNamespace, isEmpty } from './empty-namespace.js'

/** How long to wait before checking the remaining objects again. */
const recheckMs = 1000

/** Empties a namespace that is being deleted and removes its finalizer, or requeues it. */
export async function removeNamespace(
  name: string,
  { finalizer }: NamespaceNames,
  podsFirst: boolean,
  { client, resources, clock }: { client: Client; resources: ResourceCatalogue; clock: Clock },
): Promise<undefined | { requeueAfterMs: number }> {
  const namespaces = client.resource<Namespace>(namespaceCollection)
  let namespace = await namespaces.find(name)
  const needsRemoval = namespace?.metadata?.deletionTimestamp && namespace.spec?.finalizers?.includes(finalizer)
  if (!namespace || !needsRemoval) return

  const ageMs = clock.now() - Date.parse(namespace.metadata?.deletionTimestamp ?? '')
  const contents = await emptyNamespace({ name, ageMs, podsFirst }, client, resources)
  const conditions = nextConditions(contents, namespace.status?.conditions ?? [], clock.now())
  if (conditions) {
    namespace = await namespaces.updateSubresource('status', {
      ...namespace,
      status: { ...namespace.status, conditions },
    })
  }
  if (contents.isWaitingForPods || !isEmpty(contents)) return { requeueAfterMs: recheckMs }

  const finalizers = (namespace.spec?.finalizers ?? []).filter(other => other !== finalizer)
  await namespaces.updateSubresource('finalize', { ...namespace, spec: { finalizers } })
  return undefined
}
