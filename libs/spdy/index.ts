/** SPDY/3.1 as far as streams of containers need it. */
export type { SpdyHeaders } from './header-blocks.js'
export { type SessionLimits, SpdySession, SpdyStream } from './session.js'
export { SpdyError } from './spdy-error.js'
