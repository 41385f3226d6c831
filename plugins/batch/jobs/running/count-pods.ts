import type { BatchNames } from '../../names.js'
import type { JobStatus } from '../schema.js'
import { verdictOn, waitsForEnd } from './failure-policy.js'
import { indexOf, isIndexed, numbersOf, rangesOf, type StoredJob, type StoredPod } from './job-state.js'

export interface Counts {
  readonly succeeded: number
  readonly failed: number
  /** The numbers of an indexed job's Pods that have succeeded. */
  readonly done: Set<number>
}

/** Of a job whose Pods stay where they are: what they say now, and not less than was known before. */
export function countPods(job: StoredJob, pods: readonly StoredPod[], names: BatchNames): Counts {
  const before = job.status ?? {}
  const succeeded = pods.filter(hasSucceeded)
  const failed = Math.max(before.failed ?? 0, pods.filter(hasFailed).length)
  if (!isIndexed(job)) return { succeeded: Math.max(before.succeeded ?? 0, succeeded.length), failed, done: new Set() }
  const done = doneWith(job, succeeded, names)
  return { succeeded: done.size, failed, done }
}

/**
 * Of a job whose Pods carry a finalizer: what has been counted, what is noted to be counted, and the Pods in `waiting`, whose
 * finalizer is still on. One that is being deleted has failed: it may never get to say so itself.
 */
export function countTracked(job: StoredJob, waiting: readonly StoredPod[], names: BatchNames): Counts {
  const { succeeded = 0, failed = 0, uncountedTerminatedPods: uncounted = {} } = job.status ?? {}
  const noted = { succeeded: new Set(uncounted.succeeded), failed: new Set(uncounted.failed) }
  const isNew = (outcome: keyof typeof noted) => (pod: StoredPod) =>
    !noted[outcome].has(pod.metadata.uid ?? '') && hasPlace(job, pod, names)
  const isDeleted = (pod: StoredPod) =>
    pod.metadata.deletionTimestamp !== undefined && !hasSucceeded(pod) && !waitsForEnd(job)
  const failures = waiting.filter(pod => countsAsFailed(job, pod) || (!hasFailed(pod) && isDeleted(pod)))
  const allFailed = failed + noted.failed.size + failures.filter(isNew('failed')).length
  const successes = waiting.filter(hasSucceeded)
  if (isIndexed(job)) {
    const done = doneWith(job, successes, names)
    return { succeeded: done.size, failed: allFailed, done }
  }
  const allSucceeded = succeeded + noted.succeeded.size + successes.filter(isNew('succeeded')).length
  return { succeeded: allSucceeded, failed: allFailed, done: new Set() }
}

export function setCounts(status: JobStatus, { active, succeeded, failed, done }: Counts & { active: number }): void {
  setCount(status, 'active', active)
  setCount(status, 'succeeded', succeeded)
  setCount(status, 'failed', failed)
  if (done.size > 0) status.completedIndexes = rangesOf(done)
}
/** What is 0 is left out. */
export function setCount(status: JobStatus, name: 'active' | 'succeeded' | 'failed', count: number): void {
  if (count === 0) delete status[name]
  else status[name] = count
}

/** Of an indexed job only Pods count that have one of its numbers. */
export function hasPlace(job: StoredJob, pod: StoredPod, names: BatchNames): boolean {
  if (!isIndexed(job)) return true
  const index = indexOf(pod, names)
  return index !== undefined && index < (job.spec?.completions ?? 0)
}

/** Has it failed in a way that counts? A rule of the failure policy may say that it does not. */
export const countsAsFailed = (job: StoredJob, pod: StoredPod): boolean =>
  hasFailed(pod) && verdictOn(job, pod)?.action !== 'Ignore'

export const hasSucceeded = ({ status }: StoredPod): boolean => status?.phase === 'Succeeded'
export const hasFailed = ({ status }: StoredPod): boolean => status?.phase === 'Failed'

function doneWith(job: StoredJob, succeeded: readonly StoredPod[], names: BatchNames): Set<number> {
  const done = new Set(numbersOf(job.status?.completedIndexes))
  for (const pod of succeeded) if (hasPlace(job, pod, names)) done.add(indexOf(pod, names) as number)
  return done
}
