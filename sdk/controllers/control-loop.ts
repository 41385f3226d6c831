import type { Client, ResourceRef } from '../client/client.js'
import type { Clock, Logger, Metrics } from '../plugin/basic-services.js'
import type { Cache } from '../plugin/caches.js'
import type { ApiObject } from '../resource/meta.js'

/** A collection that a control loop watches, and the keys to reconcile when it changes. */
export interface LoopSource<T = ApiObject> {
  readonly resource: ResourceRef
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** The keys to reconcile when this object changes; its own `namespace/name` by default. */
  keys?(object: T, previous: T | undefined, type: 'added' | 'modified' | 'deleted'): readonly string[]
}

/** The sources of a control loop and its reconcile function. */
export interface ControlLoopOptions {
  readonly name: string
  readonly client: Client
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics?: Metrics
  // biome-ignore lint/suspicious/noExplicitAny: sources of different object types stand in one list
  readonly sources: readonly LoopSource<any>[]
  /** How many keys are reconciled at once; 1 by default. One key is never reconciled twice at the same time. */
  readonly workers?: number
  /** Reconcile everything again this often, in ms; never by default. */
  readonly resyncMs?: number
  /**
   * Brings one key to its desired state. Called with `namespace/name` (or `name`), whatever has changed and however often.
   * An error is retried with backoff; `requeueAfterMs` schedules another run.
   */
  reconcile(key: string, caches: LoopCaches): Promise<void | { requeueAfterMs: number }>
}

/** The local copies of the loop's sources. Objects must not be changed. */
export interface LoopCaches {
  of<T = ApiObject>(resource: ResourceRef): Cache<T>
}

/** Splits a key made of namespace and name. */
export function splitKey(key: string): { namespace: string; name: string } {
  const slash = key.indexOf('/')
  return slash < 0 ? { namespace: '', name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) }
}
/** The key of an object: `namespace/name`, or `name` for a cluster-scoped one. */
export function keyOf(object: ApiObject): string {
  return object.metadata.namespace
    ? `${object.metadata.namespace}/${object.metadata.name}`
    : (object.metadata.name ?? '')
}
