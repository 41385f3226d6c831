import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'
import type { UserInfo } from '../identity/user.js'
import type { Lifespan, ServedLevel } from '../plugin/level.js'
import type { PermissionDefinition } from '../plugin/permission.js'
import type { Needs, Resolved } from '../plugin/service-token.js'
import type { Column } from './columns.js'
import type { FieldError } from './field-errors.js'
import type { ApiObject } from './meta.js'
import type { TSchema } from './schema.js'
import type { Strategy } from './strategy.js'

/** A path below an object. */
// biome-ignore lint/suspicious/noExplicitAny: actions with different needs stand in one record
export type SubresourceDefinition = UpdateSubresource | ActionSubresource<any> | ConnectSubresource<any>

/** The same object, written through another strategy (`status`, `approval`, `finalize`). */
export interface UpdateSubresource extends Lifespan {
  readonly kind: 'update'
  readonly verbs?: readonly ('get' | 'update' | 'patch')[]
  readonly strategy: Strategy<never>
  /** May this user write these contents here? */
  // biome-ignore lint/suspicious/noExplicitAny: types with different needs stand in one record
  readonly permission?: PermissionDefinition<any, any>
}

/** An operation with a type of its own (`token`, `binding`, `eviction`, `scale`). */
export interface ActionSubresource<N extends Needs = Needs> extends Lifespan {
  readonly kind: 'action'
  readonly needs?: N
  /** Group, version and kind of the body and the answer, when they are not the resource's. */
  readonly group: string
  readonly version: string
  readonly objectKind: string
  /** Further accepted versions of the body, which have the same fields. */
  readonly formerVersions?: readonly string[]
  readonly schema: TSchema
  /** The printed columns of the answer. Without them it has no form as a Table. */
  readonly columns?: readonly Column<never>[]
  defaults?(object: never): void
  /** Throws for an invalid body of a create, before the target is looked up. */
  check?(object: never, name: string): void
  readonly handlers: Partial<Record<'get' | 'create' | 'update', ActionHandler<N>>>
  /** What the error names when the target is not there; the target if left out. */
  missing?(verb: 'get' | 'create' | 'update', level: ServedLevel): { readonly group: string; readonly resource: string }
  /**
   * For server-side apply: the fields of the object that an applied body sets, and that the applier will own. Without it the subresource
   * does not support apply. `updateTarget` applies them first, and then calls `change`.
   */
  appliedFields?(body: never): Readonly<Record<string, unknown>>
  /** The paths of a scale that only reads and writes these, as a CustomResourceDefinition can declare it. */
  readonly scalePaths?: ScalePaths
  /** Marks the request as CONNECT for admission instead of CREATE. */
  readonly connect?: boolean
  /** A new body keeps the metadata that only the server sets, because it names the target, such as its uid. */
  readonly keepsSystemFields?: boolean
  /** Never write what is sent or answered here to the audit log (tokens). */
  readonly sensitive?: boolean
}
/** Simple paths, such as `.spec.replicas`. */
export interface ScalePaths {
  /** Path of the desired number. */
  readonly specReplicasPath: string
  /** Path of the observed number. */
  readonly statusReplicasPath: string
  /** Path of the selector of the counted objects, as text. */
  readonly labelSelectorPath?: string
}
/** Declares an operation; `needs` arrive typed. */
export const defineAction = <const N extends Needs = Record<never, never>>(
  action: Omit<ActionSubresource<N>, 'kind'>,
): ActionSubresource<N> => ({ kind: 'action', ...action })

/** Connects through the object to something outside the API (`exec`, `proxy`, `log`), with options in the query. */
export interface ConnectSubresource<N extends Needs = Needs> extends Lifespan {
  readonly kind: 'connect'
  readonly needs?: N
  /** The kind that discovery names. */
  readonly objectKind: string
  /** The options: each field is a parameter of the query. A wrong one is a 400. */
  readonly schema: TSchema
  readonly verbs: readonly ('get' | 'create' | 'update' | 'patch' | 'delete')[]
  /** Only reads: it does not pass admission, which sees all others as CONNECT with the options as object. */
  readonly reads?: boolean
  /** The option that gets the path after the subresource. Only with it are longer paths served, and then with any method. */
  readonly pathOption?: string
  /** Clients may switch to another protocol here, such as WebSocket. Elsewhere a request to switch is ignored. */
  readonly upgrades?: boolean
  /** The user needs the permission for this verb as well, whatever the method. */
  readonly alsoNeedsVerb?: string
  /** Name of the object within the name that the path gives, such as `web` of `https:web:443`. */
  targetName?(name: string): string
  /** Throws for invalid options, before the target is looked up. */
  check?(options: never, name: string): void
  /** Throws if there can be no connection. Without a result the response is 204. */
  connect(
    request: ConnectRequest,
    services: Resolved<N>,
  ): void | ConnectAnswer | ConnectSwitch | Promise<void> | Promise<void | ConnectAnswer | ConnectSwitch>
}

