import type { ApiObject } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'

const hourMs = 3_600_000

/** A sample tool: deletes the ConfigMaps of a namespace that are labelled `temporary` and older than `hours`. */
export async function prune(client: Client, namespace: string, hours: number, now: number): Promise<string[]> {
  const configMaps = client.resource<ApiObject>({ group: '', version: 'v1', resource: 'configmaps' }).in(namespace)
  const deleted: string[] = []
  for await (const { metadata } of configMaps.each({ labelSelector: 'temporary', limit: 100 })) {
    if (now - Date.parse(metadata.creationTimestamp ?? '') < hours * hourMs) continue
    // If it is replaced concurrently, the new one is kept.
    await configMaps.delete(metadata.name ?? '', { preconditions: { uid: metadata.uid ?? '' } })
    deleted.push(metadata.name ?? '')
  }
  return deleted
}
