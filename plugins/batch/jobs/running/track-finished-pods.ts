import { isDeepStrictEqual } from 'node:util'
import type { ResourceClient } from 'orch/sdk/client'
import type { BatchNames } from '../../names.js'
import type { JobStatus } from '../schema.js'
import { countsAsFailed, hasFailed, hasSucceeded, hasValidIndex } from './count-pods.js'
import { waitsForEnd } from './failure-policy.js'
import { indexOf, isIndexed, numbersOf, rangesOf, type StoredJob, type StoredPod } from './job-state.js'
import type { TrackingFinalizer } from './tracking-finalizer.js'

/** Limits the number of uncounted Pods at a time, because their UIDs are in the status, which must stay small. */
const maxUncounted = 500

export interface FinishedPodTracking {
  readonly jobs: ResourceClient<StoredJob>
  readonly names: BatchNames
  readonly finalizer: TrackingFinalizer
  /** Whether the job finishes now: remaining Pods count as failed then. */
  readonly isEnding: boolean
  /** Whether the job has succeeded: then remaining Pods do not count as failed. */
  readonly hasSucceeded?: boolean
  /** UIDs of failed Pods that are counted only once they have been replaced. */
  readonly delayed?: ReadonlySet<string>
  /** Called when every finished Pod has been counted, for the last changes of the status. */
  finish(status: JobStatus): void
}

/**
 * Adds finished Pods to the counts of the status, so that each is counted exactly once, even if the server stops in
 * between:
 *
 * 1. UIDs of finished Pods are written to `uncountedTerminatedPods` (indexes of an indexed job to `completedIndexes`).
 * 2. Their finalizers are removed, so that they can be deleted.
 * 3. UIDs of Pods without finalizer are moved to the counts, in one write.
 *
 * A restart continues in the middle: a UID in the list is not added again, and one whose Pod has no finalizer any more,
 * or is gone, is counted.
 */
export async function trackFinishedPods(
  tracking: FinishedPodTracking,
  job: StoredJob,
  status: JobStatus,
  pods: readonly StoredPod[],
): Promise<void> {
  const { jobs, names, finalizer, isEnding, hasSucceeded: isDone = false, delayed = new Set() } = tracking
  const waiting = pods.filter(pod => finalizer.isOn(pod))
  const withFinalizer = new Set(waiting.map(({ metadata }) => metadata.uid ?? ''))
  const recorded = recordFinished(job, moveToCounts(status, withFinalizer), waiting, names, {
    isEnding,
    isDone,
    delayed,
  })
  let current = await written(jobs, job, recorded.status)
  let after = current.status ?? {}
  try {
    await finalizer.removeFrom(recorded.releasable, ({ metadata }) => withFinalizer.delete(metadata.uid ?? ''))
  } catch (error) {
    await written(jobs, current, moveToCounts(after, withFinalizer))
    throw error
  }
  after = moveToCounts(after, withFinalizer)
  const { succeeded = [], failed = [] } = after.uncountedTerminatedPods ?? {}
  if (recorded.isAll && succeeded.length + failed.length === 0) tracking.finish(after)
  current = await written(jobs, current, after)
}

/** The status with the finished Pods recorded in it, and the Pods whose finalizer can be removed then. */
function recordFinished(
  job: StoredJob,
  status: JobStatus,
  waiting: readonly StoredPod[],
  names: BatchNames,
  { isEnding, isDone, delayed }: { isEnding: boolean; isDone: boolean; delayed: ReadonlySet<string> },
): { status: JobStatus; releasable: StoredPod[]; isAll: boolean } {
  const succeeded = new Set(status.uncountedTerminatedPods?.succeeded)
  const failed = new Set(status.uncountedTerminatedPods?.failed)
  const done = new Set(numbersOf(status.completedIndexes))
  const before = done.size
  const releasable: StoredPod[] = []
  const isFull = () => done.size - before + succeeded.size + failed.size >= maxUncounted
  let isAll = true
  for (const pod of waiting) {
    if (isFull()) {
      isAll = false
      break
    }
    const { uid = '', deletionTimestamp } = pod.metadata
    if (delayed.has(uid) && !isEnding && !job.metadata.deletionTimestamp) continue
    const isTerminal = (deletionTimestamp !== undefined && !waitsForEnd(job)) || isEnding
    if (hasSucceeded(pod) || hasFailed(pod) || isTerminal || job.metadata.deletionTimestamp) releasable.push(pod)
    if (!hasValidIndex(job, pod, names)) continue
    if (hasSucceeded(pod) && !failed.has(uid)) {
      // The index records that this Pod has been counted.
      if (isIndexed(job)) done.add(indexOf(pod, names) as number)
      else succeeded.add(uid)
    } else if (hasFailed(pod) ? countsAsFailed(job, pod) : isTerminal && !isDone) failed.add(uid)
  }
  const changed: JobStatus = { ...status, uncountedTerminatedPods: listsOf([...succeeded], [...failed]) }
  if (done.size > before) {
    changed.completedIndexes = rangesOf(done)
    changed.succeeded = done.size
  }
  return { status: changed, releasable, isAll }
}

/** Counts the recorded Pods that have no finalizer any more. */
function moveToCounts(status: JobStatus, withFinalizer: ReadonlySet<string>): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {}
  const left = (uids: readonly string[]) => uids.filter(uid => withFinalizer.has(uid))
  const moved: JobStatus = { ...status, uncountedTerminatedPods: listsOf(left(succeeded), left(failed)) }
  const more = { succeeded: succeeded.length - left(succeeded).length, failed: failed.length - left(failed).length }
  for (const outcome of ['succeeded', 'failed'] as const)
    if (more[outcome] > 0) moved[outcome] = (status[outcome] ?? 0) + more[outcome]
  return moved
}

const listsOf = (succeeded: string[], failed: string[]) => ({
  ...(succeeded.length > 0 ? { succeeded } : {}),
  ...(failed.length > 0 ? { failed } : {}),
})

async function written(jobs: ResourceClient<StoredJob>, job: StoredJob, status: JobStatus): Promise<StoredJob> {
  return isDeepStrictEqual(status, job.status ?? {}) ? job : jobs.updateSubresource('status', { ...job, status })
}
