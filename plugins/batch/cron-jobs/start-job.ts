import { ApiError, timestampOf } from 'orch/sdk'
import { controllerOf, controllerReference } from 'orch/sdk/controllers'
import { scheduledTimeAnnotation } from '../differences.js'
import type { StoredJob } from '../jobs/running/job-state.js'
import { nextDueTime, parseSchedule, type Schedule } from '../schedules/parse-schedule.js'
import { isKnownZone, timestampIn } from '../schedules/time-zones.js'
import { type CronWork, deleteJob, referenceTo, type StoredCronJob } from './cron-work.js'
import type { CronJobStatus } from './schema.js'

/** More missed times than this are not counted one by one, and cause an event. */
const maxMissed = 100

/** Starts the job of the last time due, if any. Returns in how many ms the next one is due. */
export async function startDueJob(
  work: CronWork,
  cronJob: StoredCronJob,
  status: CronJobStatus,
): Promise<number | undefined> {
  const { events } = work
  const { spec } = cronJob
  const schedule = scheduleOf(work, cronJob)
  if (!schedule) return undefined
  const now = work.now()
  const next = nextDueTime(schedule, now)
  if (next === undefined) {
    void events.record(cronJob, 'Warning', 'InvalidSchedule', `invalid schedule: ${spec?.schedule} : it is never due`)
    return undefined
  }
  const againMs = next - now + 100
  const due = lastDue(work, cronJob, schedule, status)
  if (due === undefined) return againMs
  const deadline = spec?.startingDeadlineSeconds
  if (deadline !== undefined && due + deadline * 1000 < now) {
    void events.record(
      cronJob,
      'Warning',
      'MissSchedule',
      `Missed scheduled time to start a job: ${new Date(due).toUTCString()}`,
    )
    return againMs
  }
  const name = `${cronJob.metadata.name}-${Math.floor(due / 60_000)}`
  const active = status.active ?? []
  if (active.some(job => job.name === name) || status.lastScheduleTime === timestampOf(due)) return againMs
  if (spec?.concurrencyPolicy === 'Forbid' && active.length > 0) {
    void events.record(
      cronJob,
      'Normal',
      'JobAlreadyActive',
      'Not starting job because prior execution is running and concurrency policy is Forbid',
    )
    return againMs
  }
  if (spec?.concurrencyPolicy === 'Replace')
    for (const { name: old = '', uid = '' } of active) await deleteJob(work, cronJob, old, uid)
  if (spec?.concurrencyPolicy === 'Replace') status.active = []
  const made = await createJob(work, cronJob, name, due)
  // The name is taken by a job of another owner.
  if (controllerOf(made)?.uid !== cronJob.metadata.uid) return againMs
  if (!status.active?.some(({ uid }) => uid === made.metadata.uid))
    status.active = [...(status.active ?? []), referenceTo(made)]
  status.lastScheduleTime = timestampOf(due)
  return againMs
}

/** The parsed schedule; undefined, with an event, if it is invalid. */
function scheduleOf({ events }: CronWork, cronJob: StoredCronJob): Schedule | undefined {
  const { schedule = '', timeZone } = cronJob.spec ?? {}
  if (timeZone !== undefined && timeZone !== 'Local' && !isKnownZone(timeZone)) {
    const text = `invalid timeZone: ${JSON.stringify(timeZone)}: unknown time zone ${timeZone}`
    void events.record(cronJob, 'Warning', 'UnknownTimeZone', text)
    return undefined
  }
  const hasZone = schedule.includes('TZ')
  if (hasZone) {
    const text = `CRON_TZ or TZ used in schedule ${JSON.stringify(schedule)} is not officially supported, use timeZone`
    void events.record(cronJob, 'Warning', 'UnsupportedSchedule', text)
  }
  try {
    return parseSchedule(timeZone === undefined || hasZone ? schedule : `TZ=${timeZone} ${schedule}`)
  } catch (error) {
    const text = `unparseable schedule: ${JSON.stringify(schedule)} : ${(error as Error).message}`
    void events.record(cronJob, 'Warning', 'UnparseableSchedule', text)
    return undefined
  }
}

/** Creates the job of a scheduled time, or returns the existing one of that name. */
async function createJob(work: CronWork, cronJob: StoredCronJob, name: string, due: number): Promise<StoredJob> {
  const { events, jobs } = work
  try {
    const made = await jobs.create(jobOf(work, cronJob, name, due))
    void events.record(cronJob, 'Normal', 'SuccessfulCreate', `Created job ${name}`)
    return made
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'AlreadyExists')
      return jobs.in(cronJob.metadata.namespace ?? '').get(name)
    void events.record(cronJob, 'Warning', 'FailedCreate', `Error creating job: ${(error as Error).message}`)
    throw error
  }
}

/** The last due time that has not been handled. */
function lastDue(
  { events, now }: CronWork,
  cronJob: StoredCronJob,
  schedule: Schedule,
  { lastScheduleTime }: CronJobStatus,
): number | undefined {
  const { startingDeadlineSeconds } = cronJob.spec ?? {}
  const from = Date.parse(lastScheduleTime ?? cronJob.metadata.creationTimestamp ?? '')
  const earliest = startingDeadlineSeconds === undefined ? from : Math.max(from, now() - startingDeadlineSeconds * 1000)
  let due: number | undefined
  let missed = 0
  for (let at = nextDueTime(schedule, earliest); at !== undefined && at <= now(); at = nextDueTime(schedule, at)) {
    due = at
    missed++
    if (missed > maxMissed) {
      const text = `too many missed start times: more than ${maxMissed}. Set or decrease .spec.startingDeadlineSeconds or check clock skew`
      void events.record(cronJob, 'Warning', 'TooManyMissedTimes', text)
      // Only the last time counts.
      return lastBefore(schedule, now(), at)
    }
  }
  return due
}

/** The last due time up to `now`, by bisection from a known one. */
function lastBefore(schedule: Schedule, now: number, known: number): number {
  let last = known
  for (let step = now - known; step >= 1000; step = Math.floor(step / 2)) {
    const found = nextDueTime(schedule, last + step - 1)
    if (found !== undefined && found <= now) last = found
  }
  for (let at = nextDueTime(schedule, last); at !== undefined && at <= now; at = nextDueTime(schedule, at)) last = at
  return last
}

function jobOf({ names, level }: CronWork, cronJob: StoredCronJob, name: string, due: number): StoredJob {
  const { metadata, spec } = cronJob.spec?.jobTemplate ?? {}
  const { timeZone = 'UTC' } = cronJob.spec ?? {}
  const annotations = {
    ...metadata?.annotations,
    ...(level.has(scheduledTimeAnnotation) ? { [names.scheduledTime]: timestampIn(timeZone, due) } : {}),
  }
  return {
    metadata: {
      name,
      namespace: cronJob.metadata.namespace ?? '',
      ...(metadata?.labels ? { labels: metadata.labels } : {}),
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
      ownerReferences: [controllerReference(cronJob)],
    },
    spec: structuredClone(spec),
  }
}
