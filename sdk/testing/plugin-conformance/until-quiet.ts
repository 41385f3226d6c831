import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiObject, ResourceDefinition } from '../../index.js'
import type { TestServer } from '../start-server.js'
import type { PluginUnderTest } from './plugin-under-test.js'
import { resourceName } from './type-checks.js'

const quietPolls = 5
const pollMs = 50
const longestMs = 15_000

/** The stored types that a plugin works on, as far as is known: its own, and those it has samples of. */
export const typesOf = ({ name, registry, samples }: PluginUnderTest): ResourceDefinition[] =>
  registry.resources
    .filter(({ plugin, definition }) => plugin === name || samples.samples?.[resourceName(definition)])
    .map(({ definition }) => definition)
    .filter(({ virtual, verbs }) => !virtual && (verbs?.includes('list') ?? true))

export const clientOf = (server: TestServer, { group, versions, resource }: ResourceDefinition) =>
  server.client.resource<ApiObject>({ group, version: versions[0]?.name ?? '', resource })

/**
 * Waits until nothing has been written for a while, which the revision of a list shows. If lists are rejected, it does
 * not wait; other checks report the reason.
 */
export async function untilQuiet(plugin: PluginUnderTest, server: TestServer): Promise<void> {
  const [type] = typesOf(plugin)
  if (!type) return
  const until = Date.now() + longestMs
  let last = ''
  for (let same = 0; same < quietPolls && Date.now() < until; ) {
    const list = await clientOf(server, type)
      .list({ limit: 1 })
      .catch(() => undefined)
    if (!list) return
    const { resourceVersion } = list.metadata
    same = resourceVersion === last ? same + 1 : 0
    last = resourceVersion
    await sleep(pollMs)
  }
}
