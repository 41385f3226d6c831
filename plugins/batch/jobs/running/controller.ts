import type { ApiObject, Vendor } from 'orch/sdk'
import {
  allow,
  candidatesOf,
  claimObjects,
  createEventRecorder,
  defineControlLoop,
  keyOf,
  type LoopCaches,
  PodWriter,
  podCollection,
  recordEvents,
  splitKey,
  UnseenWrites,
  withoutConflicts,
} from 'orch/sdk/controllers'
import { labelSelectorMatcher } from 'orch/sdk/validation'
import type { BatchNames } from '../../names.js'
import { jobCollection } from '../schema.js'
import { isTracked } from '../tracking.js'
import { endOf, type StoredJob, type StoredPod } from './job-state.js'
import { FailureTimes, type JobWork } from './job-work.js'
import { jobKeys, OrphanPods } from './orphan-pods.js'
import { reconcileJob } from './reconcile-job.js'
import { TrackingFinalizer } from './tracking-finalizer.js'

/**
 * Runs Pods for jobs until enough of them have succeeded. `tracks`: whether marked jobs track their Pods with a
 * finalizer.
 */
export const jobLoop = (names: BatchNames, vendor: Vendor, tracks: boolean) =>
  defineControlLoop({
    name: 'job',
    account: 'job-controller',
    rules: [
      allow('get list patch update watch', 'batch', 'jobs'),
      allow('update', 'batch', 'jobs/status'),
      allow('update', 'batch', 'jobs/finalizers'),
      allow('create delete list patch watch', '', 'pods'),
      recordEvents(vendor),
    ],
    setUp(runtime) {
      const { client, clock } = runtime
      const jobs = client.resource<StoredJob>(jobCollection)
      const pods = client.resource<StoredPod>(podCollection)
      const events = createEventRecorder({ ...runtime, component: 'job-controller' })
      const unseen = new UnseenWrites()
      const finalizer = new TrackingFinalizer(names.tracking, pods)
      const orphans = new OrphanPods(finalizer, jobs)
      const failures = new FailureTimes()
      const writer = new PodWriter(pods, events)
      const work: JobWork = {
        clock,
        names,
        events,
        jobs,
        writer,
        unseen,
        failures,
        finalizer,
        tracks,
        level: vendor.level,
      }

      const reconcile = async (key: string, caches: LoopCaches) => {
        const { namespace, name } = splitKey(key)
        const job = caches.of<StoredJob>(jobCollection).get(namespace, name)
        const cache = caches.of<StoredPod>(podCollection)
        await orphans.release(key, job, cache)
        if (!job) {
          failures.forget(key)
          return unseen.forget(key)
        }
        if (unseen.isWaiting(key, cache, clock.now())) return { requeueAfterMs: 250 }
        const matches = labelSelectorMatcher(job.spec?.selector)
        const finalizers = tracks && isTracked(job, names) ? { finalizer: names.tracking } : {}
        const claimed = await claimObjects(
          { owner: job, client: pods, matches, owners: jobs, ...finalizers },
          candidatesOf(cache, job),
        )
        const againMs = await reconcileJob(work, job, claimed)
        return againMs === undefined ? undefined : { requeueAfterMs: againMs }
      }
      return {
        workers: 5,
        sources: [
          { resource: jobCollection },
          {
            resource: podCollection,
            keys(pod: StoredPod, previous: StoredPod | undefined, type) {
              finalizer.observe(pod, type === 'deleted')
              return [...jobKeys(pod, previous), ...orphans.keysOf(pod)]
            },
          },
        ],
        reconcile: withoutConflicts(reconcile),
      }
    },
  })

/** Deletes finished jobs after ttlSecondsAfterFinished. */
export const ttlLoop = (vendor: Vendor) =>
  defineControlLoop({
    name: 'ttl-after-finished',
    account: 'ttl-after-finished-controller',
    rules: [allow('delete get list watch', 'batch', 'jobs'), recordEvents(vendor)],
    setUp(runtime) {
      const { client, clock } = runtime
      const jobs = client.resource<StoredJob>(jobCollection)
      return {
        sources: [
          {
            resource: jobCollection,
            keys: (job: StoredJob & ApiObject) => (leftMs(job, clock.now()) === undefined ? [] : [keyOf(job)]),
          },
        ],
        async reconcile(key, caches) {
          const { namespace, name } = splitKey(key)
          const job = caches.of<StoredJob>(jobCollection).get(namespace, name)
          const left = job && leftMs(job, clock.now())
          if (!job || left === undefined || job.metadata.deletionTimestamp) return
          if (left > 0) return { requeueAfterMs: left + 50 }
          // The cache may be stale: the TTL may have been extended.
          const fresh = await jobs.in(namespace).find(name)
          if (!fresh || (leftMs(fresh, clock.now()) ?? 1) > 0) return
          const { uid = '' } = fresh.metadata
          await jobs.in(namespace).delete(name, { propagationPolicy: 'Foreground', preconditions: { uid } })
        },
      }
    },
  })

/** The remaining TTL of a finished job; undefined if it has not finished or has no TTL. */
function leftMs(job: StoredJob, now: number): number | undefined {
  const ttl = job.spec?.ttlSecondsAfterFinished
  const end = endOf(job)
  if (ttl === undefined || !end?.lastTransitionTime) return undefined
  return Math.max(0, Date.parse(end.lastTransitionTime) + ttl * 1000 - now)
}
