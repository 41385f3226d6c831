import type { PodReference } from 'orch/sdk/core'

/** An object that a Pod on a node needs. */
export interface Reference extends Omit<PodReference, 'resource'> {
  readonly resource: PodReference['resource'] | 'persistentvolumes'
}
