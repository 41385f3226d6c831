import type { ResourceCatalogue, ResourceInfo } from 'orch/sdk'
import { type Client, type ResourceClient, unlessLost } from 'orch/sdk/client'

/** What is still in a namespace after an attempt to empty it. */
export interface Contents {
  /** Versions of other servers that do not say what is in them. */
  readonly undiscovered: readonly string[]
  /** What could not be deleted, and why. */
  readonly failures: readonly string[]
  /** Objects by type, `resource.group`. */
  readonly remaining: ReadonlyMap<string, number>
  /** Finalizers that keep them, with the number of objects each keeps. */
  readonly finalizers: ReadonlyMap<string, number>
}

export const isEmpty = ({ undiscovered, failures, remaining }: Contents): boolean =>
  undiscovered.length === 0 && failures.length === 0 && remaining.size === 0

/** Deletes everything in a namespace, of every type of every plugin, and says what is left. */
export async function emptyNamespace(name: string, client: Client, resources: ResourceCatalogue): Promise<Contents> {
  const failures: string[] = []
  const remaining = new Map<string, number>()
  const finalizers = new Map<string, number>()
  for (const type of resources.all().filter(isRemovable)) {
    const collection = client.resource(type).in(name)
    try {
      if ((await collection.list({ limit: 1 })).items.length === 0) continue
      await deleteAll(collection, type)
      for await (const object of collection.each()) {
        count(remaining, `${type.resource}.${type.group}`)
        for (const finalizer of object.metadata.finalizers ?? []) count(finalizers, finalizer)
      }
    } catch (error) {
      failures.push(`${type.resource}.${type.group}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { undiscovered: resources.unavailable ?? [], failures, remaining, finalizers }
}

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
