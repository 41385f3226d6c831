import { isDeepStrictEqual } from 'node:util'
import type { Clock, ServedLevel } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import {
  type EventRecorder,
  inGrowingBatches,
  isPodActive,
  isPodReady,
  type PodWriter,
  soonest,
  timestampOf,
  type UnseenWrites,
} from 'orch/sdk/controllers'
import { interimConditions, mutableSuspendedJobs, readyCount, terminatingCount } from '../../differences.js'
import type { BatchNames } from '../../names.js'
import type { JobCondition, JobStatus } from '../schema.js'
import { isTracked } from '../tracking.js'
import { type Counts, countPods, countTracked, setCount, setCounts } from './count-pods.js'
import { failedIndexes, failuresOfIndex, verdictOn, waitsForEnd } from './failure-policy.js'
import { podOf } from './job-pods.js'
import { endOf, indexOf, isIndexed, numbersOf, rangesOf, type StoredJob, type StoredPod } from './job-state.js'
import { settleTracked } from './settle-tracked.js'
import { fulfilledRule } from './success-policy.js'
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
  readonly level: ServedLevel
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
  const { clock, jobs, names, finalizer, level } = work
  const { managedBy = names.manager } = job.spec ?? {}
  if (managedBy !== names.manager) return undefined
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
  const inTwoSteps = level.has(interimConditions)
  const lost = lostIndexes(job, pods, names)
  if (job.spec?.backoffLimitPerIndex !== undefined) status.failedIndexes = rangesOf(lost)
  const isMet = inTwoSteps ? condition(status, 'SuccessCriteriaMet') : undefined
  const why = isMet
    ? undefined
    : (condition(status, 'FailureTarget') ??
      failureOf(job, pods, active.length, counts.failed, status, now) ??
      policyFailure(job, waiting, counts, lost, active.length))
  let going = pods.filter(isTerminating).length
  let againMs: number | undefined
  let left = active.length
  let end: Said | undefined
  if (why) {
    await stop(work, job, active)
    going += active.length
    const { reason, message } = why
    end = { type: 'Failed', status: 'True', reason, message } as Said
    if (inTwoSteps) sayOnce(work, status, { ...end, type: 'FailureTarget' })
    left = 0
  } else if (isMet) {
    await stop(work, job, active)
    going += active.length
    const { reason, message } = isMet
    end = { type: 'Complete', status: 'True', reason, message } as Said
    left = 0
  } else if (!isGoing) {
    const suspended = await noteSuspension(work, job, status, active, counts.failed)
    if (suspended) left = 0
    else {
      const rule = fulfilledRule(job, counts.done)
      if (rule === undefined) {
        const changed = await manage(work, job, active, counts, { pods, lost, going })
        left = changed.active
        againMs = changed.againMs
        if (isComplete(job, counts.succeeded, left)) end = completion(inTwoSteps)
      } else {
        await stop(work, job, active)
        going += active.length
        left = 0
        end = { type: 'Complete', status: 'True', reason: 'SuccessPolicy', message: `Matched rules at index ${rule}` }
      }
      if (end && inTwoSteps) sayOnce(work, status, { ...end, type: 'SuccessCriteriaMet' })
    }
  }
  const finish = (last: JobStatus) => {
    if (end && (!inTwoSteps || going === 0)) sayEnd(work, job, last, end)
  }
  if (level.has(readyCount)) status.ready = left === 0 ? 0 : active.filter(isPodReady).length
  if (level.has(terminatingCount)) status.terminating = going
  if (tracked) {
    setCount(status, 'active', left)
    const hasSucceeded = inTwoSteps && end?.type === 'Complete'
    await settleTracked(
      { jobs, names, finalizer, isEnding: end !== undefined, hasSucceeded, finish },
      job,
      status,
      pods,
    )
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

/** A Pod that has been asked to end and has not yet. */
const isTerminating = ({ metadata, status }: StoredPod): boolean =>
  metadata.deletionTimestamp !== undefined && status?.phase !== 'Succeeded' && status?.phase !== 'Failed'

const condition = ({ conditions = [] }: JobStatus, type: string): JobCondition | undefined =>
  conditions.find(each => each.type === type && each.status === 'True')

const completion = (inTwoSteps: boolean): Said => ({
  type: 'Complete',
  status: 'True',
  ...(inTwoSteps ? { reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' } : {}),
})

/** Says it unless it has been said before. */
function sayOnce(work: JobWork, status: JobStatus, said: Said): void {
  if (!condition(status, said.type)) say(work, status, said)
}

/** Numbers that have failed for good. */
function lostIndexes(job: StoredJob, pods: readonly StoredPod[], names: BatchNames): ReadonlySet<number> {
  const failed = pods.filter(({ status }) => status?.phase === 'Failed')
  return new Set([...numbersOf(job.status?.failedIndexes), ...failedIndexes(job, failed, names)])
}

/** Why the job has failed by its own rules, if it has. */
function policyFailure(
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
      if (work.level.has(mutableSuspendedJobs)) delete status.startTime
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
  { pods, lost, going }: { pods: readonly StoredPod[]; lost: ReadonlySet<number>; going: number },
): Promise<{ active: number; againMs?: number }> {
  const { clock, names, writer, unseen } = work
  const { completions, parallelism = 1 } = job.spec ?? {}
  const wanted =
    completions === undefined
      ? succeeded > 0
        ? active.length
        : parallelism
      : Math.max(0, Math.min(completions - succeeded - lost.size, parallelism))
  const taken = new Set<number>()
  const superfluous = isIndexed(job)
    ? active.filter(pod => {
        const index = indexOf(pod, names)
        const isWrong =
          index === undefined || index >= (completions ?? 0) || done.has(index) || lost.has(index) || taken.has(index)
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
  const missing = wanted - useful.length - (waitsForEnd(job) ? going : 0)
  if (missing <= 0) return { active: active.length }
  const perIndex = job.spec?.backoffLimitPerIndex !== undefined
  const waitMs = perIndex ? 0 : backoffOf(work, job, failed)
  if (waitMs > 0) return { active: active.length, againMs: waitMs }
  const all = isIndexed(job) ? freeIndexes(completions ?? 0, new Set([...done, ...lost]), taken) : undefined
  const before = perIndex ? failuresByIndex(job, pods, names) : new Map<number, number>()
  const waits = (all ?? []).map(index => (perIndex ? backoffOf(work, job, before.get(index) ?? 0, `/${index}`) : 0))
  const free = all?.filter((_, i) => waits[i] === 0)
  const key = `${job.metadata.namespace}/${job.metadata.name}`
  const made = await inGrowingBatches(Math.min(missing, free?.length ?? missing), async i => {
    const pod = await writer.create(job, podOf(work, job, free?.[i], before.get(free?.[i] ?? -1)))
    if (pod) unseen.created(key, pod, clock.now())
  })
  const againMs = soonest(waits.filter(wait => wait > 0))
  return { active: active.length + made, ...(againMs === undefined ? {} : { againMs }) }
}

/** How often Pods of each number have failed, as those that are still there tell. */
function failuresByIndex(job: StoredJob, pods: readonly StoredPod[], names: BatchNames): Map<number, number> {
  const failures = new Map<number, number>()
  for (const pod of pods) {
    const index = pod.status?.phase === 'Failed' ? indexOf(pod, names) : undefined
    if (index !== undefined) failures.set(index, Math.max(failures.get(index) ?? 0, failuresOfIndex(job, pod, names)))
  }
  return failures
}

const freeIndexes = (completions: number, done: ReadonlySet<number>, taken: ReadonlySet<number>): number[] =>
  Array.from({ length: completions }, (_, i) => i).filter(i => !done.has(i) && !taken.has(i))

/** The remaining backoff before new Pods are created. */
function backoffOf({ failures, clock }: JobWork, job: StoredJob, failed: number, part = ''): number {
  const uid = `${job.metadata.uid ?? ''}${part}`
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
