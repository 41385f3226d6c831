import { isDeepStrictEqual } from 'node:util'
import { ApiError, type ApiObject, defineController, type ServedLevel, type Vendor } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import {
  allow,
  candidatesOf,
  controllerOf,
  controllerReference,
  createEventRecorder,
  type EventRecorder,
  type LoopCaches,
  loopNeeds,
  ownerKeys,
  recordEvents,
  splitKey,
  startControlLoop,
  timestampOf,
  withoutConflicts,
} from 'orch/sdk/controllers'
import type { ObjectReference } from 'orch/sdk/core'
import { scheduledTimeAnnotation } from '../differences.js'
import { endOf, type StoredJob } from '../jobs/running/job-state.js'
import { jobCollection } from '../jobs/schema.js'
import type { BatchNames } from '../names.js'
import { nextDueTime, parseSchedule, type Schedule } from '../schedules/parse-schedule.js'
import { isKnownZone, timestampIn } from '../schedules/time-zones.js'
import { type CronJob, type CronJobStatus, cronJobCollection } from './schema.js'

type StoredCronJob = ApiObject & CronJob
/** At most this many missed times are searched for the last one due; beyond that an event says so. */
const maxMissed = 100

interface CronWork {
  readonly names: BatchNames
  readonly level: ServedLevel
  readonly events: EventRecorder
  readonly jobs: ResourceClient<StoredJob>
  readonly cronJobs: ResourceClient<StoredCronJob>
  now(): number
}

/** Starts jobs on schedule and deletes finished ones beyond the history limits. */
export const cronJobLoop = (names: BatchNames, vendor: Vendor) =>
  defineController({
    name: 'cronjob',
    account: 'cronjob-controller',
    rules: [
      allow('get list update watch', 'batch', 'cronjobs'),
      allow('create delete get list patch update watch', 'batch', 'jobs'),
      allow('update', 'batch', 'cronjobs/status'),
      allow('update', 'batch', 'cronjobs/finalizers'),
      allow('delete list', '', 'pods'),
      recordEvents(vendor),
    ],
    needs: loopNeeds,
    start(runtime) {
      const work: CronWork = {
        names,
        level: vendor.level,
        events: createEventRecorder({ ...runtime, component: 'cronjob-controller' }),
        jobs: runtime.client.resource<StoredJob>(jobCollection),
        cronJobs: runtime.client.resource<StoredCronJob>(cronJobCollection),
        now: () => runtime.clock.now(),
      }
      const reconcile = async (key: string, caches: LoopCaches) => {
        const { namespace, name } = splitKey(key)
        const cronJob = caches.of<StoredCronJob>(cronJobCollection).get(namespace, name)
        if (!cronJob || cronJob.metadata.deletionTimestamp) return
        const owned = candidatesOf(caches.of<StoredJob>(jobCollection), cronJob).filter(
          job => controllerOf(job)?.uid === cronJob.metadata.uid,
        )
        const againMs = await turn(work, cronJob, owned)
        return againMs === undefined ? undefined : { requeueAfterMs: againMs }
      }
      return startControlLoop({
        ...runtime,
        name: 'cronjob',
        workers: 5,
        sources: [
          { resource: cronJobCollection },
          { resource: jobCollection, keys: ownerKeys('CronJob', { group: 'batch', controllerOnly: true }) },
        ],
        reconcile: withoutConflicts(reconcile),
      })
    },
  })

async function turn(work: CronWork, cronJob: StoredCronJob, owned: readonly StoredJob[]): Promise<number | undefined> {
  const status: CronJobStatus = { ...cronJob.status }
  await dropHistory(work, cronJob, owned)
  status.active = await activeAfter(work, cronJob, status, owned)
  const againMs = cronJob.spec?.suspend ? undefined : await begin(work, cronJob, status)
  if (status.active.length === 0) delete status.active
  if (!isDeepStrictEqual(status, cronJob.status ?? {}))
    await work.cronJobs.updateSubresource('status', { ...cronJob, status })
  return againMs
}

