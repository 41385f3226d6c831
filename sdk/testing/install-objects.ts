import type { Client, ResourceClient } from '../client/client.js'
import type { ApiObject } from '../resource/meta.js'

/** Creates an object of whatever kind, or replaces the one that is there, and returns what is stored. */
export async function installObject(client: Client, object: ApiObject): Promise<ApiObject> {
  const collection = await collectionOf(client, object)
  const { name = '' } = object.metadata
  const stored = await collection.find(name)
  if (!stored) return collection.create(object)
  const { resourceVersion } = stored.metadata
  return collection.update({ ...object, metadata: { ...object.metadata, resourceVersion } })
}

/** The collection that an object belongs to, by its apiVersion and kind. */
export async function collectionOf(client: Client, object: ApiObject): Promise<ResourceClient<ApiObject>> {
  const { apiVersion, kind = '' } = object
  const known = await client.kinds()
  const found = known.find(kind, apiVersion) ?? (await client.kinds({ fresh: true })).find(kind, apiVersion)
  if (!found) throw new Error(`the server has no ${kind} in ${apiVersion ?? 'any version'}`)
  const collection = client.resource<ApiObject>(found)
  return found.namespaced ? collection.in(object.metadata.namespace ?? 'default') : collection
}
