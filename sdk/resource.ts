import type { Column, RowCondition } from './columns.js'
import type { ApiObject } from './meta.js'
import type { Static, TSchema } from './schema.js'
import type { Needs, Resolved } from './services.js'
import type { DeleteStrategy, Strategy } from './strategy.js'
import type { UserInfo } from './user.js'

/** What can be done with the objects of a type. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection'
/** Every verb, in the order of discovery. */
export const allVerbs: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
]

/** One served version of a type. Objects are stored in the version marked `storage` (the only one, if there is one). */
export interface VersionDefinition {
  readonly name: string
  /** A `Kind(...)`: every field of the object but apiVersion and kind. */
  readonly schema: TSchema
  readonly storage?: boolean
  /** Listed in discovery and served unless --runtime-config says otherwise. Alpha versions are off by default. */
  readonly served?: boolean
  /** Fills defaults that depend on other fields; static ones are `default` in the schema. May change `object`. */
  defaults?(object: never): void
  /** From this version to the storage version. Returns a new or the same object, without apiVersion and kind. */
  toStorage?(object: never): unknown
  /** From the storage version to this one. */
  fromStorage?(object: never): unknown
  readonly deprecated?: { readonly warning?: string; readonly removedRelease?: string; readonly replacement?: string }
  /** Protobuf package and message, when they differ from the schema's name. */
  readonly protobuf?: boolean
}

/** A path below an object. */
// biome-ignore lint/suspicious/noExplicitAny: actions with different needs stand in one record
export type SubresourceDefinition = UpdateSubresource | ActionSubresource<any>

/** The same object, written through another strategy (`status`, `approval`, `finalize`). */
export interface UpdateSubresource {
  readonly kind: 'update'
  readonly verbs?: readonly ('get' | 'update' | 'patch')[]
  readonly strategy: Strategy<never>
}

/** An operation with a type of its own (`token`, `binding`, `eviction`, `scale`). */
export interface ActionSubresource<N extends Needs = Needs> {
  readonly kind: 'action'
  readonly needs?: N
  /** Group, version and kind of the body and the answer, when they are not the resource's. */
  readonly group: string
  readonly version: string
  readonly objectKind: string
  /** Versions of the body that are taken as well, because they have the same fields. */
  readonly formerVersions?: readonly string[]
  readonly schema: TSchema
  defaults?(object: never): void
  /** Throws for a create body that is wrong by itself, or for this name: before anybody looks for the target. */
  check?(object: never, name: string): void
  readonly handlers: Partial<Record<'get' | 'create' | 'update', ActionHandler<N>>>
  /** Marks the request as CONNECT for admission instead of CREATE. */
  readonly connect?: boolean
  /** Never write what is sent or answered here to the audit log (tokens). */
  readonly sensitive?: boolean
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
  /**
   * Changes the target through the shared write path (validation, conflicts retried). Admission has seen the action itself,
   * under its subresource, and is not asked about the target again.
   * `change` gets the current object and may change it; it may throw an ApiError.
   */
  updateTarget(change: (draft: ApiObject) => void): Promise<ApiObject>
  /** Deletes the target as if DELETE had been sent and admitted. */
  deleteTarget(options: {
    preconditions?: { uid?: string; resourceVersion?: string }
    gracePeriodSeconds?: number
    propagationPolicy?: string
    orphanDependents?: boolean
    /** Only as if, also when the request itself is no dry run. */
    dryRun?: boolean
  }): Promise<void>
}
/** Returns the answer without apiVersion and kind; `status` defaults to 201 for create and 200 otherwise. */
export type ActionHandler<N extends Needs = Needs> = (
  request: ActionRequest,
  services: Resolved<N>,
) => Promise<{ object: unknown; status?: number }> | { object: unknown; status?: number }

/** A type that stands for an operation: only create, nothing stored (`tokenreviews`). */
export interface VirtualDefinition<N extends Needs = Needs> {
  readonly needs?: N
  create: ActionHandler<N>
  /** Validates the body; the kernel answers 422. */
  validate?(object: never): import('./field-errors.js').FieldError[]
}

/** A write whose permission depends on what is written, not only on where. Objects are in the storage version. */
export interface PermissionRequest<T = ApiObject> {
  readonly user: UserInfo
  readonly operation: 'create' | 'update'
  readonly namespace: string
  /** The name in the path; empty for a POST to the collection. */
  readonly pathName: string
  /** The object as it will be stored. Must not be changed. */
  readonly object: T
  /** The stored object; undefined on create. */
  readonly stored: T | undefined
}

