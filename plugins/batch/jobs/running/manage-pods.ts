import { inGrowingBatches, soonest } from 'orch/sdk/controllers'
import type { BatchNames } from '../../names.js'
import type { Counts } from './count-pods.js'
import { failuresOfIndex, waitsForEnd } from './failure-policy.js'
import { podOf } from './job-pods.js'
import { indexOf, isIndexed, type StoredJob, type StoredPod } from './job-state.js'
import type { JobWork } from './job-work.js'

/** The backoff after the first failure; each further failure doubles it. */
const firstBackoffMs = 10_000
const maxBackoffMs = 360_000

/** Deletes Pods of a job. */
export async function stop(
  { writer, unseen, clock }: JobWork,
  job: StoredJob,
  pods: readonly StoredPod[],
): Promise<void> {
  const key = `${job.metadata.namespace}/${job.metadata.name}`
  await Promise.all(
    pods.map(async pod => {
      unseen.deleted(key, pod, clock.now())
      await writer.delete(job, pod)
    }),
  )
}

/**
 * Deletes Pods that are not needed for now. They have not failed, so their finalizer is removed first, and they are not
 * counted.
 */
export async function deleteUncounted(work: JobWork, job: StoredJob, pods: readonly StoredPod[]): Promise<void> {
  await work.finalizer.removeFrom(pods.filter(pod => work.finalizer.isOn(pod)))
  await stop(work, job, pods)
}

/** Creates missing Pods and deletes surplus ones. */
export async function manage(
  work: JobWork,
  job: StoredJob,
  active: readonly StoredPod[],
  { succeeded, failed, done }: Counts,
  { pods, lost, terminating }: { pods: readonly StoredPod[]; lost: ReadonlySet<number>; terminating: number },
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
  const removed = new Set(superfluous)
  const useful = active.filter(pod => !removed.has(pod))
  const tooMany = [...superfluous, ...useful.slice(wanted)]
  if (tooMany.length > 0) {
    await deleteUncounted(work, job, tooMany)
    return { active: active.length - tooMany.length }
  }
  const missing = wanted - useful.length - (waitsForEnd(job) ? terminating : 0)
  if (missing <= 0) return { active: active.length }
  const perIndex = job.spec?.backoffLimitPerIndex !== undefined
  const waitMs = perIndex ? 0 : backoffOf(work, job, failed)
  if (waitMs > 0) return { active: active.length, againMs: waitMs }
  const before = perIndex ? failuresByIndex(job, pods, names) : new Map<number, number>()
  const waits: number[] = []
  const isFree = (index: number) => {
    if (done.has(index) || lost.has(index) || taken.has(index)) return false
    const wait = perIndex ? backoffOf(work, job, before.get(index) ?? 0, `/${index}`) : 0
    if (wait > 0) waits.push(wait)
    return wait === 0
  }
  const free = isIndexed(job) ? firstIndexes(completions ?? 0, missing, isFree) : undefined
  const key = `${job.metadata.namespace}/${job.metadata.name}`
  const made = await inGrowingBatches(Math.min(missing, free?.length ?? missing), async i => {
    const pod = await writer.create(job, podOf(work, job, free?.[i], before.get(free?.[i] ?? -1)))
    if (pod) unseen.created(key, pod, clock.now())
  })
  const againMs = soonest(waits)
  return { active: active.length + made, ...(againMs === undefined ? {} : { againMs }) }
}

/** How often Pods of each index have failed, according to those that still exist. */
function failuresByIndex(job: StoredJob, pods: readonly StoredPod[], names: BatchNames): Map<number, number> {
  const failures = new Map<number, number>()
  for (const pod of pods) {
    const index = pod.status?.phase === 'Failed' ? indexOf(pod, names) : undefined
    if (index !== undefined) failures.set(index, Math.max(failures.get(index) ?? 0, failuresOfIndex(job, pod, names)))
  }
  return failures
}

/** The first `count` free indexes. The search stops there, because a job may have billions of completions. */
export function firstIndexes(completions: number, count: number, isFree: (index: number) => boolean): number[] {
  const found: number[] = []
  for (let index = 0; index < completions && found.length < count; index++) if (isFree(index)) found.push(index)
  return found
}

/** The remaining backoff before new Pods are created. */
function backoffOf({ failures, clock }: JobWork, job: StoredJob, failed: number, part = ''): number {
  if (failed === 0) {
    failures.delete(job, part)
    return 0
  }
  const known = failures.get(job, part)
  const seen = known && known.count >= failed ? known : { count: failed, at: clock.now() }
  failures.set(job, seen, part)
  const wait = Math.min(maxBackoffMs, firstBackoffMs * 2 ** (failed - 1))
  return Math.max(0, seen.at + wait - clock.now())
}
