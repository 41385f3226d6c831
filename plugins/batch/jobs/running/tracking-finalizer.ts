import { ApiError } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import { inGrowingBatches } from 'orch/sdk/controllers'
import type { StoredPod } from './job-state.js'

/**
 * The finalizer that keeps a Pod until its job has counted it. A Pod whose finalizer was removed is remembered until
 * the cache shows it, so that it is not counted again while the cache is stale.
 */
export class TrackingFinalizer {
  readonly name: string
  readonly #pods: ResourceClient<StoredPod>
  readonly #removed = new Set<string>()
  constructor(name: string, pods: ResourceClient<StoredPod>) {
    this.name = name
    this.#pods = pods
  }

  /** Whether this Pod is still to be counted. */
  isOn(pod: StoredPod): boolean {
    return this.has(pod) && !this.#removed.has(pod.metadata.uid ?? '')
  }

  /** Must be called for every change in the cache. */
  observe(pod: StoredPod, isDeleted: boolean): void {
    if (isDeleted || !this.has(pod)) this.#removed.delete(pod.metadata.uid ?? '')
  }

  /** Removes the finalizer. `onRemoved` is called for each Pod; a failure is thrown after all Pods were tried. */
  async removeFrom(pods: readonly StoredPod[], onRemoved: (pod: StoredPod) => void = () => {}): Promise<void> {
    await inGrowingBatches(pods.length, async i => {
      const pod = pods[i] as StoredPod
      const { uid = '' } = pod.metadata
      this.#removed.add(uid)
      try {
        await this.#remove(pod)
      } catch (error) {
        this.#removed.delete(uid)
        throw error
      }
      onRemoved(pod)
    })
  }

  has({ metadata }: StoredPod): boolean {
    return (metadata.finalizers ?? []).includes(this.name)
  }
  async #remove({ metadata: { namespace = '', name = '', uid } }: StoredPod): Promise<void> {
    const pods = this.#pods.in(namespace)
    const patch = { metadata: { uid, '$deleteFromPrimitiveList/finalizers': [this.name] } }
    try {
      await pods.patch(name, patch, { type: 'strategic' })
    } catch (error) {
      if (!(error instanceof ApiError && [404, 409, 422].includes(error.code))) throw error
      const now = await pods.find(name)
      if (now?.metadata.uid === uid && now && this.has(now)) throw error
    }
  }
}
