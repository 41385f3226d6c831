import { isPodActive } from 'orch/sdk/controllers'
import type { BatchNames } from '../../names.js'
import type { JobStatus } from '../schema.js'
import { type Counts, hasFailed, hasSucceeded } from './count-pods.js'
import { failedIndexes, failuresOfIndex, verdictOn, waitsForEnd } from './failure-policy.js'
import { indexOf, numbersOf, type StoredJob, type StoredPod } from './job-state.js'

/** Indexes that have failed permanently. */
export function failedForGood(job: StoredJob, pods: readonly StoredPod[], names: BatchNames): ReadonlySet<number> {
  const failed = pods.filter(({ status }) => status?.phase === 'Failed')
  return new Set([...numbersOf(job.status?.failedIndexes), ...failedIndexes(job, failed, names)])
}

/** Why the job has failed by a rule of its failure policy, if it has. */
export function policyFailure(
  job: StoredJob,
  pods: readonly StoredPod[],
): { reason: string; message: string } | undefined {
  for (const pod of pods.filter(({ status }) => status?.phase === 'Failed')) {
    const verdict = verdictOn(job, pod)
    if (verdict?.action === 'FailJob') return { reason: 'PodFailurePolicy', message: verdict.message }
  }
  return undefined
}

/** Why the job has failed by the limits of failed indexes, if it has. */
export function indexFailure(
  { spec }: StoredJob,
  { succeeded }: Counts,
  lost: ReadonlySet<number>,
): { reason: string; message: string } | undefined {
  const { maxFailedIndexes, completions = 0 } = spec ?? {}
  if (maxFailedIndexes !== undefined && lost.size > maxFailedIndexes)
    return {
      reason: 'MaxFailedIndexesExceeded',
      message: 'Job has exceeded the specified maximal number of failed indexes',
    }
  return lost.size > 0 && succeeded + lost.size >= completions
    ? { reason: 'FailedIndexes', message: 'Job has failed indexes' }
    : undefined
}

/**
 * UIDs of failed Pods that keep their finalizer until there is another Pod of their index: they record how often it has
 * failed.
 */
export function notReplaced(
  job: StoredJob,
  pods: readonly StoredPod[],
  { done }: Counts,
  lost: ReadonlySet<number>,
  names: BatchNames,
): ReadonlySet<string> {
  if (job.spec?.backoffLimitPerIndex === undefined) return new Set()
  const settled = new Set([...done, ...lost])
  for (const pod of pods.filter(isPodActive)) settled.add(indexOf(pod, names) ?? -1)
  const last = new Map<number, StoredPod>()
  for (const pod of pods) {
    const index = indexOf(pod, names)
    if (index === undefined || index >= (job.spec.completions ?? 0) || settled.has(index)) continue
    if (!hasFailed(pod) && (waitsForEnd(job) || !pod.metadata.deletionTimestamp || hasSucceeded(pod))) continue
    const other = last.get(index)
    if (!other || failuresOfIndex(job, other, names) <= failuresOfIndex(job, pod, names)) last.set(index, pod)
  }
  return new Set([...last.values()].map(({ metadata }) => metadata.uid ?? ''))
}

/** Why the job has failed, if it has. */
export function failureOf(
  job: StoredJob,
  pods: readonly StoredPod[],
  failed: number,
  status: JobStatus,
  now: number,
): { reason: string; message: string } | undefined {
  const { backoffLimit = 6, activeDeadlineSeconds, template } = job.spec ?? {}
  const restarts = pods
    .filter(({ status: is }) => is?.phase === 'Running' || is?.phase === 'Pending')
    .flatMap(({ status: is }) => [...(is?.containerStatuses ?? []), ...(is?.initContainerStatuses ?? [])])
    .reduce((sum, { restartCount = 0 }) => sum + restartCount, 0)
  const isPastRestarts =
    template?.spec?.restartPolicy === 'OnFailure' && (backoffLimit === 0 ? restarts > 0 : restarts >= backoffLimit)
  if (failed > backoffLimit || isPastRestarts)
    return { reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' }
  if (activeDeadlineSeconds === undefined || !status.startTime || job.spec?.suspend) return undefined
  return now - Date.parse(status.startTime) >= activeDeadlineSeconds * 1000
    ? { reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' }
    : undefined
}
