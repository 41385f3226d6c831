import { setImmediate } from 'node:timers/promises'
import { type Authorizer, type ResourceInfo, services, type UserInfo, type Vendor } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { defineRoute } from 'orch/sdk/server'
import type { ObjectCounts } from './settings.js'

const atOnce = 25

/**
 * The number of objects of each type that the user may list, in a namespace or in all, for users who may `get` this path. Without
 * that permission the page counts each type itself, which takes a request per type.
 */
export const objectCounts = (vendor: Vendor) =>
  defineRoute({
    path: '/console/counts',
    needs: { client: services.client, authorizer: services.authorizer, resources: services.resources },
    async handle({ query, user }, { client, authorizer, resources }) {
      const counts: ObjectCounts = {}
      const namespace = query.get('namespace') ?? ''
      const count = async (type: ResourceInfo) => {
        const within = type.namespaced ? namespace : ''
        if (!(await mayList(user, type, within, authorizer))) return
        const found = await countOf(type, within, client, vendor.metaGroup)
        if (found !== undefined) counts[`${type.resource}.${type.group}`] = found
      }
      const wanted = resources.all().filter(type => type.verbs.includes('list') && !type.virtual)
      for (let at = 0; at < wanted.length; at += atOnce) {
        const some = wanted.slice(at, at + atOnce)
        await Promise.all(some.map(count))
        // Yields to other requests: a server may have thousands of types.
        await setImmediate()
      }
      return {
        headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
        body: JSON.stringify(counts),
      }
    },
  })

const mayList = (
  user: UserInfo,
  { group, version, resource }: ResourceInfo,
  namespace: string,
  authorizer: Authorizer,
): Promise<boolean> => authorizer.allows(user, 'list', { group, version, resource, namespace })

/** Reads one object; the list has the number of remaining ones. A type that was removed in the meantime has no count. */
async function countOf(
  { group, version, resource }: ResourceInfo,
  namespace: string,
  client: Client,
  metaGroup: string,
): Promise<number | undefined> {
  const all = client.resource({ group, version, resource })
  const collection = namespace === '' ? all : all.in(namespace)
  try {
    const { items, metadata } = await collection.list({ limit: 1, metadataOnly: metaGroup })
    return items.length + (metadata.remainingItemCount ?? 0)
  } catch {
    return undefined
  }
}
