import { isDeepStrictEqual } from 'node:util'
import type { Clock } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import {
  type EventRecorder,
  inGrowingBatches,
  isPodActive,
  type PodWriter,
  soonest,
  timestampOf,
  type UnseenWrites,
} from 'orch/sdk/controllers'
import type { BatchNames } from '../../names.js'
import type { JobCondition, JobStatus } from '../schema.js'
import { isTracked } from '../tracking.js'
import { type Counts, countPods, countTracked, setCount, setCounts } from './count-pods.js'
import { podOf } from './job-pods.js'
import { endOf, indexOf, isIndexed, type StoredJob, type StoredPod } from './job-state.js'
import { settleTracked } from './settle-tracked.js'
import type { TrackingFinalizer } from './tracking-finalizer.js'

/** The backoff after the first failure; each further failure doubles it. */
const firstBackoffMs = 10_000
const maxBackoffMs = 360_000

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
  /** When failures of a job were first seen, by its UID. */
  readonly failures: Map<string, { count: number; at: number }>
}
type Said = Pick<JobCondition, 'type' | 'status' | 'reason' | 'message'>

/** One turn of work on a job that has not ended. Returns in how many ms to look again, if at all. */
export async function reconcileJob(
  work: JobWork,
  job: StoredJob,
  pods: readonly StoredPod[],
): Promise<number | undefined> {
  const { clock, jobs, names, finalizer } = work
  const tracked = work.tracks && isTracked(job, names)
  if (!tracked || endOf(job)) await finalizer.removeFrom(pods.filter(pod => finalizer.isOn(pod)))
  const isGoing = job.metadata.deletionTimestamp !== undefined
  if (endOf(job) || (isGoing && !tracked)) return undefined
  const now = clock.now()
  const before = job.status ?? {}
  const active = pods.filter(isPodActive)
  const waiting = tracked ? pods.filter(pod => finalizer.isOn(pod)) : []
  const counts = tracked ? countTracked(job, waiting, names) : countPods(job, pods, names)
  const status: JobStatus = { ...before }
  if (!status.startTime && !job.spec?.suspend) status.startTime = timestampOf(now)
  const why = failureOf(job, pods, active.length, counts.failed, status, now)
  let againMs: number | undefined
  let left = active.length
  let end: Said | undefined
  if (why) {
    await stop(work, job, active)
    end = { type: 'Failed', status: 'True', ...why }
    left = 0
  } else if (!isGoing) {
    const suspended = await noteSuspension(work, job, status, active, counts.failed)
    if (suspended) left = 0
    else {
      const changed = await manage(work, job, active, counts)
      left = changed.active
      againMs = changed.againMs
      if (isComplete(job, counts.succeeded, left)) end = { type: 'Complete', status: 'True' }
    }
  }
  const finish = (last: JobStatus) => {
    if (end) sayEnd(work, job, last, end)
  }
  if (tracked) {
    setCount(status, 'active', left)
    await settleTracked({ jobs, names, finalizer, isEnding: end !== undefined, finish }, job, status, pods)
  } else {
    setCounts(status, { ...counts, active: left, failed: counts.failed + (why ? active.length : 0) })
    finish(status)
    const wasTracked = isTracked(job, names)
    if (wasTracked) delete status.uncountedTerminatedPods
    if (!isDeepStrictEqual(status, before)) await jobs.updateSubresource('status', { ...job, status })
    if (wasTracked) await untrack(work, job)
  }
  return soonest([againMs, deadlineMs(job, status, now)])
}

/** The gate was closed while the job ran. Its Pods have lost the finalizer, so it must not be tracked when the gate opens again. */
async function untrack(
  { jobs, names }: JobWork,
  { metadata: { namespace = '', name = '' } }: StoredJob,
): Promise<void> {
  await jobs.in(namespace).patch(name, { metadata: { annotations: { [names.tracking]: null } } })
}

function sayEnd(work: JobWork, job: StoredJob, status: JobStatus, end: Said): void {
  say(work, status, end)
  if (end.type === 'Complete') {
    status.completionTime = timestampOf(work.clock.now())
    void work.events.record(job, 'Normal', 'Completed', 'Job completed')
  } else void work.events.record(job, 'Warning', end.reason ?? '', end.message ?? '')
}

