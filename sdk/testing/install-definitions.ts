import type { Client } from '../client/client.js'
import { hasCondition } from '../client/wait-for.js'
import { sleep, waitingClock } from '../client/waiting.js'
import type { ApiObject } from '../resource/meta.js'
import { collectionOf, installObject } from './install-objects.js'
import { type ManifestSource, readManifests } from './read-manifests.js'

type Definition = ApiObject & {
  readonly spec: {
    readonly group: string
    readonly names: { readonly plural: string }
    readonly versions: readonly { readonly name: string; readonly served: boolean }[]
  }
}
const kind = 'CustomResourceDefinition'
const askAgainMs = 5
const limitMs = 30_000

/** Installs the definitions among the sources, and waits until what they define is served. Other objects are left out. */
export async function installDefinitions(
  client: Client,
  sources: readonly ManifestSource[],
): Promise<readonly ApiObject[]> {
  const definitions = readManifests(sources).filter(object => object.kind === kind)
  const installed = await Promise.all(definitions.map(definition => installObject(client, definition)))
  return Promise.all(installed.map(definition => untilServed(client, definition as Definition)))
}

async function untilServed(client: Client, definition: Definition): Promise<ApiObject> {
  const { name = '' } = definition.metadata
  const collection = await collectionOf(client, definition)
  const established = await collection.waitFor(name, hasCondition('Established'), { timeoutMs: limitMs })
  const { group, names, versions } = definition.spec
  for (const { name: version, served } of versions) {
    if (!served) continue
    const end = Date.now() + limitMs
    while (!(await isServed(client, `/apis/${group}/${version}`, names.plural))) {
      if (Date.now() > end) throw new Error(`${names.plural}.${group}/${version} is not served after ${limitMs} ms`)
      await sleep(waitingClock, askAgainMs)
    }
  }
  return established
}

async function isServed(client: Client, path: string, plural: string): Promise<boolean> {
  try {
    const { resources = [] } = await client.request<{ resources?: { name: string }[] }>({
      method: 'GET',
      path,
      headers: {},
    })
    return resources.some(({ name }) => name === plural)
  } catch {
    return false
  }
}
