import type { ConnectionLimits } from './connection-limits.js'

/** What connections, or streams of one, are refused or cut off for. */
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

/** What ended a connection while a request on it was under way. */
export type Interruption =
  /** The client closed or reset it. */
  | 'client'
  /** Something came over it that is not HTTP. */
  | 'invalid-request'
  /** It exceeded a limit, see `CutReason`. */
  | 'limit'
  | 'shutdown'
  /** None of these: an answer that could not be finished, or a fault of this server. */
  | 'server'

/** What Node says of a connection that it gives up. Anything else is about what came over it. */
export const causesOfErrors: Readonly<Record<string, Interruption>> = {
  ECONNRESET: 'client',
  EPIPE: 'client',
  // The connection was closed within a request.
  HPE_INVALID_EOF_STATE: 'client',
  ERR_HTTP_REQUEST_TIMEOUT: 'limit',
}

/** Something of a client's that is looked at once a second, and cut off when there is something to object to. */
export interface Watched {
  /** Bytes of answers that it holds because the client has not taken them, as of the last look. */
  readonly heldBytes: number
  /** Does anything wait for the client? */
  readonly isBehind: boolean
  /** How long the client has taken nothing of what waits for it. */
  stalledForMs(now: number): number
  /** Notes how bytes moved since the last look, and tells what there is to object to. */
  look(now: number, limits: ConnectionLimits): CutReason | undefined
  cut(reason: CutReason): void
}

/** One connection, whatever is spoken over it. */
export interface Connection extends Watched {
  /** Was anything ever asked? */
  readonly isUsed: boolean
  /** Is nothing being asked or answered? */
  readonly isIdle: boolean
  /** Bytes of a request whose head is not complete, as of the last look. Whoever sends them is not known yet. */
  readonly headBytes: number
  /** What goes on beside each other on it, and is looked at one by one; nothing where one answer follows another. */
  readonly streams: Iterable<Watched>
  /** Nothing more is served after the answers that are due, unless they have promised otherwise. */
  closeAfterAnswer(): void
  /** Notes why it ends, before it does. The first reason counts. */
  endsBy(cause: Interruption): void
  /** It is gone. */
  closed(): void
}
