import type { ApiError } from '../resource/api-errors.js'
import type { ApiObject } from '../resource/meta.js'
import type { TypedResource } from '../resource/resource.js'
import type { Kinds } from './kinds.js'

/** Names a collection of the API. An empty `version` means the preferred one, found by discovery. */
export interface ResourceRef {
  readonly group: string
  readonly version: string
  readonly resource: string
}

/** One request over any transport: HTTP, or directly into a server in this process. */
export interface TransportRequest {
  readonly method: string
  /** Path with query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer | string
  readonly signal?: AbortSignal
}
/** A response with any status. Header names are in lower case. */
export interface TransportResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The body as it arrives; a watch never ends by itself. */
  readonly body: AsyncIterable<Buffer>
}
/**
 * Sends a request. Any status is a response; it rejects only when there is none, or with the reason of the signal when
 * that aborts.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>

/** How to write. */
export interface WriteOptions {
  readonly dryRun?: boolean
  readonly fieldManager?: string
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict'
}
/** How to patch. */
export interface PatchOptions extends WriteOptions {
  /** How to read the patch; `merge` by default. */
  readonly type?: 'merge' | 'json' | 'strategic' | 'apply'
  readonly force?: boolean
  readonly subresource?: string
}
/** What to list, and how much at a time. */
export interface ListOptions {
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly limit?: number
  readonly continue?: string
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan'
  /** Asks for metadata alone, in the form of this group (`vendor.metaGroup`): much less to send and to read. */
  readonly metadataOnly?: string
}
/** How to delete. */
export interface DeleteOptions {
  readonly dryRun?: boolean
  readonly gracePeriodSeconds?: number
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan'
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
}
/** What to watch, and for how long. */
export interface WatchOptions extends ListOptions {
  readonly timeoutSeconds?: number
  readonly allowWatchBookmarks?: boolean
  /** With `metadataOnly`: leaves out managedFields, too, which are often most of it. */
  readonly withoutManagedFields?: boolean
  readonly signal?: AbortSignal
}
/** One change. The object of a `BOOKMARK` has a resourceVersion only; that of an `ERROR` is a Status. */
export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  readonly object: T
}
/** What to follow, and when to give up. */
export interface ResumeOptions {
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** See `ListOptions`. */
  readonly metadataOnly?: string
  /** See `WatchOptions`; items of lists come whole. */
  readonly withoutManagedFields?: boolean
  /** Start after this version instead of listing first. */
  readonly resourceVersion?: string
  /** Ends the iteration. */
  readonly signal?: AbortSignal
  /** Which errors end it with a throw. By default those that a retry cannot fix, such as 400, 401, 403 and 404. */
  giveUpOn?(error: ApiError): boolean
  /** Called with every failure before the next attempt. */
  onRetry?(error: unknown, delayMs: number): void
}
/** An event of a resuming watch. */
export type ResumedEvent<T> =
  /** The whole collection as it is now: the first event, and again whenever the changes in between are no longer available. */
  | { readonly type: 'RELISTED'; readonly items: readonly T[]; readonly resourceVersion: string }
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
/** How long to wait. */
export interface WaitOptions {
  /** Give up after this long; 30 seconds by default. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}
/** One page of a collection. Its items carry their apiVersion and kind. */
export interface ObjectList<T> {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly resourceVersion: string
    readonly continue?: string
    readonly remainingItemCount?: number
  }
  readonly items: T[]
}

/**
 * One collection: cluster-wide, or of one namespace after `in(namespace)`. Failures are ApiErrors. `T` is the type of objects
 * that are read, `Sent` that of objects that are sent: it may omit fields that the server sets.
 */
export interface ResourceClient<T = ApiObject, Sent = T> {
  in(namespace: string): ResourceClient<T, Sent>
  get(name: string): Promise<T>
  /** Like get, but undefined when there is no such object, or when the name cannot be part of a path. */
  find(name: string): Promise<T | undefined>
  /** One page. */
  list(options?: ListOptions): Promise<ObjectList<T>>
  /** Every object, fetched page by page. */
  each(options?: ListOptions): AsyncIterable<T>
  /** Events of one connection; it ends when the server ends it or `signal` aborts. A failure is an `ERROR` event. */
  watch(options?: WatchOptions): AsyncIterable<WatchEvent<T>>
  /** Lists, then watches without end: reconnects, resumes, and starts over with `RELISTED` when history is gone. */
  watchWithResume(options?: ResumeOptions): AsyncIterable<ResumedEvent<T>>
  /** Waits until the object exists and `condition` holds, and returns it. A 504 ApiError when that takes too long. */
  waitFor(name: string, condition: (object: T) => boolean, options?: WaitOptions): Promise<T>
  /** Waits until there is no such object. */
  waitForDeletion(name: string, options?: WaitOptions): Promise<void>
  create(object: Sent, options?: WriteOptions): Promise<T>
  update(object: Sent, options?: WriteOptions): Promise<T>
  /** PUT on a subresource of the object (`status`, `approval`, …). */
  updateSubresource(subresource: string, object: Sent, options?: WriteOptions): Promise<T>
  /** GET of a subresource of the named object (`scale`, …). */
  getSubresource<A>(name: string, subresource: string): Promise<A>
  /** POST to a subresource of the named object (`token`, `eviction`, …). */
  createSubresource<B, A = B>(name: string, subresource: string, body: B, options?: WriteOptions): Promise<A>
  patch(name: string, patch: unknown, options?: PatchOptions): Promise<T>
  /** Server-side apply; the field manager is required. */
  apply(
    object: Sent,
    options: WriteOptions & { fieldManager: string; force?: boolean; subresource?: string },
  ): Promise<T>
  delete(name: string, options?: DeleteOptions): Promise<T>
  deleteCollection(options?: ListOptions & DeleteOptions): Promise<void>
}

/** The API as a program sees it. */
export interface Client {
  resource<T = ApiObject, Sent = T>(ref: ResourceRef): ResourceClient<T, Sent>
  /** The collection of a defined type, in its preferred version, typed by its schema. */
  of<T, Sent = T>(definition: TypedResource<T, Sent>): ResourceClient<T, Sent>
  /** The served types, found by discovery and cached; `fresh` asks the server again. */
  kinds(options?: { readonly fresh?: boolean }): Promise<Kinds>
  /** Sends a request to any path. Throws an ApiError for a failure. */
  request<A = unknown>(request: TransportRequest): Promise<A>
  /** The client that watches collections for this one: clients with the same follower share their caches. */
  readonly follower?: Client
  /** Closes all connections. Later requests fail. */
  close(): Promise<void>
}
