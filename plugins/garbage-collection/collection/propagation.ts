import type { ObjectMeta } from 'orch/sdk'

/** Finalizer of an owner that goes after what it owns. A word of the protocol, without a vendor's domain. */
export const foregroundFinalizer = 'foregroundDeletion'
/** Finalizer of an owner whose dependents are to stay behind without it. */
export const orphanFinalizer = 'orphan'

/** What still has to happen to the dependents of an object before it may go; undefined when nothing has. */
export type Propagation = 'foreground' | 'orphan'

/** Reads it from the metadata. Only an object whose deletion has been asked for has one. */
export function propagationOf({ deletionTimestamp, finalizers = [] }: ObjectMeta): Propagation | undefined {
  if (!deletionTimestamp) return undefined
  if (finalizers.includes(orphanFinalizer)) return 'orphan'
  return finalizers.includes(foregroundFinalizer) ? 'foreground' : undefined
}
