import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import type { UserInfo } from '../identity/user.js'
import { serviceToken } from '../plugin/service-token.js'

/** A request that is delegated to another server. It is authenticated and authorized here, as the user that it acts as. */
export interface DelegatedRequest {
  readonly method: string
  /** Path with query, as it arrived. */
  readonly url: string
  /** Without credentials and impersonation headers: the resulting user is `user`. */
  readonly headers: IncomingHttpHeaders
  readonly user: UserInfo
  /** A watch, or another protocol: it has no time-out. */
  readonly isLongRunning: boolean
  /** Aborted when the client disconnects, or the response is complete. */
  readonly signal: AbortSignal
  /** The time until the request times out. */
  timeLeftMs(): number
  /** The body as a stream. Call it once. */
  body(): Readable
  /** Does the client ask to switch protocols, and is that possible? */
  readonly asksForUpgrade: boolean
  /** A complete response in plain text. */
  send(status: number, text: string): void
  /** A response whose bytes are forwarded as they arrive, as fast as the client reads. Resolves when all are sent. */
  stream(
    status: number,
    headers: Readonly<Record<string, string | readonly string[]>>,
    body: AsyncIterable<Uint8Array>,
  ): Promise<void>
  /** Answers 101 with these headers and returns the raw connection. */
  switchProtocols(headers: Readonly<Record<string, string | readonly string[]>>): Duplex
}

/** Answers requests for a version of an API group instead of this server. Throws an ApiError to reject one. */
export interface ApiDelegate {
  answer(request: DelegatedRequest): Promise<void>
}

/** A group with its versions, the preferred one first. */
export interface GroupVersions {
  readonly group: string
  readonly versions: readonly string[]
}

/** A resource as the list of resources of a group and version shows it. */
export interface ListedResource {
  readonly name: string
  readonly singularName?: string
  readonly namespaced?: boolean
  /** Group and version of the kind, where they are not those of the list. */
  readonly group?: string
  readonly version?: string
  readonly kind?: string
  readonly verbs?: readonly string[]
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
}
/** The resources of a delegated group and version, in one of two forms; neither while they are unknown. */
export interface DelegatedDiscovery {
  /** As in the aggregated discovery document. */
  readonly resources?: readonly object[]
  /** As in a list of resources. */
  readonly listed?: readonly ListedResource[]
  /** False when it may have changed since. */
  readonly isFresh: boolean
}

/**
 * What other servers serve below `/apis` of this server, and the order of groups and versions. One plugin may provide
 * it under the token `apiDelegation`.
 */
export interface ApiDelegation {
  /** Changes whenever any of the following does: documents derived from it are cached until then. */
  readonly generation: number
  /** The delegate for `/apis/GROUP/VERSION`; undefined where this server answers itself. Called for every request. */
  delegateOf(group: string, version: string): ApiDelegate | undefined
  /** Is any version delegated at all? */
  readonly hasDelegates: boolean
  /** Calls back after a delegate was added or removed; returns a function that removes the listener. */
  onChange(listener: () => void): () => void
  /** All groups in the order of the list of groups, given those that this server serves itself. */
  groups(own: readonly GroupVersions[]): readonly GroupVersions[]
  /** The resources of a delegated version; undefined where this server answers itself. */
  discoveryOf(group: string, version: string): DelegatedDiscovery | undefined
  /** OpenAPI v2 documents to be merged into that of this server. */
  openApiV2(): readonly object[]
  /** Documents of OpenAPI v3 by path, such as `apis/example.com/v1`. */
  openApiV3(): ReadonlyMap<string, object>
}
/** The token of `ApiDelegation`. */
export const apiDelegation = serviceToken<ApiDelegation>('apiDelegation')