/** Why the job has failed, if it has. */
function failureOf(
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

const isComplete = ({ spec }: StoredJob, succeeded: number, active: number): boolean =>
  spec?.completions === undefined ? succeeded > 0 && active === 0 : succeeded >= spec.completions && active === 0

/** Deletes Pods while the job is suspended, and says when that begins and ends. Returns whether it is. */
async function noteSuspension(
  work: JobWork,
  job: StoredJob,
  status: JobStatus,
  active: readonly StoredPod[],
  failed: number,
): Promise<boolean> {
  const isSuspended = job.spec?.suspend ?? false
  const noted = (status.conditions ?? []).find(({ type }) => type === 'Suspended')
  if (isSuspended) {
    await stop(work, job, active)
    if (noted?.status !== 'True') {
      say(work, status, { type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' })
      void work.events.record(job, 'Normal', 'Suspended', 'Job suspended')
    }
  } else if (noted?.status === 'True') {
    say(work, status, { type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' })
    // The deadline counts from when the job was resumed.
    status.startTime = timestampOf(work.clock.now())
    // Going on is no retry: nothing that failed before holds it back.
    work.failures.set(job.metadata.uid ?? '', { count: failed, at: 0 })
    void work.events.record(job, 'Normal', 'Resumed', 'Job resumed')
  }
  return isSuspended
}

function say({ clock }: JobWork, status: JobStatus, said: Said): void {
  const time = timestampOf(clock.now())
  const others = (status.conditions ?? []).filter(({ type }) => type !== said.type)
  status.conditions = [...others, { ...said, lastProbeTime: time, lastTransitionTime: time }]
}

async function stop({ writer, unseen, clock }: JobWork, job: StoredJob, pods: readonly StoredPod[]): Promise<void> {
  const key = `${job.metadata.namespace}/${job.metadata.name}`
  await Promise.all(
    pods.map(async pod => {
      unseen.deleted(key, pod, clock.now())
      await writer.delete(job, pod)
    }),
  )
}

/** Creates missing Pods and deletes surplus ones. */
async function manage(
  work: JobWork,
  job: StoredJob,
  active: readonly StoredPod[],
  { succeeded, failed, done }: Counts,
): Promise<{ active: number; againMs?: number }> {
  const { clock, names, writer, unseen } = work
  const { completions, parallelism = 1 } = job.spec ?? {}
  const wanted =
    completions === undefined
      ? succeeded > 0
        ? active.length
        : parallelism
      : Math.max(0, Math.min(completions - succeeded, parallelism))
  const taken = new Set<number>()
  const superfluous = isIndexed(job)
    ? active.filter(pod => {
        const index = indexOf(pod, names)
        const isWrong = index === undefined || index >= (completions ?? 0) || done.has(index) || taken.has(index)
        if (!isWrong) taken.add(index)
        return isWrong
      })
    : []
  const useful = active.filter(pod => !superfluous.includes(pod))
  const tooMany = [...superfluous, ...useful.slice(wanted)]
  if (tooMany.length > 0) {
    await stop(work, job, tooMany)
    return { active: active.length - tooMany.length }
  }
  const missing = wanted - useful.length
  if (missing <= 0) return { active: active.length }
  const waitMs = backoffOf(work, job, failed)
  if (waitMs > 0) return { active: active.length, againMs: waitMs }
  const free = isIndexed(job) ? freeIndexes(completions ?? 0, done, taken) : undefined
  const key = `${job.metadata.namespace}/${job.metadata.name}`
  const made = await inGrowingBatches(Math.min(missing, free?.length ?? missing), async i => {
    const pod = await writer.create(job, podOf(work, job, free?.[i]))
    if (pod) unseen.created(key, pod, clock.now())
  })
  return { active: active.length + made }
}

const freeIndexes = (completions: number, done: ReadonlySet<number>, taken: ReadonlySet<number>): number[] =>
  Array.from({ length: completions }, (_, i) => i).filter(i => !done.has(i) && !taken.has(i))

/** The remaining backoff before new Pods are created. */
function backoffOf({ failures, clock }: JobWork, job: StoredJob, failed: number): number {
  const uid = job.metadata.uid ?? ''
  if (failed === 0) {
    failures.delete(uid)
    return 0
  }
  const known = failures.get(uid)
  const seen = known && known.count >= failed ? known : { count: failed, at: clock.now() }
  failures.set(uid, seen)
  const wait = Math.min(maxBackoffMs, firstBackoffMs * 2 ** (failed - 1))
  return Math.max(0, seen.at + wait - clock.now())
}

function deadlineMs({ spec }: StoredJob, { startTime }: JobStatus, now: number): number | undefined {
  if (spec?.activeDeadlineSeconds === undefined || !startTime || spec.suspend) return undefined
  return Math.max(0, Date.parse(startTime) + spec.activeDeadlineSeconds * 1000 - now) + 100
}
