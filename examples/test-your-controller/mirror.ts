import type { ApiObject } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'

type ConfigMap = ApiObject & { data?: Record<string, string> }
const configMaps = { group: '', version: 'v1', resource: 'configmaps' }

/** The controller under test: copies ConfigMaps with the label `mirror=yes` to another namespace, in one pass. */
export async function mirror(client: Client, target: string): Promise<string[]> {
  const copies = client.resource<ConfigMap>(configMaps).in(target)
  const written: string[] = []
  for await (const { metadata, data = {} } of client
    .resource<ConfigMap>(configMaps)
    .each({ labelSelector: 'mirror=yes' })) {
    const { name = '' } = metadata
    const copy = await copies.find(name)
    if (copy && JSON.stringify(copy.data ?? {}) === JSON.stringify(data)) continue
    if (copy) await copies.update({ ...copy, data })
    else await copies.create({ metadata: { name }, data })
    written.push(name)
  }
  return written
}
