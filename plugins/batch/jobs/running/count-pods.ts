import type { BatchNames } from '../../names.js'
import type { JobStatus } from '../schema.js'
import { verdictOn, waitsForEnd } from './failure-policy.js'
import { indexOf, isIndexed, numbersOf, rangesOf, type StoredJob, type StoredPod } from './job-state.js'

export interface Counts {
  readonly succeeded: number
  readonly failed: number
  /** The indexes of an indexed job that have succeeded. */
  readonly done: Set<number>
}

/** The counts of a job without tracking: those of existing Pods, but not less than before. */
export function countPods(job: StoredJob, pods: readonly StoredPod[], names: BatchNames): Counts {
  const before = job.status ?? {}
  const succeeded = pods.filter(hasSucceeded)
  const failed = Math.max(before.failed ?? 0, pods.filter(hasFailed).length)
  if (!isIndexed(job)) return { succeeded: Math.max(before.succeeded ?? 0, succeeded.length), failed, done: new Set() }
  const done = doneWith(job, succeeded, names)
  return { succeeded: done.size, failed, done }
}

/**
 * The counts of a tracked job: of counted Pods, of those recorded as uncounted, and of the Pods in `waiting`, which
 * still have the finalizer. A Pod that is being deleted counts as failed, because it may never report its end.
 */
export function countTracked(job: StoredJob, waiting: readonly StoredPod[], names: BatchNames): Counts {
  const { succeeded = 0, failed = 0, uncountedTerminatedPods: uncounted = {} } = job.status ?? {}
  const recorded = { succeeded: new Set(uncounted.succeeded), failed: new Set(uncounted.failed) }
  const isNew = (outcome: keyof typeof recorded) => (pod: StoredPod) =>
    !recorded[outcome].has(pod.metadata.uid ?? '') && hasValidIndex(job, pod, names)
  const isDeleted = (pod: StoredPod) =>
    pod.metadata.deletionTimestamp !== undefined && !hasSucceeded(pod) && !waitsForEnd(job)
  const failures = waiting.filter(pod => countsAsFailed(job, pod) || (!hasFailed(pod) && isDeleted(pod)))
  const allFailed = failed + recorded.failed.size + failures.filter(isNew('failed')).length
  const successes = waiting.filter(hasSucceeded)
  if (isIndexed(job)) {
    const done = doneWith(job, successes, names)
    return { succeeded: done.size, failed: allFailed, done }
  }
  const allSucceeded = succeeded + recorded.succeeded.size + successes.filter(isNew('succeeded')).length
  return { succeeded: allSucceeded, failed: allFailed, done: new Set() }
}

export function setCounts(status: JobStatus, { active, succeeded, failed, done }: Counts & { active: number }): void {
  setCount(status, 'active', active)
  setCount(status, 'succeeded', succeeded)
  setCount(status, 'failed', failed)
  if (done.size > 0) status.completedIndexes = rangesOf(done)
}
/** A count of 0 is left out. */
export function setCount(status: JobStatus, name: 'active' | 'succeeded' | 'failed', count: number): void {
  if (count === 0) delete status[name]
  else status[name] = count
}

/** Of an indexed job only Pods with a valid index count. */
export function hasValidIndex(job: StoredJob, pod: StoredPod, names: BatchNames): boolean {
  if (!isIndexed(job)) return true
  const index = indexOf(pod, names)
  return index !== undefined && index < (job.spec?.completions ?? 0)
}

/** Whether the failure counts: a rule of the failure policy may ignore it. */
export const countsAsFailed = (job: StoredJob, pod: StoredPod): boolean =>
  hasFailed(pod) && verdictOn(job, pod)?.action !== 'Ignore'

export const hasSucceeded = ({ status }: StoredPod): boolean => status?.phase === 'Succeeded'
export const hasFailed = ({ status }: StoredPod): boolean => status?.phase === 'Failed'

function doneWith(job: StoredJob, succeeded: readonly StoredPod[], names: BatchNames): Set<number> {
  const done = new Set(numbersOf(job.status?.completedIndexes))
  for (const pod of succeeded) if (hasValidIndex(job, pod, names)) done.add(indexOf(pod, names) as number)
  return done
}
