import type { Cache } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import { controllerOf, keyOf, ownerKeys, splitKey } from 'orch/sdk/controllers'
import type { StoredJob, StoredPod } from './job-state.js'
import type { TrackingFinalizer } from './tracking-finalizer.js'

/** The job that controls a Pod, and the one that did before. */
export const jobKeys = ownerKeys('Job', { group: 'batch', controllerOnly: true })

/** Prefix of the key of a Pod that no job controls. No namespace begins with it. */
const ofPod = 'pod:'
const indexName = 'uncounted pods by job'

/**
 * Pods with the finalizer but without a job that could count them: the finalizer is removed, so that they can be
 * deleted.
 */
export class OrphanPods {
  readonly #finalizer: TrackingFinalizer
  readonly #jobs: ResourceClient<StoredJob>

  constructor(finalizer: TrackingFinalizer, jobs: ResourceClient<StoredJob>) {
    this.#finalizer = finalizer
    this.#jobs = jobs
  }

  /** The key to reconcile for an uncounted Pod that no job controls. */
  keysOf(pod: StoredPod): readonly string[] {
    return this.#finalizer.isOn(pod) && jobKeys(pod, undefined).length === 0 ? [`${ofPod}${keyOf(pod)}`] : []
  }

  /** Releases the orphans of a key, which is that of a job or of a Pod without one. */
  async release(key: string, job: StoredJob | undefined, cache: Cache<StoredPod>): Promise<void> {
    const isOfPod = key.startsWith(ofPod)
    const isOf = (uid: string | undefined) => (pod: StoredPod) => !isOfPod && controllerOf(pod)?.uid === uid
    const isOfCached = isOf(job?.metadata.uid)
    const orphans = this.#waiting(key, cache).filter(pod => this.#finalizer.isOn(pod) && !isOfCached(pod))
    if (orphans.length === 0) return
    const isOfLiving = isOf(isOfPod ? undefined : await this.#uidOf(key))
    await this.#finalizer.removeFrom(orphans.filter(pod => !isOfLiving(pod)))
  }

  #waiting(key: string, cache: Cache<StoredPod>): readonly StoredPod[] {
    cache.addIndex(indexName, pod =>
      this.#finalizer.has(pod) ? [jobKeys(pod, undefined)[0] ?? `${ofPod}${keyOf(pod)}`] : [],
    )
    return cache.indexed(indexName, key)
  }
  /** Read from the API, because the cache of jobs may lag behind that of Pods. */
  async #uidOf(key: string): Promise<string | undefined> {
    const { namespace, name } = splitKey(key)
    return (await this.#jobs.in(namespace).find(name))?.metadata.uid
  }
}
