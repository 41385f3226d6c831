import type { ApiObject, Clock, Logger } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { startControlLoop } from 'orch/sdk/controllers'

const namespaces = { group: '', version: 'v1', resource: 'namespaces' }
const configMaps = { group: '', version: 'v1', resource: 'configmaps' }
type ConfigMap = ApiObject & { data?: Record<string, string> }
const welcomeName = 'welcome'

/**
 * Maintains a ConfigMap in every namespace. The loop watches both collections: a new namespace gets one, and one
 * that is changed or deleted is restored.
 */
export function startWelcome(runtime: { client: Client; clock: Clock; logger: Logger }): Promise<() => Promise<void>> {
  return startControlLoop({
    ...runtime,
    name: 'welcome',
    sources: [
      { resource: namespaces },
      // A changed ConfigMap enqueues its namespace. The server filters the others.
      {
        resource: configMaps,
        fieldSelector: `metadata.name=${welcomeName}`,
        keys: ({ metadata }: ApiObject) => [metadata.namespace ?? ''],
      },
    ],
    async reconcile(namespace, caches) {
      const found = caches.of(namespaces).get('', namespace)
      if (!found || found.metadata.deletionTimestamp) return
      const text = `Welcome to ${namespace}`
      if (caches.of<ConfigMap>(configMaps).get(namespace, welcomeName)?.data?.['text'] === text) return
      // Apply is declarative: it creates or changes the object, and keeps fields of other managers.
      await runtime.client
        .resource<ConfigMap>(configMaps)
        .in(namespace)
        .apply(
          { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: welcomeName }, data: { text } },
          { fieldManager: 'welcome', force: true },
        )
    },
  })
}
