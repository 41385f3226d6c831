import { isDeepStrictEqual } from 'node:util'
import { ApiError, type Cache, type Clock } from 'orch/sdk'
import { type Client, sleep, unlessLost } from 'orch/sdk/client'
import type { EndpointSlice } from '../endpoint-slices/schema.js'
import type { DiscoveryNames } from '../names.js'
import { type EndpointGroup, planSlices } from './plan-slices.js'

/** The owner of the slices, and the component that manages them. */
export interface SliceOwner {
  readonly kind: 'Service' | 'Endpoints'
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly manager: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  /** The annotation for written slices; removed if there is no time. Without this field, annotations are kept. */
  readonly triggerTime?: { readonly time: string | undefined }
}

/** The slices of a Service that a loop manages. */
export const slicesOf = (
  { serviceNameLabel, managedByLabel }: DiscoveryNames,
  slices: readonly EndpointSlice[],
  serviceName: string,
  manager: string,
): EndpointSlice[] =>
  slices.filter(
    ({ metadata }) =>
      metadata?.labels?.[serviceNameLabel] === serviceName &&
      metadata.labels[managedByLabel] === manager &&
      !metadata.deletionTimestamp,
  )

export interface SliceWriter {
  readonly client: Client
  readonly clock: Clock
  /** The cache in which written slices appear. */
  readonly cache: Cache<EndpointSlice>
}
/** How long to wait for a created slice in the cache. */
const patienceMs = 5000

/**
 * Writes the slices of an owner. Resolves once the cache has the created slices:
 * otherwise the next run would create them twice.
 */
export async function writeSlices(
  { client, clock, cache }: SliceWriter,
  names: DiscoveryNames,
  owner: SliceOwner,
  groups: readonly EndpointGroup[],
  stored: readonly EndpointSlice[],
  maxEndpoints: number,
): Promise<void> {
  const { kind, name, namespace, uid, manager } = owner
  const labels = { ...owner.labels, [names.serviceNameLabel]: name, [names.managedByLabel]: manager }
  const plan = planSlices(groups, stored, maxEndpoints)
  const changed = new Set(plan.update.map(({ metadata }) => metadata?.name))
  const removed = new Set(plan.remove.map(({ metadata }) => metadata?.name))
  const relabelled = stored.filter(
    ({ metadata }) =>
      !changed.has(metadata?.name) && !removed.has(metadata?.name) && !isDeepStrictEqual(metadata?.labels, labels),
  )
  const slices = client.resource<EndpointSlice>(names.slices).in(namespace)
  for (const slice of [...plan.update, ...relabelled])
    await slices.update({
      ...slice,
      metadata: { ...slice.metadata, labels, annotations: timed(names, owner, slice.metadata?.annotations) },
    })
  const ownerReferences = [{ apiVersion: 'v1', kind, name, uid, controller: true, blockOwnerDeletion: true }]
  const made: string[] = []
  for (const slice of plan.create) {
    const metadata = {
      generateName: `${name}-`,
      labels,
      annotations: timed(names, owner, owner.annotations),
      ownerReferences,
    }
    const created = await slices.create({ ...slice, metadata }).catch((error: unknown) => {
      // Nothing can be created in a terminating namespace.
      if (!(error instanceof ApiError && error.code === 403)) throw error
    })
    if (created) made.push(created.metadata?.name ?? '')
  }
  for (const slice of plan.remove) await removeSlice(client, names, slice)
  const isShown = () => made.every(each => cache.get(namespace, each))
  for (const end = clock.now() + patienceMs; !isShown() && clock.now() < end; ) await sleep(clock, 5)
}

/** The annotations of a slice that is written now. */
function timed(
  { triggerTimeAnnotation }: DiscoveryNames,
  { triggerTime }: SliceOwner,
  annotations: Readonly<Record<string, string>> = {},
): Record<string, string> {
  if (!triggerTime) return { ...annotations }
  const { [triggerTimeAnnotation]: _, ...kept } = annotations
  return triggerTime.time === undefined ? kept : { ...kept, [triggerTimeAnnotation]: triggerTime.time }
}

/** Deletes a slice, but not another one of the same name. */
export async function removeSlice(
  client: Client,
  { slices }: DiscoveryNames,
  { metadata }: EndpointSlice,
): Promise<void> {
  const { namespace = '', name = '', uid = '' } = metadata ?? {}
  const collection = client.resource<EndpointSlice>(slices).in(namespace)
  await unlessLost(collection.delete(name, { preconditions: { uid } }), 'NotFound', 'Conflict')
}
