import { isDeepStrictEqual } from 'node:util'
import { timestampOf } from 'orch/sdk'
import { isPodActive, isPodReady, isPodTerminating, soonest } from 'orch/sdk/controllers'
import { interimConditions, mutableSuspendedJobs, readyCount, terminatingCount } from '../../differences.js'
import type { JobCondition, JobStatus } from '../schema.js'
import { isTracked } from '../tracking.js'
import { countPods, countTracked, setCount, setCounts } from './count-pods.js'
import { failedForGood, failureOf, indexFailure, notReplaced, policyFailure } from './job-failure.js'
import { endOf, rangesOf, type StoredJob, type StoredPod } from './job-state.js'
import type { JobWork } from './job-work.js'
import { deleteUncounted, manage, stop } from './manage-pods.js'
import { fulfilledRule } from './success-policy.js'
import { trackFinishedPods } from './track-finished-pods.js'

type NewCondition = Pick<JobCondition, 'type' | 'status' | 'reason' | 'message'>

/** Reconciles a job that has not finished. Returns after how many ms to reconcile again, if necessary. */
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
  const isBeingDeleted = job.metadata.deletionTimestamp !== undefined
  if (endOf(job) || (isBeingDeleted && !tracked)) return undefined
  const now = clock.now()
  const before = job.status ?? {}
  const active = pods.filter(isPodActive)
  const waiting = tracked ? pods.filter(pod => finalizer.isOn(pod)) : []
  const counts = tracked ? countTracked(job, waiting, names) : countPods(job, pods, names)
  const status: JobStatus = { ...before }
  if (!status.startTime && !job.spec?.suspend) status.startTime = timestampOf(now)
  const inTwoSteps = level.has(interimConditions)
  const lost = failedForGood(job, pods, names)
  if (job.spec?.backoffLimitPerIndex !== undefined) status.failedIndexes = rangesOf(lost)
  const isMet = inTwoSteps ? condition(status, 'SuccessCriteriaMet') : undefined
  const why = isMet
    ? undefined
    : (condition(status, 'FailureTarget') ??
      policyFailure(job, pods) ??
      failureOf(job, pods, counts.failed, status, now) ??
      indexFailure(job, counts, lost))
  let terminating = pods.filter(isPodTerminating).length
  let againMs: number | undefined
  let left = active.length
  let end: NewCondition | undefined
  if (why) {
    await stop(work, job, active)
    terminating += active.length
    const { reason, message } = why
    end = { type: 'Failed', status: 'True', reason, message } as NewCondition
    if (inTwoSteps) setConditionOnce(work, status, { ...end, type: 'FailureTarget' })
    left = 0
  } else if (isMet) {
    await stop(work, job, active)
    terminating += active.length
    const { reason, message } = isMet
    end = { type: 'Complete', status: 'True', reason, message } as NewCondition
    left = 0
  } else if (!isBeingDeleted) {
    const suspended = await handleSuspension(work, job, status, active, counts.failed)
    if (suspended) left = 0
    else {
      const rule = fulfilledRule(job, counts.done)
      if (rule === undefined) {
        const changed = await manage(work, job, active, counts, { pods, lost, terminating })
        left = changed.active
        againMs = changed.againMs
        if (isComplete(job, counts.succeeded, left)) end = completion(inTwoSteps)
      } else {
        await stop(work, job, active)
        terminating += active.length
        left = 0
        end = { type: 'Complete', status: 'True', reason: 'SuccessPolicy', message: `Matched rules at index ${rule}` }
      }
      if (end && inTwoSteps) setConditionOnce(work, status, { ...end, type: 'SuccessCriteriaMet' })
    }
  }
  const finish = (last: JobStatus) => {
    if (end && (!inTwoSteps || terminating === 0)) setTerminalCondition(work, job, last, end)
  }
  if (level.has(readyCount)) status.ready = left === 0 ? 0 : active.filter(isPodReady).length
  if (level.has(terminatingCount)) status.terminating = terminating
  if (tracked) {
    setCount(status, 'active', left)
    const hasSucceeded = inTwoSteps && end?.type === 'Complete'
    await trackFinishedPods(
      {
        jobs,
        names,
        finalizer,
        isEnding: end !== undefined,
        hasSucceeded,
        delayed: notReplaced(job, pods, counts, lost, names),
        finish,
      },
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

/**
 * The gate was turned off while the job ran: its Pods have lost the finalizer, so it must not be tracked when the gate
 * is on again.
 */
async function untrack(
  { jobs, names }: JobWork,
  { metadata: { namespace = '', name = '' } }: StoredJob,
): Promise<void> {
  await jobs.in(namespace).patch(name, { metadata: { annotations: { [names.tracking]: null } } })
}

function setTerminalCondition(work: JobWork, job: StoredJob, status: JobStatus, end: NewCondition): void {
  setCondition(work, status, end)
  if (end.type === 'Complete') {
    status.completionTime = timestampOf(work.clock.now())
    void work.events.record(job, 'Normal', 'Completed', 'Job completed')
  } else void work.events.record(job, 'Warning', end.reason ?? '', end.message ?? '')
}

const condition = ({ conditions = [] }: JobStatus, type: string): JobCondition | undefined =>
  conditions.find(each => each.type === type && each.status === 'True')

const completion = (inTwoSteps: boolean): NewCondition => ({
  type: 'Complete',
  status: 'True',
  ...(inTwoSteps ? { reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' } : {}),
})

/** Sets the condition unless it is true already. */
function setConditionOnce(work: JobWork, status: JobStatus, added: NewCondition): void {
  if (!condition(status, added.type)) setCondition(work, status, added)
}

const isComplete = ({ spec }: StoredJob, succeeded: number, active: number): boolean =>
  spec?.completions === undefined ? succeeded > 0 && active === 0 : succeeded >= spec.completions && active === 0

/**
 * Deletes the Pods of a suspended job, and records when it is suspended and resumed. Returns whether it is suspended.
 */
async function handleSuspension(
  work: JobWork,
  job: StoredJob,
  status: JobStatus,
  active: readonly StoredPod[],
  failed: number,
): Promise<boolean> {
  const isSuspended = job.spec?.suspend ?? false
  const recorded = (status.conditions ?? []).find(({ type }) => type === 'Suspended')
  if (isSuspended) {
    await deleteUncounted(work, job, active)
    if (recorded?.status !== 'True') {
      setCondition(work, status, {
        type: 'Suspended',
        status: 'True',
        reason: 'JobSuspended',
        message: 'Job suspended',
      })
      if (work.level.has(mutableSuspendedJobs)) delete status.startTime
      void work.events.record(job, 'Normal', 'Suspended', 'Job suspended')
    }
  } else if (recorded?.status === 'True') {
    setCondition(work, status, { type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' })
    // The deadline counts from when the job was resumed.
    status.startTime = timestampOf(work.clock.now())
    // Resuming is not a retry: earlier failures cause no backoff.
    work.failures.set(job, { count: failed, at: 0 })
    void work.events.record(job, 'Normal', 'Resumed', 'Job resumed')
  }
  return isSuspended
}

function setCondition({ clock }: JobWork, status: JobStatus, added: NewCondition): void {
  const time = timestampOf(clock.now())
  const others = (status.conditions ?? []).filter(({ type }) => type !== added.type)
  status.conditions = [...others, { ...added, lastProbeTime: time, lastTransitionTime: time }]
}

function deadlineMs({ spec }: StoredJob, { startTime }: JobStatus, now: number): number | undefined {
  if (spec?.activeDeadlineSeconds === undefined || !startTime || spec.suspend) return undefined
  return Math.max(0, Date.parse(startTime) + spec.activeDeadlineSeconds * 1000 - now) + 100
}
