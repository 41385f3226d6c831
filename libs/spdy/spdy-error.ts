/** The other side violates the protocol, or exceeds a limit. */
export class SpdyError extends Error {}
