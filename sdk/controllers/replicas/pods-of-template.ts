import type { ResourceClient } from '../../client/client.js'
import type { Pod } from '../../core/pod.js'
import type { PodTemplateSpec } from '../../core/pod-spec.js'
import { ApiError } from '../../resource/api-errors.js'
import type { ApiObject } from '../../resource/meta.js'
import type { EventRecorder } from '../event-recorder.js'
import { controllerReference } from '../owner-keys.js'

/** A dash makes names readable, if there is room for it. */
const longestPrefix = 253
const prefixFor = (owner = '') => (owner.length < longestPrefix ? `${owner}-` : owner)

/** A Pod from the template of its owner. Without a name, the server generates one that begins with the owner's. */
export function podOfTemplate(owner: ApiObject, template: PodTemplateSpec, name?: string): Pod & ApiObject {
  const { labels, annotations, finalizers } = template.metadata ?? {}
  return {
    metadata: {
      ...(name === undefined ? {} : { name }),
      generateName: prefixFor(owner.metadata.name),
      namespace: owner.metadata.namespace ?? '',
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
      ...(finalizers ? { finalizers } : {}),
      ownerReferences: [controllerReference(owner)],
    },
    spec: structuredClone(template.spec ?? { containers: [] }),
  }
}

/** Creates and deletes Pods for owners, and records events about that. */
export class PodWriter {
  readonly #pods: ResourceClient<Pod & ApiObject>
  readonly #events: EventRecorder
  constructor(pods: ResourceClient<Pod & ApiObject>, events: EventRecorder) {
    this.#pods = pods
    this.#events = events
  }

  /** Undefined when the namespace is terminating: nothing can be created in it. */
  async create(owner: ApiObject, pod: Pod & ApiObject): Promise<(Pod & ApiObject) | undefined> {
    try {
      const made = await this.#pods.in(owner.metadata.namespace ?? '').create(pod)
      void this.#events.record(owner, 'Normal', 'SuccessfulCreate', `Created pod: ${made.metadata.name}`)
      return made
    } catch (error) {
      if (isNamespaceTerminating(error)) return undefined
      const why = error instanceof Error ? error.message : String(error)
      void this.#events.record(owner, 'Warning', 'FailedCreate', `Error creating: ${why}`)
      throw error
    }
  }

  async delete(owner: ApiObject, pod: Pod & ApiObject): Promise<void> {
    const { name = '', uid } = pod.metadata
    try {
      await this.#pods
        .in(owner.metadata.namespace ?? '')
        .delete(name, uid === undefined ? {} : { preconditions: { uid } })
      void this.#events.record(owner, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`)
    } catch (error) {
      if (error instanceof ApiError && (error.code === 404 || error.code === 409)) return
      const why = error instanceof Error ? error.message : String(error)
      void this.#events.record(owner, 'Warning', 'FailedDelete', `Error deleting: ${why}`)
      throw error
    }
  }
}

const isNamespaceTerminating = (error: unknown): boolean =>
  error instanceof ApiError && (error.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating')

/**
 * Calls `act` `count` times, first once and then in batches that double as long as all calls succeed: an invalid template
 * fails a few times, not a thousand. Returns the number of calls; throws the first failure.
 */
export async function inGrowingBatches(count: number, act: (index: number) => Promise<unknown>): Promise<number> {
  let done = 0
  for (let size = 1; done < count; size = Math.min(size * 2, maxAtOnce)) {
    const batch = Math.min(size, count - done)
    const results = await Promise.allSettled(Array.from({ length: batch }, (_, i) => act(done + i)))
    done += batch
    const failed = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
    if (failed) throw failed.reason
  }
  return done
}
const maxAtOnce = 64
