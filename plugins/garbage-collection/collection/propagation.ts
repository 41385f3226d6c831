import type { ObjectMeta } from 'orch/sdk'

/** Finalizer for foreground deletion. A word of the protocol, without a vendor's domain. */
export const foregroundFinalizer = 'foregroundDeletion'
/** Finalizer of an owner whose dependents are orphaned. */
export const orphanFinalizer = 'orphan'

/** What must happen to the dependents of an object before it is removed; undefined for nothing. */
export type Propagation = 'foreground' | 'orphan'

/** Only an object that is being deleted has a propagation. */
export function propagationOf({ deletionTimestamp, finalizers = [] }: ObjectMeta): Propagation | undefined {
  if (!deletionTimestamp) return undefined
  if (finalizers.includes(orphanFinalizer)) return 'orphan'
  return finalizers.includes(foregroundFinalizer) ? 'foreground' : undefined
}
