import { serviceToken } from '../plugin/service-token.js'
import type { ApiObject } from '../resource/meta.js'

/** A request that was answered. */
export interface RecordedRequest {
  readonly id: string
  /** When it came, by the real clock: milliseconds since the epoch, with fractions. */
  readonly at: number
  readonly durationMs: number
  /** Watches are recorded twice: when their answer begins, and when it is over. */
  readonly stage?: 'begun' | 'over'
  /** Who acted, and who that was before they impersonated somebody. */
  readonly user: string
  readonly impersonator?: string
  readonly userAgent?: string
  readonly verb: string
  /** Without the values of parameters that sound like a credential. */
  readonly uri: string
  /** What it was about, if that is a resource. A collection has no name. */
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
  /** Empty for a type that nobody serves any more. */
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
 * Hears of everything that a server does, to tell it later: for tests that fail. One plugin may offer it under the token
 * `recorder`; where none does, nothing is recorded. It is called within requests and commits: be quick, and do not throw.
 */
export interface Recorder {
  request(request: RecordedRequest): void
  change(change: RecordedChange): void
}
/** The token under which a plugin offers a recorder. */
export const recorder = serviceToken<Recorder>('recorder')
