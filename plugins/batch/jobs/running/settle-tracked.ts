import { isDeepStrictEqual } from 'node:util'
import type { ResourceClient } from 'orch/sdk/client'
import type { BatchNames } from '../../names.js'
import type { JobStatus } from '../schema.js'
import { countsAsFailed, hasFailed, hasPlace, hasSucceeded } from './count-pods.js'
import { waitsForEnd } from './failure-policy.js'
import { indexOf, isIndexed, numbersOf, rangesOf, type StoredJob, type StoredPod } from './job-state.js'
import type { TrackingFinalizer } from './tracking-finalizer.js'

/** How many Pods are under way from their finalizer to the counts: their UIDs stand in the status, which must stay small. */
const maxUncounted = 500

export interface Settling {
  readonly jobs: ResourceClient<StoredJob>
  readonly names: BatchNames
  readonly finalizer: TrackingFinalizer
  /** Does the job end with this? Then Pods that are left have failed. */
  readonly isEnding: boolean
  /** Whether the job has succeeded: then remaining Pods do not count as failed. */
  readonly hasSucceeded?: boolean
  /** UIDs of failed Pods that are counted only once there is another one in their place. */
  readonly delayed?: ReadonlySet<string>
  /** Called when every Pod that has ended is in the counts: the last changes of the status. */
  finish(status: JobStatus): void
}

/**
 * Brings Pods that have ended into the counts of the status, so that each is counted once, whenever this server stops:
 *
 * 1. UIDs of Pods that have ended are written to `uncountedTerminatedPods` (numbers of an indexed job to `completedIndexes`).
 * 2. Their finalizers are taken off. Now they may vanish.
 * 3. UIDs of Pods without finalizer are moved to the counts, in one write.
 *
 * Whoever begins in the middle goes on there: a UID in the list is not added again, and one whose Pod has no finalizer any
 * more, or is gone, is counted.
 */
export async function settleTracked(
  settling: Settling,
  job: StoredJob,
  status: JobStatus,
  pods: readonly StoredPod[],
): Promise<void> {
  const { jobs, names, finalizer, isEnding, hasSucceeded: isDone = false, delayed = new Set() } = settling
  const waiting = pods.filter(pod => finalizer.isOn(pod))
  const withFinalizer = new Set(waiting.map(({ metadata }) => metadata.uid ?? ''))
  const noted = note(job, moveToCounts(status, withFinalizer), waiting, names, { isEnding, isDone, delayed })
  let current = await written(jobs, job, noted.status)
  let after = current.status ?? {}
  try {
    await finalizer.removeFrom(noted.letGo, ({ metadata }) => withFinalizer.delete(metadata.uid ?? ''))
  } catch (error) {
    await written(jobs, current, moveToCounts(after, withFinalizer))
    throw error
  }
  after = moveToCounts(after, withFinalizer)
  const { succeeded = [], failed = [] } = after.uncountedTerminatedPods ?? {}
  if (noted.isAll && succeeded.length + failed.length === 0) settling.finish(after)
  current = await written(jobs, current, after)
}

/** The status with the Pods that have ended noted in it, and those whose finalizer can go then. */
function note(
  job: StoredJob,
  status: JobStatus,
  waiting: readonly StoredPod[],
  names: BatchNames,
  { isEnding, isDone, delayed }: { isEnding: boolean; isDone: boolean; delayed: ReadonlySet<string> },
): { status: JobStatus; letGo: StoredPod[]; isAll: boolean } {
  const succeeded = new Set(status.uncountedTerminatedPods?.succeeded)
  const failed = new Set(status.uncountedTerminatedPods?.failed)
  const done = new Set(numbersOf(status.completedIndexes))
  const before = done.size
  const letGo: StoredPod[] = []
  const isFull = () => done.size - before + succeeded.size + failed.size >= maxUncounted
  let isAll = true
  for (const pod of waiting) {
    if (isFull()) {
      isAll = false
      break
    }
    const { uid = '', deletionTimestamp } = pod.metadata
    if (delayed.has(uid) && !isEnding && !job.metadata.deletionTimestamp) continue
    const mustGo = (deletionTimestamp !== undefined && !waitsForEnd(job)) || isEnding
    if (hasSucceeded(pod) || hasFailed(pod) || mustGo || job.metadata.deletionTimestamp) letGo.push(pod)
    if (!hasPlace(job, pod, names)) continue
    if (hasSucceeded(pod) && !failed.has(uid)) {
      // The number says already that this Pod has been counted.
      if (isIndexed(job)) done.add(indexOf(pod, names) as number)
      else succeeded.add(uid)
    } else if (hasFailed(pod) ? countsAsFailed(job, pod) : mustGo && !isDone) failed.add(uid)
  }
  const changed: JobStatus = { ...status, uncountedTerminatedPods: listsOf([...succeeded], [...failed]) }
  if (done.size > before) {
    changed.completedIndexes = rangesOf(done)
    changed.succeeded = done.size
  }
  return { status: changed, letGo, isAll }
}

/** Pods that are noted and have no finalizer any more are counted. */
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
