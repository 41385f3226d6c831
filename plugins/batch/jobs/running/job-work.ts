import type { Clock, ServedLevel } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import { type EventRecorder, keyOf, type PodWriter, type UnseenWrites } from 'orch/sdk/controllers'
import type { BatchNames } from '../../names.js'
import type { StoredJob } from './job-state.js'
import type { TrackingFinalizer } from './tracking-finalizer.js'

/** The dependencies of the control loop of jobs. */
export interface JobWork {
  readonly clock: Clock
  readonly names: BatchNames
  readonly events: EventRecorder
  readonly jobs: ResourceClient<StoredJob>
  readonly writer: PodWriter
  readonly unseen: UnseenWrites
  readonly finalizer: TrackingFinalizer
  /** Whether marked jobs track their Pods with a finalizer. */
  readonly tracks: boolean
  readonly level: ServedLevel
  readonly failures: FailureTimes
}

interface SeenFailures {
  readonly count: number
  /** When this many were first seen, in ms since the epoch. */
  readonly at: number
}

/** When failures of jobs, or of their indexes (`part`), were first seen. */
export class FailureTimes {
  readonly #jobs = new Map<string, Map<string, SeenFailures>>()

  get(job: StoredJob, part = ''): SeenFailures | undefined {
    return this.#jobs.get(keyOf(job))?.get(`${job.metadata.uid}${part}`)
  }
  set(job: StoredJob, seen: SeenFailures, part = ''): void {
    const key = keyOf(job)
    const ofJob = this.#jobs.get(key) ?? new Map<string, SeenFailures>()
    this.#jobs.set(key, ofJob.set(`${job.metadata.uid}${part}`, seen))
  }
  delete(job: StoredJob, part = ''): void {
    this.#jobs.get(keyOf(job))?.delete(`${job.metadata.uid}${part}`)
  }
  /** Drops the entries of a deleted job. */
  forget(key: string): void {
    this.#jobs.delete(key)
  }
}
