import { isDeepStrictEqual } from 'node:util'
import type { Vendor } from 'orch/sdk'
import {
  allow,
  candidatesOf,
  controllerOf,
  createEventRecorder,
  defineControlLoop,
  type LoopCaches,
  ownerKeys,
  recordEvents,
  splitKey,
  withoutConflicts,
} from 'orch/sdk/controllers'
import type { ObjectReference } from 'orch/sdk/core'
import { endOf, type StoredJob } from '../jobs/running/job-state.js'
import { jobCollection } from '../jobs/schema.js'
import type { BatchNames } from '../names.js'
import { type CronWork, deleteJob, type StoredCronJob } from './cron-work.js'
import { type CronJobStatus, cronJobCollection } from './schema.js'
import { startDueJob } from './start-job.js'

/** Starts jobs on schedule and deletes finished ones beyond the history limits. */
export const cronJobLoop = (names: BatchNames, vendor: Vendor) =>
  defineControlLoop({
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
    setUp(runtime) {
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
        const againMs = await reconcileCronJob(work, cronJob, owned)
        return againMs === undefined ? undefined : { requeueAfterMs: againMs }
      }
      return {
        workers: 5,
        sources: [
          { resource: cronJobCollection },
          { resource: jobCollection, keys: ownerKeys('CronJob', { group: 'batch', controllerOnly: true }) },
        ],
        reconcile: withoutConflicts(reconcile),
      }
    },
  })

async function reconcileCronJob(
  work: CronWork,
  cronJob: StoredCronJob,
  owned: readonly StoredJob[],
): Promise<number | undefined> {
  const status: CronJobStatus = { ...cronJob.status }
  await dropHistory(work, cronJob, owned)
  status.active = await activeAfter(work, cronJob, status, owned)
  const againMs = cronJob.spec?.suspend ? undefined : await startDueJob(work, cronJob, status)
  if (status.active.length === 0) delete status.active
  if (!isDeepStrictEqual(status, cronJob.status ?? {}))
    await work.cronJobs.updateSubresource('status', { ...cronJob, status })
  return againMs
}

/** The active jobs of the schedule. Jobs that finished or disappeared, and unexpected ones, are recorded as events. */
async function activeAfter(
  work: CronWork,
  cronJob: StoredCronJob,
  status: CronJobStatus,
  owned: readonly StoredJob[],
): Promise<ObjectReference[]> {
  const { events } = work
  const before = await knownActive(work, cronJob, status, owned)
  const byUid = new Map(owned.map(job => [job.metadata.uid, job]))
  const kept = before.filter(({ uid, name }) => {
    const job = uid === undefined ? undefined : byUid.get(uid)
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

const unknownTo = (active: readonly ObjectReference[], owned: readonly StoredJob[]) => {
  const known = new Set(active.map(({ uid }) => uid))
  return owned.filter(job => !endOf(job) && !known.has(job.metadata.uid))
}

/** The active jobs in the status. If an active job is missing there, the cache may be stale, so the API is read. */
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
