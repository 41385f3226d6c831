import type { ApiObject, Clock, Logger } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { startControlLoop } from 'orch/sdk/controllers'

const namespaces = { group: '', version: 'v1', resource: 'namespaces' }
const configMaps = { group: '', version: 'v1', resource: 'configmaps' }
type ConfigMap = ApiObject & { data?: Record<string, string> }
const welcomeName = 'welcome'

/**
 * Every namespace has a ConfigMap that greets it. The loop follows both collections: a new namespace gets one, and one
 * that somebody changes or deletes is brought back.
 */
export function startWelcome(runtime: { client: Client; clock: Clock; logger: Logger }): Promise<() => Promise<void>> {
  return startControlLoop({
    ...runtime,
    name: 'welcome',
    sources: [
      { resource: namespaces },
      // A changed ConfigMap stands for its namespace. The server leaves the others out.
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
      // Apply says what shall be, not how to get there: it creates or changes, and leaves alone what others added.
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
