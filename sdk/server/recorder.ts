import { serviceToken } from '../plugin/service-token.js'
import type { ApiObject } from '../resource/meta.js'

/** A request that was answered. */
export interface RecordedRequest {
  readonly id: string
  /** When it arrived, by the real clock: milliseconds since the epoch, with fractions. */
  readonly at: number
  readonly durationMs: number
  /** Watches are recorded twice: when their response begins, and when it ends. */
  readonly stage?: 'begun' | 'over'
  /** The acting user, and the authenticated one if that user was impersonated. */
  readonly user: string
  readonly impersonator?: string
  readonly userAgent?: string
  readonly verb: string
  /** Without the values of parameters that look like credentials. */
  readonly uri: string
  /** The requested resource, if any. A collection has no name. */
  readonly object?: {
    readonly group: string
    readonly version: string
    readonly resource: string
    readonly subresource: string
    readonly namespace: string
    readonly name: string
  }
  readonly code: number
  /** Why it failed. */
  readonly reason?: string
  readonly message?: string
  /** The object or patch that was sent, as far as it was read. Never that of a sensitive type. Must not be changed. */
  readonly sent?: unknown
}

/** A change of a stored object. */
export interface RecordedChange {
  readonly at: number
  readonly revision: number
  readonly type: 'create' | 'update' | 'delete'
  readonly group: string
  readonly resource: string
  /** Empty for a type that is no longer served. */
  readonly kind: string
  readonly namespace: string
  readonly name: string
  /**
   * The object after the change, or, of a deletion, its last state; and before the change, if it was there. Values of a sensitive
   * type are masked. Only to be called at once.
   */
  object(): ApiObject
  previous(): ApiObject | undefined
}

/**
 * Records everything that a server does, for the analysis of failed tests. One plugin may provide it under the token
 * `recorder`; where none does, nothing is recorded. It is called within requests and commits: be quick, and do not throw.
 */
export interface Recorder {
  request(request: RecordedRequest): void
  change(change: RecordedChange): void
}
/** The token of `Recorder`. */
export const recorder = serviceToken<Recorder>('recorder')
