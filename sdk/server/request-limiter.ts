import type { UserInfo } from '../identity/user.js'
import { serviceToken } from '../plugin/service-token.js'

/** A request as the limiter sees it: authenticated, but not authorized yet. */
export interface LimitedRequest {
  readonly user: UserInfo
  readonly info: {
    readonly isResource: boolean
    readonly path: string
    readonly query: URLSearchParams
    /** For resources a verb such as `list` or `watch`, otherwise the method in lower case. */
    readonly verb: string
    readonly group: string
    /** The namespace of the object, or the namespace that is the object. */
    readonly accessNamespace: string
    readonly resource: string
    readonly subresource: string
  }
  /** It timed out and was answered: it no longer needs a seat. */
  readonly isFinished: boolean
  /** Set this when the request takes a seat: it is called once, when the request is finished. */
  freeSeat: (() => void) | undefined
  /** Adds a header, of one line for each value, to the answer, whatever it will be. */
  setHeader(name: string, values: readonly string[]): void
}

/**
 * Decides when a request may proceed. One plugin may provide it under the token `requestLimiter`; without one, the kernel counts
 * reads and writes.
 */
export interface RequestLimiter {
  /**
   * Called once for every authenticated request. Returns when it may proceed, or a promise if it has to wait; throws a 429 when
   * there is no seat. Called for every request: do as little as possible.
   */
  enter(request: LimitedRequest): void | Promise<void>
  /** Requests that have a seat. */
  readonly current: { readonly readOnly: number; readonly mutating: number }
}

/** The limits of this process, from its flags. */
export interface RequestLimits {
  /** 0 means no limit. */
  readonly readOnly: number
  readonly mutating: number
  /** After this time a request is answered with a time-out. */
  readonly timeoutMs: number
}
/** The token of `RequestLimiter`. */
export const requestLimiter = serviceToken<RequestLimiter>('requestLimiter')