/**
 * May this user write these contents (grant these rights)? It belongs to the type, so no flag turns it off, as
 * --disable-admission-plugins does for admission. Called on create and update of the main path, dry run included, after
 * mutating admission and before validation and the check that the name is free. Throw an ApiError to refuse.
 */
export interface PermissionDefinition<T = ApiObject, N extends Needs = Needs> {
  readonly needs?: N
  review(request: PermissionRequest<T>, services: Resolved<N>): void | Promise<void>
}

/** Declares a permission check: `definePermission<Role>()({ ... })`. */
export const definePermission =
  <T = ApiObject>() =>
  <const N extends Needs = Record<never, never>>(definition: PermissionDefinition<T, N>): PermissionDefinition<T, N> =>
    definition

/** Declares a virtual type, so that `create` knows the services it asked for. */
export const defineVirtual = <const N extends Needs = Record<never, never>>(
  definition: VirtualDefinition<N>,
): VirtualDefinition<N> => definition

/** A resource type: its names, schemas and rules. Everything the API does with it follows from this. */
export interface ResourceDefinition {
  /** API group; empty for the core group. */
  readonly group: string
  /** The group by which failures name the kind, for a type that moved: its clients know it by the one it came from. */
  readonly formerGroup?: string
  readonly kind: string
  /** Plural name in the URL. */
  readonly resource: string
  readonly singular?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly namespaced: boolean
  /** In order of preference. */
  readonly versions: readonly VersionDefinition[]
  readonly strategy?: Strategy<never>
  readonly deletion?: DeleteStrategy<never>
  readonly subresources?: Readonly<Record<string, SubresourceDefinition>>
  /** Fields beyond metadata.name and metadata.namespace that field selectors may use, on the storage version. */
  readonly selectableFields?: Readonly<Record<string, (object: never) => string>>
  readonly columns?: readonly Column<never>[]
  /** Conditions of an object's row in a Table; none by default. The object is in the storage version. */
  readonly rowConditions?: (object: never) => readonly RowCondition[]
  /** Verbs of the main path; all by default. */
  readonly verbs?: readonly Verb[]
  /** How object names are checked; DNS subdomain by default. Returns a text for every broken rule. */
  readonly validateName?: (name: string, isPrefix: boolean) => string[]
  // biome-ignore lint/suspicious/noExplicitAny: types with different needs stand in one list
  readonly virtual?: VirtualDefinition<any>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly permission?: PermissionDefinition<any, any>
  /** Never write this type's contents to the audit log (Secrets, tokens). */
  readonly sensitive?: boolean
  /** May other objects name an object of this type as their owner? Default true. */
  readonly mayOwn?: boolean
  /**
   * The type under which the same objects are stored, when this one only shows them under another group. Both have the same
   * storage version; here it is one that is not served (`served: false`).
   */
  readonly storedAs?: { readonly group: string; readonly resource: string }
}

declare const objectsOf: unique symbol
/** A definition that remembers, for the compiler only, what its objects look like. */
export type TypedResource<T> = ResourceDefinition & { readonly [objectsOf]?: T }

/**
 * Declares a resource type. It is data: the kernel serves every verb for it.
 * The functions inside are typed by the schema through `typedStrategy`-style `satisfies Strategy<T>` at their definition.
 * The schema of the first version types `client.of(definition)`.
 */
export const defineResource = <const V extends readonly VersionDefinition[]>(
  definition: Omit<ResourceDefinition, 'versions'> & { readonly versions: V },
): TypedResource<ObjectOf<V[0]['schema']>> => definition

/** The static type of objects of a schema made with `Kind(...)`. */
export type ObjectOf<S extends TSchema> = Static<S> & { apiVersion?: string; kind?: string }

/** What is registered, for code that works on any type (namespace removal, garbage collection, quotas, discovery). */
export interface ResourceCatalogue {
  all(): readonly ResourceInfo[]
  find(group: string, resource: string): ResourceInfo | undefined
  findKind(group: string, kind: string): ResourceInfo | undefined
}
/** What is known about a type that is served. */
export interface ResourceInfo {
  readonly group: string
  readonly kind: string
  readonly resource: string
  readonly namespaced: boolean
  readonly virtual: boolean
  readonly verbs: readonly Verb[]
  /** The preferred served version. */
  readonly version: string
  readonly servedVersions: readonly string[]
  readonly subresources: readonly string[]
}
