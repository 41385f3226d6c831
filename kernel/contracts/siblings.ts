import type { Socket } from 'node:net'
import type { StorePeers } from 'orch/sdk/host'
import type { SharedWork } from 'orch/sdk/proposed'

/** The source of connections when the server does not listen itself. */
export interface ConnectionSource {
  /** Passes every incoming connection to `accept`. */
  take(accept: (socket: Socket) => void): void
  /** Accepts no more. */
  stop(): void
}
/** Reads the metrics of a process, as data that can be sent to another. */
export type MetricsSource = () => Promise<readonly object[]>

/** The other processes of the same server (`--workers`), as one process sees them. */
export interface Siblings {
  /** The one that runs control loops and start tasks of the `once` kind, and serves no requests. */
  readonly isPrimary: boolean
  /** Processes that serve requests: the limits of the server are divided among them. */
  readonly servingProcesses: number
  readonly peers: StorePeers
  readonly sharedWork: SharedWork
  /** In a worker: the connections that the primary accepted. */
  readonly connections?: ConnectionSource
  /** Sets how the metrics of this process are read. */
  offerMetrics(own: MetricsSource): void
  /** The metrics of all processes as one text. */
  metrics(): Promise<string>
}

/** Where to listen: at an address, or with a socket that another process opened and handed over, by its file descriptor. */
export type ListenPlace = { readonly host: string; readonly port: number } | { readonly fd: number }

/** The listener for requests: a listening server, or the processes that have one. */
export interface ServingEndpoint {
  /** Opens it and returns the port. */
  listen(place: ListenPlace): Promise<number>
  /** Serves new connections with another certificate, if this process serves them. */
  replaceCertificate?(serving: { readonly certificatePem: string; readonly keyPem: string }): void
  /** The server is about to stop: readiness fails from now on. */
  beginClose?(): void
  /**
   * Accepts no more connections, and waits up to `graceMs` for requests in flight. Keep-alive connections may send
   * one more request within `lingerMs`.
   */
  close(graceMs: number, lingerMs: number): Promise<void>
}