/** The jobs of the schedule that still run. Those that finished since the last look get an event, and so do others. */
async function activeAfter(
  work: CronWork,
  cronJob: StoredCronJob,
  status: CronJobStatus,
  owned: readonly StoredJob[],
): Promise<ObjectReference[]> {
  const { events } = work
  const before = await knownActive(work, cronJob, status, owned)
  const kept = before.filter(({ uid, name }) => {
    const job = owned.find(one => one.metadata.uid === uid)
    if (job && !endOf(job)) return true
    if (job) {
      const end = endOf(job)?.type ?? ''
      void events.record(cronJob, 'Normal', 'SawCompletedJob', `Saw completed job: ${name}, status: ${end}`)
    } else void events.record(cronJob, 'Normal', 'MissingJob', `Active job went missing: ${name}`)
    return false
  })
  for (const job of unknownTo(kept, owned))
    void events.record(
      cronJob,
      'Warning',
      'UnexpectedJob',
      `Saw a job that the controller did not create or forgot: ${job.metadata.name}`,
    )
  const successes = owned.flatMap(job => (endOf(job)?.type === 'Complete' ? (job.status?.completionTime ?? []) : []))
  const last = successes.sort().at(-1)
  if (last && last > (status.lastSuccessfulTime ?? '')) status.lastSuccessfulTime = last
  return kept
}

const unknownTo = (active: readonly ObjectReference[], owned: readonly StoredJob[]) =>
  owned.filter(job => !endOf(job) && !active.some(({ uid }) => uid === job.metadata.uid))

/** The jobs that the status names. If one runs that it does not name, the cache may be behind: the server is asked. */
async function knownActive(
  { cronJobs }: CronWork,
  { metadata }: StoredCronJob,
  { active = [] }: CronJobStatus,
  owned: readonly StoredJob[],
): Promise<readonly ObjectReference[]> {
  if (unknownTo(active, owned).length === 0) return active
  const fresh = await cronJobs.in(metadata.namespace ?? '').find(metadata.name ?? '')
  return fresh?.metadata.uid === metadata.uid ? (fresh?.status?.active ?? []) : active
}

const referenceTo = ({ metadata }: StoredJob): ObjectReference => ({
  kind: 'Job',
  namespace: metadata.namespace ?? '',
  name: metadata.name ?? '',
  uid: metadata.uid ?? '',
  apiVersion: 'batch/v1',
  resourceVersion: metadata.resourceVersion ?? '',
})

/** Starts the job of the last time due, if any. Returns in how many ms the next one is due. */
async function begin(work: CronWork, cronJob: StoredCronJob, status: CronJobStatus): Promise<number | undefined> {
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
  // Somebody else's job has the name.
  if (controllerOf(made)?.uid !== cronJob.metadata.uid) return againMs
  if (!status.active?.some(({ uid }) => uid === made.metadata.uid))
    status.active = [...(status.active ?? []), referenceTo(made)]
  status.lastScheduleTime = timestampOf(due)
  return againMs
}

/** When the job is due; undefined, with an event, if nobody can tell. */
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

/** The job of a time: a new one, or the one that has its name already. */
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

/** The last time at which a job was due and that has not had one. */
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
      // Near enough: the schedule is dense, and only the last time counts.
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
    spec: structuredClone(spec!),
  }
}

/** Deletes the oldest successful and failed jobs beyond the history limits. */
async function dropHistory(work: CronWork, cronJob: StoredCronJob, owned: readonly StoredJob[]): Promise<void> {
  const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = cronJob.spec ?? {}
  const limits = { Complete: successfulJobsHistoryLimit, Failed: failedJobsHistoryLimit }
  for (const [end, limit] of Object.entries(limits)) {
    if (limit === undefined) continue
    const ended = owned.filter(job => endOf(job)?.type === end && !job.metadata.deletionTimestamp)
    const startOf = ({ status, metadata }: StoredJob) => status?.startTime ?? metadata.creationTimestamp ?? ''
    const oldest = [...ended].sort((a, b) => (startOf(a) < startOf(b) ? -1 : startOf(a) > startOf(b) ? 1 : 0))
    for (const { metadata } of oldest.slice(0, Math.max(0, ended.length - limit)))
      await deleteJob(work, cronJob, metadata.name ?? '', metadata.uid ?? '')
  }
}

/** Deletes a job of the cron job, and no other that has come under its name. */
async function deleteJob({ jobs, events }: CronWork, cronJob: StoredCronJob, name: string, uid: string): Promise<void> {
  try {
    await jobs
      .in(cronJob.metadata.namespace ?? '')
      .delete(name, { propagationPolicy: 'Background', preconditions: { uid } })
    void events.record(cronJob, 'Normal', 'SuccessfulDelete', `Deleted job ${name}`)
  } catch (error) {
    if (!(error instanceof ApiError && (error.code === 404 || error.code === 409))) throw error
  }
}
