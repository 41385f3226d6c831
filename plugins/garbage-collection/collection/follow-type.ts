import type { ApiObject, Clock, Logger, ObjectMeta } from 'orch/sdk'
import { type Client, sleep } from 'orch/sdk/client'
import type { CollectedType } from './collected-types.js'
import type { ConcurrencyLimit } from './concurrency-limit.js'
import { identityOf, keyPrefixOf, type OwnerGraph } from './owner-graph.js'

export interface FollowServices {
  readonly client: Client
  readonly clock: Clock
  readonly logger: Logger
  readonly graph: OwnerGraph
  readonly signal: AbortSignal
  /** Limits concurrent listings: those of thousands of types would be throttled. */
  readonly listingLimit: ConcurrencyLimit
  /** The group of PartialObjectMetadata. */
  readonly metaGroup: string
}

/** The size of a page; only ownership is kept of each object. */
const pageSize = 500
const retryMs = 1_000

/**
 * Feeds every object of a type to the graph, until it is stopped. `listed` is called when the first listing is
 * complete. `seen` has the keys of the objects that were listed and
 * are still there, until they are confirmed.
 */
export async function followType(
  type: CollectedType,
  services: FollowServices,
  seen: Set<string>,
  listed: () => void,
): Promise<void> {
  const { client, graph, signal, logger, metaGroup } = services
  const resourceVersion = await services.listingLimit.run(() => listWithRetries(type, services, seen))
  if (resourceVersion === undefined) return
  listed()
  const events = client.resource(type).watchWithResume({
    resourceVersion,
    metadataOnly: metaGroup,
    withoutManagedFields: true,
    signal,
    // A type may be forbidden for a while; giving up would leave its objects uncollected forever.
    giveUpOn: () => false,
    onRetry: (error, delayMs) => logger.debug('watch interrupted', { ...groupResourceOf(type), error, delayMs }),
  })
  for await (const event of events) {
    if (event.type === 'RELISTED') {
      const listedNow = new Set<string>()
      observeAll(type, event.items, graph, listedNow)
      graph.recheckAllBut(type, listedNow)
      for (const key of seen) if (key.startsWith(keyPrefixOf(type)) && !listedNow.has(key)) seen.delete(key)
    } else if (event.type === 'DELETED') {
      // While other types are still being listed: a dependent that comes later must not find its owner confirmed.
      seen.delete(keyOf(type, event.object.metadata))
      graph.forget(type, event.object.metadata)
    } else graph.observe(type, event.object.metadata)
  }
}

/** The version of the listing; undefined when it was abandoned. */
async function listWithRetries(
  type: CollectedType,
  services: FollowServices,
  seen: Set<string>,
): Promise<string | undefined> {
  const { clock, logger, signal } = services
  while (!signal.aborted) {
    try {
      return await listPages(type, services, seen)
    } catch (error) {
      if (signal.aborted) break
      logger.warn('listing failed', { ...groupResourceOf(type), error, retryInMs: retryMs })
      await sleep(clock, retryMs, signal)
    }
  }
  return undefined
}

async function listPages(
  type: CollectedType,
  { client, graph, signal, metaGroup }: FollowServices,
  seen: Set<string>,
): Promise<string | undefined> {
  for (let token: string | undefined; !signal.aborted; ) {
    const page = await client
      .resource(type)
      .list({ limit: pageSize, metadataOnly: metaGroup, ...(token === undefined ? {} : { continue: token }) })
    observeAll(type, page.items, graph, seen)
    token = page.metadata.continue
    if (!token) return page.metadata.resourceVersion
  }
  return undefined
}

function observeAll(type: CollectedType, objects: readonly ApiObject[], graph: OwnerGraph, seen: Set<string>): void {
  for (const { metadata } of objects) {
    graph.observe(type, metadata)
    seen.add(keyOf(type, metadata))
  }
}
const keyOf = (type: CollectedType, { namespace = '', name = '', uid = '' }: ObjectMeta): string =>
  identityOf(type, namespace, name, uid).key

const groupResourceOf = ({ group, resource }: CollectedType) => ({ group, resource })
