import type { Clock, ServedLevel } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import type { EventRecorder, PodWriter, UnseenWrites } from 'orch/sdk/controllers'
import type { BatchNames } from '../../names.js'
import type { StoredJob } from './job-state.js'
import type { TrackingFinalizer } from './tracking-finalizer.js'

/** What the loop of jobs works with. */
export interface JobWork {
  readonly clock: Clock
  readonly names: BatchNames
  readonly events: EventRecorder
  readonly jobs: ResourceClient<StoredJob>
  readonly writer: PodWriter
  readonly unseen: UnseenWrites
  readonly finalizer: TrackingFinalizer
  /** Are jobs counted with the finalizer that say so? */
  readonly tracks: boolean
  readonly level: ServedLevel
  /** When failures of a job were first seen, by its UID. */
  readonly failures: Map<string, { count: number; at: number }>
}
