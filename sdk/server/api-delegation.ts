import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import type { UserInfo } from '../identity/user.js'
import { serviceToken } from '../plugin/service-token.js'

/** A request for somebody else. It is authenticated and authorized here, under the user that it acts as. */
export interface DelegatedRequest {
  readonly method: string
  /** Path with query, as it arrived. */
  readonly url: string
  /** Without what the client proved itself with, and without whom it wanted to be: that is `user` now. */
  readonly headers: IncomingHttpHeaders
  readonly user: UserInfo
  /** A watch, or another protocol: it has no time in which it must be over. */
  readonly isLongRunning: boolean
  /** Aborted when the client goes away, or has its answer. */
  readonly signal: AbortSignal
  /** How long the client still waits. */
  timeLeftMs(): number
  /** The body as it comes. Ask once. */
  body(): Readable
  /** Does the client ask for another protocol on its connection, and can it have it? */
  readonly asksForUpgrade: boolean
  /** A complete answer, for people: text. */
  send(status: number, text: string): void
  /** An answer whose bytes are passed on as they come, at the pace of whoever reads. Done when all are sent. */
  stream(
    status: number,
    headers: Readonly<Record<string, string | readonly string[]>>,
    body: AsyncIterable<Uint8Array>,
  ): Promise<void>
  /** Answers 101 with these headers; from then on the connection carries whatever both sides want. */
  switchProtocols(headers: Readonly<Record<string, string | readonly string[]>>): Duplex
}

/** Answers requests for a version of an API group instead of this server. Throws an ApiError to refuse one. */
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
/** What somebody else said about the resources of a group and version, in one of two forms; neither while nobody has said anything. */
export interface DelegatedDiscovery {
  /** As in the one document that has all of discovery. */
  readonly resources?: readonly object[]
  /** As in a list of resources. */
  readonly listed?: readonly ListedResource[]
  /** False when it may have changed since. */
  readonly isFresh: boolean
}

/**
 * What others serve below `/apis` of this server, and in which order groups and versions are shown. One plugin may offer it under
 * the token `apiDelegation`.
 */
export interface ApiDelegation {
  /** Changes whenever what is below does: documents that are made of it are kept until then. */
  readonly generation: number
  /** Who answers below `/apis/GROUP/VERSION`; undefined where this server does. Called for every request. */
  delegateOf(group: string, version: string): ApiDelegate | undefined
  /** Does anybody answer instead of this server at all? */
  readonly hasDelegates: boolean
  /** Calls back after somebody began or ceased to answer instead of this server; returns the way to stop. */
  onChange(listener: () => void): () => void
  /** All groups in the order of the list of groups, given those that this server serves itself. */
  groups(own: readonly GroupVersions[]): readonly GroupVersions[]
  /** The resources of a version that somebody else serves; undefined where this server does. */
  discoveryOf(group: string, version: string): DelegatedDiscovery | undefined
  /** Documents of OpenAPI v2 that belong into the one of this server. */
  openApiV2(): readonly object[]
  /** Documents of OpenAPI v3 by path, such as `apis/example.com/v1`. */
  openApiV3(): ReadonlyMap<string, object>
}
/** The token under which a plugin offers it. */
export const apiDelegation = serviceToken<ApiDelegation>('apiDelegation')
