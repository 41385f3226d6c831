import type { ResourceCatalogue, ResourceInfo } from 'orch/sdk'
import { type Client, type ResourceClient, unlessLost } from 'orch/sdk/client'
import { isPodFinished } from 'orch/sdk/controllers'
import type { Pod } from 'orch/sdk/core'

/** What remains in a namespace after an attempt to empty it. */
export interface Contents {
  /** API versions of other servers whose discovery failed. */
  readonly undiscovered: readonly string[]
  /** Why types could not be deleted. */
  readonly failures: readonly string[]
  /** Objects by type, `resource.group`. */
  readonly remaining: ReadonlyMap<string, number>
  /** The number of objects by finalizer. */
  readonly finalizers: ReadonlyMap<string, number>
}

export const isEmpty = ({ undiscovered, failures, remaining }: Contents): boolean =>
  undiscovered.length === 0 && failures.length === 0 && remaining.size === 0

/** A namespace to empty. */
export interface Removal {
  readonly name: string
  /** For how long it has been terminating, in milliseconds. */
  readonly ageMs: number
  /** Whether Pods are deleted first. All other objects remain until they are gone. */
  readonly podsFirst: boolean
}

/** Deletes all objects in a namespace, of every type of every plugin, and returns what remains. */
export async function emptyNamespace(
  removal: Removal,
  client: Client,
  resources: ResourceCatalogue,
): Promise<Contents & { readonly isWaitingForPods: boolean }> {
  const found = {
    failures: [] as string[],
    remaining: new Map<string, number>(),
    finalizers: new Map<string, number>(),
  }
  const undiscovered = resources.unavailable ?? []
  const types = resources.all().filter(isRemovable)
  const pods = removal.podsFirst ? types.filter(isPod) : []
  for (const type of pods) await emptyType(removal, client, type, found)
  if (found.remaining.size > 0) {
    // Remaining objects are not reported while Pods terminate.
    const { failures } = found
    return { undiscovered, failures, remaining: new Map(), finalizers: new Map(), isWaitingForPods: true }
  }
  for (const type of types) if (!pods.includes(type)) await emptyType(removal, client, type, found)
  return { undiscovered, ...found, isWaitingForPods: false }
}

interface Found {
  readonly failures: string[]
  readonly remaining: Map<string, number>
  readonly finalizers: Map<string, number>
}

async function emptyType(removal: Removal, client: Client, type: ResourceInfo, found: Found): Promise<void> {
  const { group, version, resource } = type
  const collection = client.resource(type).in(removal.name)
  try {
    if ((await collection.list({ limit: 1 })).items.length === 0) return
    const graceMs = isPod(type) ? await longestGraceMs(collection) : 0
    await deleteAll(collection, type)
    let haveFinalizers = false
    for await (const { metadata } of collection.each()) {
      count(found.remaining, `${resource}.${group}`)
      for (const finalizer of metadata.finalizers ?? []) {
        haveFinalizers = true
        count(found.finalizers, finalizer)
      }
    }
    const isStuck = found.remaining.has(`${resource}.${group}`) && !haveFinalizers && removal.ageMs >= graceMs
    if (isStuck)
      found.failures.push(
        `unexpected items still remain in namespace: ${removal.name} for gvr: ${group}/${version}, Resource=${resource}`,
      )
  } catch (error) {
    found.failures.push(`${resource}.${group}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The longest grace period of the Pods that have not finished. */
async function longestGraceMs(pods: ResourceClient): Promise<number> {
  let longest = 0
  for await (const pod of pods.each()) {
    const { spec, status } = pod as Pod
    if (isPodFinished({ status })) continue
    longest = Math.max(longest, (spec?.terminationGracePeriodSeconds ?? 0) * 1000)
  }
  return longest
}

const isPod = ({ group, resource }: ResourceInfo) => group === '' && resource === 'pods'

const isRemovable = ({ namespaced, virtual, verbs }: ResourceInfo) =>
  namespaced && !virtual && verbs.includes('list') && verbs.includes('delete')

async function deleteAll(collection: ResourceClient, { verbs }: ResourceInfo): Promise<void> {
  if (verbs.includes('deletecollection')) return collection.deleteCollection({ propagationPolicy: 'Background' })
  for await (const { metadata } of collection.each()) {
    await unlessLost(collection.delete(metadata.name ?? '', { propagationPolicy: 'Background' }), 'NotFound')
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
