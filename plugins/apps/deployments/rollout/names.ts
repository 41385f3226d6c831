import type { Vendor } from 'orch/sdk'

/** Annotations of a deployment and its replica sets. */
export const rolloutNames = (vendor: Vendor) => {
  const revision = vendor.qualify('revision', 'deployment')
  const desired = vendor.qualify('desired-replicas', 'deployment')
  const max = vendor.qualify('max-replicas', 'deployment')
  const history = vendor.qualify('revision-history', 'deployment')
  return {
    /** The revision number of the template. */
    revision,
    /** Earlier revisions that had the same template. */
    history,
    /** The desired and the maximum number of Pods when the replica set was last scaled. */
    desired,
    max,
    /** Not copied from a deployment to its replica sets. */
    own: new Set([vendor.lastAppliedAnnotation, revision, history, desired, max]),
  }
}
export type RolloutNames = ReturnType<typeof rolloutNames>
