import { serviceToken } from '../plugin/service-token.js'
import type { ApiObject } from '../resource/meta.js'
import type { Pod } from './pod.js'

/** The requested part of the log of a container, from the query. */
export interface PodLogQuery {
  /** The container; known to be one of the Pod. */
  readonly container: string
  /** Continue with new lines until the container ends. */
  readonly follow?: boolean
  /** The log of the container before its last restart. */
  readonly previous?: boolean
  readonly sinceSeconds?: number
  /** RFC 3339. */
  readonly sinceTime?: string
  /** Each line begins with its time. */
  readonly timestamps?: boolean
  readonly tailLines?: number
  readonly limitBytes?: number
}

/** A source of logs: something that runs Pods. */
export interface PodLogSource {
  /**
   * The log of a container, as bytes or text, possibly without an end; undefined for a Pod that this source does not run. It ends when
   * `signal` is aborted, because the client has disconnected. Throws an ApiError where there is no log, such as a 400 for a container that
   * waits to start.
   */
  read(
    pod: ApiObject & Pod,
    query: PodLogQuery,
    signal: AbortSignal,
  ): AsyncIterable<Uint8Array | string> | undefined | Promise<AsyncIterable<Uint8Array | string> | undefined>
}

/** The sources of `log` of a Pod, in the order in which they were added. */
export interface PodLogs {
  /** Adds a source in this process; the result removes it. With several processes, each needs its own. */
  add(source: PodLogSource): () => void
  read: PodLogSource['read']
}
/** The token of the service, which the plugin that serves Pods provides. */
export const podLogs = serviceToken<PodLogs>('workloads.podLogs')
