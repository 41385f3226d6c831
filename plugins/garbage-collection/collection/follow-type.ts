import type { ApiObject, Client, Clock, Logger } from 'orch/sdk'
import type { CollectedType } from './collected-types.js'
import { identityOf, type OwnerGraph } from './owner-graph.js'

export interface FollowServices {
  readonly client: Client
  readonly clock: Clock
  readonly logger: Logger
  readonly graph: OwnerGraph
  readonly signal: AbortSignal
}

/** Objects are read this many at a time; of each page only ownership is kept. */
const pageSize = 500
const retryMs = 1_000

/** Tells the graph of every object of a type, for good. `listed` is called when it has heard of all there are. */
export async function followType(
  type: CollectedType,
  services: FollowServices,
  listed: (keys: ReadonlySet<string>) => void,
): Promise<void> {
  const { client, graph, signal, logger } = services
  const first = await listPatiently(type, services)
  if (!first) return
  listed(first.keys)
  const events = client.resource(type).watchWithResume({
    resourceVersion: first.resourceVersion,
    signal,
    // A type may be forbidden for a while; giving up on it would leave its objects uncollected for ever.
    giveUpOn: () => false,
    onRetry: (error, delayMs) => logger.debug('watch interrupted', { ...nameOf(type), error: String(error), delayMs }),
  })
  for await (const event of events) {
    if (event.type === 'RELISTED') graph.doubtAllBut(type, observeAll(type, event.items, graph))
    else if (event.type === 'DELETED') graph.forget(type, event.object.metadata)
    else graph.observe(type, event.object.metadata)
  }
}

interface Listing {
  readonly keys: ReadonlySet<string>
  readonly resourceVersion: string
}

async function listPatiently(type: CollectedType, services: FollowServices): Promise<Listing | undefined> {
  const { clock, logger, signal } = services
  while (!signal.aborted) {
    try {
      return await listPages(type, services)
    } catch (error) {
      logger.warn('listing failed', { ...nameOf(type), error: String(error), retryInMs: retryMs })
      await pause(clock, retryMs, signal)
    }
  }
  return undefined
}

async function listPages(type: CollectedType, { client, graph }: FollowServices): Promise<Listing> {
  const keys = new Set<string>()
  for (let token: string | undefined; ; ) {
    const page = await client
      .resource(type)
      .list({ limit: pageSize, ...(token === undefined ? {} : { continue: token }) })
    for (const key of observeAll(type, page.items, graph)) keys.add(key)
    token = page.metadata.continue
    if (!token) return { keys, resourceVersion: page.metadata.resourceVersion }
  }
}

function observeAll(type: CollectedType, objects: readonly ApiObject[], graph: OwnerGraph): Set<string> {
  const keys = new Set<string>()
  for (const { metadata } of objects) {
    graph.observe(type, metadata)
    keys.add(identityOf(type, metadata.namespace ?? '', metadata.name ?? '', metadata.uid ?? '').key)
  }
  return keys
}

const nameOf = ({ group, resource }: CollectedType) => ({ group, resource })

function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const finish = () => {
      cancel()
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const cancel = clock.after(delayMs, finish)
    signal.addEventListener('abort', finish, { once: true })
  })
}
