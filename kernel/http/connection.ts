import type { ConnectionLimits } from './connection-limits.js'

/** Why connections, or streams of one, are refused or closed. */
export type CutReason =
  | 'too-many'
  | 'too-many-of-address'
  | 'too-many-waiting'
  | 'too-many-resets'
  | 'room-for-others'
  | 'slow-handshake'
  | 'slow-body'
  | 'unfinished-heads'
  | 'slow-reader'
  | 'late-reader'
  | 'unsent-bytes'
  | 'idle'

/** What ended a connection during a request. */
export type Interruption =
  /** The client closed or reset it. */
  | 'client'
  /** Something came over it that is not HTTP. */
  | 'invalid-request'
  /** It exceeded a limit, see `CutReason`. */
  | 'limit'
  | 'shutdown'
  /** Any other cause: a response that could not be completed, or a fault of this server. */
  | 'server'

/** The causes of the errors with which Node gives up a connection. Any other error means an invalid request. */
export const causesOfErrors: Readonly<Record<string, Interruption>> = {
  ECONNRESET: 'client',
  EPIPE: 'client',
  // The connection was closed within a request.
  HPE_INVALID_EOF_STATE: 'client',
  ERR_HTTP_REQUEST_TIMEOUT: 'limit',
}

/** A connection or stream that is checked once a second, and closed when it breaks a limit. */
export interface Watched {
  /** Bytes of responses that the client has not received, as of the last check. */
  readonly heldBytes: number
  /** Whether anything is pending for the client. */
  readonly isBehind: boolean
  /** How long the client has received nothing of what is pending. */
  stalledForMs(now: number): number
  /** Measures the progress since the last check; returns the limit that is broken, if any. */
  check(now: number, limits: ConnectionLimits): CutReason | undefined
  cut(reason: CutReason): void
}

/** One connection of either protocol. */
export interface Connection extends Watched {
  /** Whether it ever had a request. */
  readonly isUsed: boolean
  /** Whether no request is being received or answered. */
  readonly isIdle: boolean
  /** Bytes of a request whose head is not complete, as of the last check. Its sender is not authenticated yet. */
  readonly headBytes: number
  /** Its concurrent streams, which are checked one by one; none for HTTP/1.1. */
  readonly streams: Iterable<Watched>
  /** No more requests are served after those in flight, unless their responses have already promised otherwise. */
  closeAfterAnswer(): void
  /** Records why it is about to end. The first reason wins. */
  endsBy(cause: Interruption): void
  /** It is gone. */
  closed(): void
}
