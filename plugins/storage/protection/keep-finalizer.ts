import type { ObjectMeta } from 'orch/sdk'
import { type ResourceClient, unlessLost } from 'orch/sdk/client'

interface Protected {
  readonly metadata?: ObjectMeta
}

/**
 * Adds a finalizer to a live object, and removes it from a deleted one that is no longer used. `isUsed` is called only
 * for a deleted object.
 */
export async function keepFinalizer<T extends Protected>(
  object: T,
  finalizer: string,
  client: ResourceClient<T>,
  isUsed: () => boolean | Promise<boolean>,
): Promise<void> {
  const finalizers = object.metadata?.finalizers ?? []
  const isKept = finalizers.includes(finalizer)
  const isDeleted = object.metadata?.deletionTimestamp !== undefined
  if (isKept === !isDeleted || (isDeleted && (!isKept || (await isUsed())))) return
  const next = isDeleted ? finalizers.filter(other => other !== finalizer) : [...finalizers, finalizer]
  // The update carries the resource version: a concurrent change fails it, and the retry reads the current object.
  await unlessLost(client.update({ ...object, metadata: { ...object.metadata, finalizers: next } }), 'NotFound')
}
