import { serviceToken } from '../plugin/service-token.js'
import type { ApiObject } from '../resource/meta.js'
import type { Pod } from './pod.js'

/** Which part of the log of a container is wanted, as the query says it. */
export interface PodLogQuery {
  /** The container; known to be one of the Pod. */
  readonly container: string
  /** Go on with what is logged from now, until the container ends. */
  readonly follow?: boolean
  /** The container before its last restart is meant. */
  readonly previous?: boolean
  readonly sinceSeconds?: number
  /** RFC 3339. */
  readonly sinceTime?: string
  /** Each line begins with its time. */
  readonly timestamps?: boolean
  readonly tailLines?: number
  readonly limitBytes?: number
}

/** Somebody who runs Pods and knows what they wrote. */
export interface PodLogSource {
  /**
   * The log of a container, as bytes or text that may go on; undefined for a Pod that this source does not run. It ends when
   * `signal` is aborted: nobody reads any more. Throws an ApiError where there is no log, such as a 400 for a container that
   * waits to start.
   */
  read(
    pod: ApiObject & Pod,
    query: PodLogQuery,
    signal: AbortSignal,
  ): AsyncIterable<Uint8Array | string> | undefined | Promise<AsyncIterable<Uint8Array | string> | undefined>
}

/** Whom `log` of a Pod asks, in the order in which they were added. */
export interface PodLogs {
  /** Adds a source in this process; call what comes back to remove it. With several processes, each needs its own. */
  add(source: PodLogSource): () => void
  read: PodLogSource['read']
}
/** The token under which the plugin that serves Pods offers it. */
export const podLogs = serviceToken<PodLogs>('workloads.podLogs')
