import type { IsGateEnabled } from '../plugin/gates.js'
import type { Lifespan, ServedLevel } from '../plugin/level.js'
import type { PermissionDefinition } from '../plugin/permission.js'
import type { Needs, Resolved } from '../plugin/service-token.js'
import type { Column, RowCondition } from './columns.js'
import type { ApiObject } from './meta.js'
import type { Static, TEmbedded, TObject, TProperties, TSchema } from './schema.js'
import type { DeleteStrategy, Strategy } from './strategy.js'
import type { SubresourceDefinition, VirtualDefinition } from './subresources.js'

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

/**
 * Since when a version is deprecated, and what to use instead. The kernel derives the warning from it: `batch/v1beta1 CronJob is deprecated
 * in v1.21+, …`.
 */
export interface Deprecation {
  /** The release that deprecated it: `1.21`. */
  readonly since?: string
  /** The release that no longer serves it: `1.25`. */
  readonly removedRelease?: string
  /** What to use instead: `batch/v1`, or `other/v1 Kind` if the kind has another name there. */
  readonly replacement?: string
  /** A text of its own. */
  readonly warning?: string
}

/** One served version of a type. Objects are stored in the version marked `storage` (the only one, if there is one). */
export interface VersionDefinition extends Lifespan {
  readonly name: string
  /** A `Kind(...)`: every field of the object but apiVersion and kind. */
  readonly schema: TSchema
  readonly storage?: boolean
  /** Listed in discovery and served unless --runtime-config says otherwise. Alpha versions are off by default; `never` is final. */
  readonly served?: boolean | 'never'
  /**
   * Decodes what the schema does not describe. Called with every object right after it was decoded; may change it. Throws `badRequest` for
   * something that is not an object of the type.
   */
  decoded?(object: never): void
  /**
   * Fills defaults that depend on other fields, on the version that is served, or on a feature gate; static ones are `default` in the
   * schema. May change `object`.
   */
  defaults?(object: never, level: ServedLevel, isEnabled: IsGateEnabled): void
  /** From this version to the storage version. Returns a new or the same object, without apiVersion and kind. */
  toStorage?(object: never): unknown
  /** From the storage version to this one. */
  fromStorage?(object: never): unknown
  readonly deprecated?: Deprecation
  /** The propagation policy of deletions in this version for which the client names none, if it differs from that of the type. */
  readonly defaultPropagation?: 'Background' | 'Orphan'
  /** Whether objects are also served as Protobuf; by default where the schema has numbers. */
  readonly protobuf?: boolean
  /**
   * Identifies how the schema transforms an object when it is stored. Objects that were stored under another identifier are decoded,
   * defaulted and normalized again when they are read. For types whose schema changes while their version keeps its name.
   */
  readonly storedForm?: string
  /** Columns of a Table in this version, if they differ from those of the type. */
  readonly columns?: readonly Column<never>[]
  /** Subresources in this version, if they differ from those of the type. */
  readonly subresources?: Readonly<Record<string, SubresourceDefinition>>
  /** How values are processed, if the schema does not say it in TypeBox. */
  readonly values?: ValueRules
  /** Fields that field selectors of this version may use instead of those of the type, read from an object of this version. */
  readonly selectableFields?: Readonly<Record<string, (object: never) => string>>
}

/**
 * How a schema that is data processes objects. It replaces what the kernel would derive from `schema`, which is then used for documents and
 * apply only. Metadata arrives decoded: the kernel handles it.
 */
export interface ValueRules {
  /**
   * A copy of what was sent, without unknown fields. `unknownField` is called with the path of each, and `countItems` with the number of
   * items of every list and map; it throws when there are too many in total. May throw an ApiError.
   */
  prune(
    sent: Readonly<Record<string, unknown>>,
    unknownField: ((path: string) => void) | undefined,
    countItems?: (items: number) => void,
  ): Record<string, unknown>
  /** Fills in defaults, in place. */
  fillDefaults(object: ApiObject): void
}

/** Converts objects from one version to another, both by name. Throws when it cannot; then nothing is answered or stored. */
export type ConvertObjects = (objects: readonly ApiObject[], from: string, to: string) => Promise<readonly ApiObject[]>

/** What a type does when an object of it is gone: by DELETE, or with its last finalizer. */
export interface RemovalHook<T = ApiObject, N extends Needs = Needs> {
  readonly needs?: N
  /**
   * Called after the object left the store and before its remover is answered; never in a dry run. It must be quick, and what
   * it does must be harmless when done twice. A throw fails the request, though the object is gone.
   */
  run(object: T, services: Resolved<N>): void | Promise<void>
}
/** Declares what follows a removal: `defineRemovalHook<Service>()({ ... })`. */
export const defineRemovalHook =
  <T = ApiObject>() =>
  <const N extends Needs = Record<never, never>>(hook: RemovalHook<T, N>): RemovalHook<T, N> =>
    hook

/** What a type does when an object of it was stored. */
export interface WriteHook<T = ApiObject, N extends Needs = Needs> {
  readonly needs?: N
  /**
   * Called after the object was stored and before its writer is answered; never in a dry run. It must be quick, and what it does
   * must be harmless when done twice. A throw fails the request, though the object is stored. `before` is undefined for a new one.
   */
  run(object: T, before: T | undefined, services: Resolved<N>): void | Promise<void>
}
/** Declares what follows a write: `defineWriteHook<Service>()({ ... })`. */
export const defineWriteHook =
  <T = ApiObject>() =>
  <const N extends Needs = Record<never, never>>(hook: WriteHook<T, N>): WriteHook<T, N> =>
    hook

