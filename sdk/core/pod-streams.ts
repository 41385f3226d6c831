import type { Duplex, Readable, Writable } from 'node:stream'
import { serviceToken } from '../plugin/service-token.js'
import type { ApiObject } from '../resource/meta.js'
import type { Pod } from './pod.js'

/** The streams of a process. Those that the client did not request discard their data. */
export interface PodProcessEnds {
  /** Ends when the client closes it. Read it, or the client cannot send more. */
  readonly input: Readable
  /** Waits for a client that reads slowly. */
  readonly output: Writable
  readonly error: Writable
  /** Called with each size of the client's terminal. */
  onResize(listener: (size: { readonly width: number; readonly height: number }) => void): void
}

/** The container, and the streams that the client requests. */
export interface PodAttachQuery {
  /** The container; known to be one of the Pod. */
  readonly container: string
  readonly stdin: boolean
  readonly stdout: boolean
  readonly stderr: boolean
  readonly tty: boolean
}
/** The same for a command that is to be run there. */
export interface PodExecQuery extends PodAttachQuery {
  readonly command: readonly string[]
}

/** Runs until the process ends, and returns its exit code; `signal` is aborted when the client has disconnected. */
export type PodProcess = (ends: PodProcessEnds, signal: AbortSignal) => Promise<number>

/** Serves a connection to a port until it ends. The client gets the error that it throws; other connections continue. */
export type PodPort = (port: number, connection: Duplex, signal: AbortSignal) => Promise<void>

type OrLater<T> = T | undefined | Promise<T | undefined>

/**
 * Something that runs Pods and can connect clients with them. Each method returns undefined for a Pod that this source does not run,
 * and throws an ApiError where there is no connection, such as a 400 for a container that does not run.
 */
export interface PodStreamSource {
  /** Called before anything runs: the response to the request depends on the result. */
  exec?(pod: ApiObject & Pod, query: PodExecQuery): OrLater<PodProcess>
  attach?(pod: ApiObject & Pod, query: PodAttachQuery): OrLater<PodProcess>
  forward?(pod: ApiObject & Pod): OrLater<PodPort>
}

/** The sources of `exec`, `attach` and `portforward` of a Pod, in the order in which they were added. */
export interface PodStreams extends Required<PodStreamSource> {
  /** Adds a source in this process; the result removes it. With several processes, each needs its own. */
  add(source: PodStreamSource): () => void
}
/** The token of the service, which the plugin that serves Pods provides. */
export const podStreams = serviceToken<PodStreams>('workloads.podStreams')