/** The response of a connection: sent as it arrives, as fast as the client reads. */
export interface ConnectAnswer {
  /** `text/plain` by default. */
  readonly contentType?: string
  readonly body: AsyncIterable<Uint8Array | string>
}

/** Switches the connection to another protocol. Only for requests that ask for it. */
export interface ConnectSwitch {
  /** Headers of the answer, which has the status 101. */
  readonly headers: Readonly<Record<string, string>>
  /** Serves the connection, which is closed when this resolves. */
  serve(connection: Duplex): Promise<void>
}

/** A request to switch to another protocol. */
export interface ConnectUpgrade {
  readonly method: string
  /** `upgrade` and the headers that belong to it (`sec-websocket-…`, `x-stream-…`). */
  readonly headers: IncomingHttpHeaders
}

/** A request to a subresource that connects. */
export interface ConnectRequest {
  readonly user: UserInfo
  readonly namespace: string
  /** As the path gives it. */
  readonly name: string
  readonly options: Readonly<Record<string, unknown>>
  /** The stored object, in the storage version. */
  readonly target: ApiObject
  /** Aborted when the client disconnects: close everything that is open for it. */
  readonly signal: AbortSignal
  /** Undefined unless the client asks for another protocol, and the connection allows it. */
  readonly upgrade?: ConnectUpgrade | undefined
}

/** A request to a subresource that is an operation, or to a virtual type. */
export interface ActionRequest {
  readonly user: UserInfo
  readonly namespace: string
  /** Name of the object the path names; empty for a virtual type. */
  readonly name: string
  /** The decoded, defaulted body; undefined for get. */
  readonly body: ApiObject | undefined
  /** The stored object the path names, in the storage version; undefined for a virtual type. */
  readonly target: ApiObject | undefined
  readonly dryRun: boolean
  readonly query: URLSearchParams
  readonly now: number
  warn(text: string): void
  /** Adds an annotation to the audit event of the request. */
  annotate(key: string, value: string): void
  /**
   * Changes the target through the shared write path (validation, conflicts retried). Admission has seen the action itself,
   * under its subresource, and is not asked about the target again.
   * `change` gets the current object and may change it; it may throw an ApiError. `stored` is the object as it is, without what
   * was applied; it must not be changed.
   */
  updateTarget(
    change: (draft: ApiObject, stored: ApiObject) => void | Promise<void>,
    /**
     * `keepsGeneration`: the desired state does not change, even if the spec does. `keepsOwners`: who owns which fields does not
     * change either. `isUpdate`: the changed target must be valid like one that a client updates, and causes the same warnings; without it
     * only the limits that its schema states apply. `unowned`: the path of a field that nobody owns once it changes, because the body of the action does not
     * contain its new value, as a Scale omits 0 replicas.
     */
    options?: {
      readonly keepsGeneration?: boolean
      readonly keepsOwners?: boolean
      readonly isUpdate?: boolean
      readonly unowned?: readonly string[] | undefined
    },
  ): Promise<ApiObject>
  /** Throws a 422 unless these can be the options of a deletion. Call it before anything is changed. */
  checkDeletion(options: Parameters<ActionRequest['deleteTarget']>[0]): void
  /** Deletes the target as if DELETE had been sent and admitted. */
  deleteTarget(options: {
    preconditions?: { uid?: string; resourceVersion?: string }
    gracePeriodSeconds?: number
    propagationPolicy?: string
    orphanDependents?: boolean
    /** A dry run, even if the request itself is not one. */
    dryRun?: boolean
  }): Promise<void>
}
/** Returns the answer without apiVersion and kind; `status` defaults to 201 for create and 200 otherwise. */
export type ActionHandler<N extends Needs = Needs> = (
  request: ActionRequest,
  services: Resolved<N>,
) => Promise<{ object: unknown; status?: number }> | { object: unknown; status?: number }

/** A type without stored objects: an operation (`tokenreviews`), or a view of the current state. */
export interface VirtualDefinition<N extends Needs = Needs> {
  readonly needs?: N
  /** Answers POST, the only verb of an operation. */
  create?: ActionHandler<N>
  /**
   * The objects of this moment, in the storage version. With it the type has the verbs get and list, and no others. `asked` says which ones
   * are requested, empty for all; others may be left out, and are not returned.
   */
  list?(
    services: Resolved<N>,
    asked: { readonly namespace: string; readonly name: string },
  ): ApiObject[] | Promise<ApiObject[]>
  /** Validates the body; the kernel answers 422. */
  validate?(object: never): FieldError[]
}
/** Declares a virtual type, so that `create` knows the services it asked for. */
export const defineVirtual = <const N extends Needs = Record<never, never>>(
  definition: VirtualDefinition<N>,
): VirtualDefinition<N> => definition
