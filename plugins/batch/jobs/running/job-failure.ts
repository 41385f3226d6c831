import type { BatchNames } from '../../names.js'
import type { JobStatus } from '../schema.js'
import type { Counts } from './count-pods.js'
import { failedIndexes, verdictOn } from './failure-policy.js'
import { numbersOf, type StoredJob, type StoredPod } from './job-state.js'

/** Numbers that have failed for good. */
export function lostIndexes(job: StoredJob, pods: readonly StoredPod[], names: BatchNames): ReadonlySet<number> {
  const failed = pods.filter(({ status }) => status?.phase === 'Failed')
  return new Set([...numbersOf(job.status?.failedIndexes), ...failedIndexes(job, failed, names)])
}

/** Why the job has failed by its own rules, if it has. */
export function policyFailure(
  job: StoredJob,
  waiting: readonly StoredPod[],
  { succeeded }: Counts,
  lost: ReadonlySet<number>,
  active: number,
): { reason: string; message: string } | undefined {
  const { maxFailedIndexes, completions = 0 } = job.spec ?? {}
  for (const pod of waiting.filter(({ status }) => status?.phase === 'Failed')) {
    const verdict = verdictOn(job, pod)
    if (verdict?.action === 'FailJob') return { reason: 'PodFailurePolicy', message: verdict.message }
  }
  if (maxFailedIndexes !== undefined && lost.size > maxFailedIndexes)
    return {
      reason: 'MaxFailedIndexesExceeded',
      message: 'Job has exceeded the specified maximal number of failed indexes',
    }
  return lost.size > 0 && active === 0 && succeeded + lost.size >= completions
    ? { reason: 'FailedIndexes', message: 'Job has failed indexes' }
    : undefined
}

/** Why the job has failed, if it has. */
export function failureOf(
  job: StoredJob,
  pods: readonly StoredPod[],
  active: number,
  failed: number,
  status: JobStatus,
  now: number,
): { reason: string; message: string } | undefined {
  const { backoffLimit = 6, activeDeadlineSeconds, template, parallelism = 1 } = job.spec ?? {}
  const isNew = failed > (job.status?.failed ?? 0)
  const restarts = pods
    .filter(({ status: is }) => is?.phase === 'Running' || is?.phase === 'Pending')
    .flatMap(({ status: is }) => [...(is?.containerStatuses ?? []), ...(is?.initContainerStatuses ?? [])])
    .reduce((sum, { restartCount = 0 }) => sum + restartCount, 0)
  const isPastRestarts =
    template?.spec?.restartPolicy === 'OnFailure' && (backoffLimit === 0 ? restarts > 0 : restarts >= backoffLimit)
  if ((isNew && active !== parallelism && failed > backoffLimit) || failed > backoffLimit || isPastRestarts)
    return { reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' }
  if (activeDeadlineSeconds === undefined || !status.startTime || job.spec?.suspend) return undefined
  return now - Date.parse(status.startTime) >= activeDeadlineSeconds * 1000
    ? { reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' }
    : undefined
}
