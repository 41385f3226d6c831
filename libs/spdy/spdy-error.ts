/** The other side does not keep to the protocol, or asks for more than it may have. */
export class SpdyError extends Error {}