/** A resource type: its names, schemas and rules. Everything the API does with it follows from this. */
export interface ResourceDefinition extends Lifespan {
  /** API group; empty for the core group. */
  readonly group: string
  /** The group of the kind in error messages, for a type that moved: clients know it by its former group. */
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
  /**
   * How objects get from one version to another when no version has `toStorage` and `fromStorage`. `none`: they are the same in
   * all of them. A function converts them outside of this process, many at once. Either way a request works in the version it was
   * sent in: strategies, admission and validation see objects of that version instead of the storage version.
   */
  readonly conversion?: 'none' | ConvertObjects
  readonly strategy?: Strategy<never>
  readonly deletion?: DeleteStrategy<never>
  readonly subresources?: Readonly<Record<string, SubresourceDefinition>>
  /**
   * Fields beyond metadata.name and metadata.namespace that field selectors may use, on the storage version. A version may offer
   * fewer of them, or others if its objects are converted.
   */
  readonly selectableFields?: Readonly<Record<string, (object: never) => string>>
  readonly columns?: readonly Column<never>[]
  /** Conditions of an object's row in a Table; none by default. The object is in the storage version. */
  readonly rowConditions?: (object: never) => readonly RowCondition[]
  /**
   * Objects without a type in any program, such as custom resources: clients treat them as data, and are answered as they expect it. No
   * Protobuf and no strategic merge patches; items of lists carry apiVersion and kind; discovery includes the singular name; a kind that
   * does not match is a 422, an unknown subresource a 404 of the object, any other unknown path a plain 404 page.
   */
  readonly unstructured?: boolean
  /** Must objects of such a type state their kind and version, although the path has them, too? */
  readonly namesItself?: boolean
  /** May finalizers do without a domain? By default only those that the server itself knows. */
  readonly plainFinalizers?: boolean
  /** Kind of a list, if it is not the kind followed by `List`. */
  readonly listKind?: string
  /** Verbs of the main path; all by default. */
  readonly verbs?: readonly Verb[]
  /** How object names are checked; DNS subdomain by default. Returns a text for every broken rule. */
  readonly validateName?: (name: string, isPrefix: boolean) => string[]
  // biome-ignore lint/suspicious/noExplicitAny: types with different needs stand in one list
  readonly virtual?: VirtualDefinition<any>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly permission?: PermissionDefinition<any, any>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly afterRemoval?: RemovalHook<any, any>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly afterWrite?: WriteHook<any, any>
  /** Never write this type's contents to the audit log (Secrets, tokens). */
  readonly sensitive?: boolean
  /**
   * Fields of the storage version whose change raises metadata.generation, which begins at 1: `['spec']` by default, where
   * the schema has one. `false` leaves generations to the strategy; unless it counts them, objects have none.
   */
  readonly generation?: readonly string[] | false
  /** May other objects name an object of this type as their owner? Default true. */
  readonly mayOwn?: boolean
  /**
   * Names that no other object of this type may have at the same time, such as addresses. Servers that share a store cannot give
   * one away twice: it is taken in the transaction that stores the object. The object is in the storage version.
   */
  readonly exclusiveNames?: (object: never) => readonly string[]
  /**
   * The type under which the same objects are stored, when this one only shows them under another group. Both have the same
   * storage version; here it is one that is not served (`served: false`).
   */
  readonly storedAs?: { readonly group: string; readonly resource: string }
}

declare const objectsOf: unique symbol
/** A definition with the static types of its objects, for the compiler only: as they are read, and as they may be sent. */
export type TypedResource<T, Sent = T> = ResourceDefinition & { readonly [objectsOf]?: [T, Sent] }

/**
 * Declares a resource type. It is data: the kernel serves every verb for it. The functions inside are typed by the schema through
 * `satisfies Strategy<T>` where they are defined. The schema of the first version types `client.of(definition)`.
 */
export const defineResource = <const V extends readonly VersionDefinition[]>(
  definition: Omit<ResourceDefinition, 'versions'> & { readonly versions: V },
): TypedResource<ObjectOf<V[0]['schema']>, SentObjectOf<V[0]['schema']>> => definition

/** What clients may send of a schema made with `Kind(...)`: embedded structs may be left out. */
export type SentObjectOf<S extends TSchema> = Static<S> & { apiVersion?: string; kind?: string }
/** The static type of objects of a schema made with `Kind(...)`, as they are read: embedded structs are there. */
export type ObjectOf<S extends TSchema> = SentObjectOf<S> & (S extends TObject<infer P> ? EmbeddedIn<P> : unknown)
type EmbeddedIn<P extends TProperties> = {
  [F in keyof P as P[F] extends TEmbedded<infer _> ? F : never]: Static<P[F]>
}

/** What is registered, for code that works on any type (namespace removal, garbage collection, quotas, discovery). */
export interface ResourceCatalogue {
  all(): readonly ResourceInfo[]
  find(group: string, resource: string): ResourceInfo | undefined
  findKind(group: string, kind: string): ResourceInfo | undefined
  /** Calls back after types were added, replaced or removed; returns a function that stops it. */
  onChange(listener: (change: CatalogueChange) => void): () => void
  /** Versions (`group/version`) of extension servers whose discovery is unavailable: there may be more types than these. */
  readonly unavailable?: readonly string[]
  /**
   * Does the store hold objects of this type that belong to a plugin which is not loaded? Then nobody else may define a type of that name:
   * its users would get access to objects that were not written for them.
   */
  isLeftBehind?(group: string, resource: string): boolean
}
/** Types that were added and removed; one that was replaced is in both lists. Process only these: a server may have thousands of types. */
export interface CatalogueChange {
  readonly added: readonly ResourceInfo[]
  readonly removed: readonly ResourceInfo[]
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
  /** Does an object of a type source describe it, and not a plugin? Undefined where the type is known by discovery only. */
  readonly isDescribed?: boolean
}
