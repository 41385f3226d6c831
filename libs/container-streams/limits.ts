/** The limits of one connection. */
export interface StreamLimits {
  /** Streams that may be open at the same time. */
  readonly streams: number
  /** Bytes of one message that is held until it is complete. */
  readonly messageBytes: number
  /** How long the connection may be idle. */
  readonly idleMs: number
  /** How long the client may take to open all streams of a session. */
  readonly openMs: number
}

export const defaultLimits: StreamLimits = {
  streams: 256,
  messageBytes: 4 * 1024 * 1024,
  idleMs: 4 * 60 * 60 * 1000,
  openMs: 30_000,
}
