import type { ObjectMeta } from 'orch/sdk'
import { type ResourceClient, unlessLost } from 'orch/sdk/client'

interface Protected {
  readonly metadata?: ObjectMeta
}

/**
 * Keeps a finalizer on an object as long as it lives, and on a deleted one as long as it is used. `isUsed` is asked only
 * when the answer decides that the object goes.
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
  // The object carries its version: if it changed meanwhile, this fails and is tried again on what it is then.
  await unlessLost(client.update({ ...object, metadata: { ...object.metadata, finalizers: next } }), 'NotFound')
}
