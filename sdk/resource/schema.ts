import {
  type Static,
  type TArray,
  type TBoolean,
  type TInteger,
  type TLiteral,
  type TNumber,
  type TObject,
  type TOptional,
  type TProperties,
  type TRecord,
  type TSchema,
  type TString,
  type TUnion,
  type TUnsafe,
  Type,
} from '@sinclair/typebox'
import type { Lifespan, VersionName } from '../plugin/level.js'

/** Types that the declarations of compiled plugins refer to. */
export type {
  TArray,
  TBoolean,
  TInteger,
  TLiteral,
  TNumber,
  TObject,
  TOptional,
  TProperties,
  TRecord,
  TString,
  TUnion,
  TUnsafe,
}
/**
 * The one description of a type. TypeBox gives the structure and the static type; the markers below say the rest:
 * how lists and maps merge, which Protobuf number a field has, and what an empty value means. Every consumer
 * (decoding, defaulting, apply, strategic merge, Protobuf, OpenAPI, generators) is derived from it.
 */
export { type Static, type TSchema, Type }

/**
 * What happens to an empty value when an object is read in:
 * - `drop` (the usual): `""`, `0`, `false`, `[]` and `{}` of a map mean "not set" and disappear;
 * - `keep`: presence means something, so an explicit empty value stays (optional booleans, numbers that may be 0);
 * - `always`: the field is always written, with its zero value if nobody set it (required fields, embedded structs).
 */
export type Presence = 'drop' | 'keep' | 'always'

/** Markers of a field, besides its type. Without `since` and `until` every version has it. */
export interface FieldMarkers extends Lifespan {
  /** Protobuf field number. */
  proto?: number
  /** Number of the Protobuf message this field is wrapped in, when JSON inlines what Protobuf nests. */
  protoIn?: readonly number[]
  presence?: Presence
  /** Of a field that is always written: null instead of the zero value when unset (a Go pointer without omitempty). */
  nullable?: boolean
  description?: string
  default?: unknown
  /** The gate without which the field is dropped from what is written, unless the stored object has it already. */
  gate?: string
  /** Without its gate the field is dropped from new objects only: updates are judged by the rules for the field. */
  gateAppliesTo?: 'create'
  /** Is the struct removed when the last of its fields is dropped because its gate is off? */
  dropsEmptyParent?: boolean
  /** Are gated fields of this struct stored although their gate is off? Gates further below count. */
  keepsGatedFields?: boolean
  /** Do OpenAPI documents list it as required? By default if the schema requires it. */
  isRequired?: boolean
  /** Is the struct merged field by field here, although it is one unit for apply elsewhere? */
  isGranular?: boolean
  /** `atomic`: the struct is one unit for apply. Here for structs that became so in some version; others say it themselves. */
  mapType?: 'atomic'
  /** Markers that change from a version on. */
  revised?: readonly FieldRevision[]
}

/** Markers and limits of a field that changed in a version. `additive`: servers that follow the specification have it, too. */
export interface FieldRevision {
  readonly since: VersionName
  readonly additive?: boolean
  /** Another struct, when it is of another type from then on. */
  readonly schema?: TSchema
  readonly to?: Readonly<
    Omit<FieldMarkers, 'since' | 'until' | 'revised'> & ListMarkers & { enum?: readonly string[]; typeName?: string }
  >
}

/** How two versions of a list merge. */
export interface ListMarkers {
  listType?: 'atomic' | 'set' | 'map'
  listMapKeys?: string[]
  /** Strategic merge: `merge` merges by `patchMergeKey` (or as a set of scalars), `replace` replaces. */
  patchStrategy?: 'merge' | 'replace' | 'retainKeys' | 'merge,retainKeys'
  patchMergeKey?: string
  /**
   * Must items differ, those of a `set` by value and those of a `map` by their keys? Otherwise that is up to the strategy, as it is for
   * most types of Kubernetes. In a CustomResourceDefinition they always must.
   */
  distinct?: boolean
}

/** A union: one field (the discriminator) says which of the others is set. The names of these, by its values. */
export interface UnionMarker {
  readonly discriminator: string
  readonly fields: Readonly<Record<string, string>>
}

/** A named struct. The name (`core.v1.KeyToPath`) becomes its OpenAPI definition; `mapType: 'atomic'` makes it one unit for apply. */
export function Struct<P extends TProperties>(
  name: string,
  fields: P,
  markers: { mapType?: 'atomic' | 'granular'; description?: string; union?: UnionMarker } = {},
): TObject<P> {
  return Type.Object(fields, { typeName: name, ...markers })
}

/** The description of a field, in one or two sentences for `explain`; or that and further markers. */
type About<M> = string | M
const markersOf = <M extends object>(about: About<M>): M =>
  typeof about === 'string' ? ({ description: about } as M) : about

/** An optional field with its Protobuf number. */
export const field = <S extends TSchema>(
  proto: number,
  schema: S,
  about: About<Omit<FieldMarkers, 'proto'> & ListMarkers> = {},
): TOptional<S> => Type.Optional({ ...schema, proto, ...markersOf(about) } as S) as TOptional<S>

/** The Protobuf number of a field that only JSON has. */
export const notOnTheWire = -1
/** An optional field that only JSON has: it is not sent in Protobuf, and the server fills it. */
export const jsonOnly = <S extends TSchema>(schema: S, about: string): TOptional<S> =>
  field(notOnTheWire, schema, about)

/** A field whose empty value is kept, because its presence means something. */
export const kept = <S extends TSchema>(
  proto: number,
  schema: S,
  about: About<Omit<FieldMarkers, 'proto' | 'presence'> & ListMarkers> = {},
): TOptional<S> => field(proto, schema, { presence: 'keep', ...markersOf(about) })

/** A required field: always written, listed as required in OpenAPI. Validation has to check that it is not empty. */
export const required = <S extends TSchema>(
  proto: number,
  schema: S,
  about: About<Omit<FieldMarkers, 'proto' | 'presence'> & ListMarkers> = {},
): S => ({ ...schema, proto, presence: 'always', ...markersOf(about) }) as S

/** A struct that clients may omit and that is always there when an object is read. */
export type TEmbedded<S extends TSchema> = TOptional<S> & { readonly presence: 'always' }
/** An optional field that is always written (an embedded struct: `spec: {}`). */
export function embedded<P extends TProperties>(
  proto: number,
  schema: TObject<P>,
  about?: About<Omit<FieldMarkers, 'proto' | 'presence' | 'nullable'> & { nullable?: false }>,
): TEmbedded<TObject<P>>
export function embedded<S extends TSchema>(
  proto: number,
  schema: S,
  about?: About<Omit<FieldMarkers, 'proto' | 'presence'>>,
): TOptional<S>
export function embedded<S extends TSchema>(
  proto: number,
  schema: S,
  about: About<Omit<FieldMarkers, 'proto' | 'presence'>> = {},
): TOptional<S> {
  return field(proto, schema, { presence: 'always', ...markersOf(about) })
}

/** The fields of a struct that JSON inlines into its parent while Protobuf nests it as field `proto`. */
export function inlined<P extends TProperties>(proto: number, struct: TObject<P>): P {
  return Object.fromEntries(
    Object.entries(struct.properties).map(([name, schema]) => [
      name,
      { ...schema, protoIn: [proto, ...((schema as FieldMarkers).protoIn ?? [])] },
    ]),
  ) as unknown as P
}

/** Limits of a string. */
export interface TextOptions<V extends string = string> {
  pattern?: string
  minLength?: number
  maxLength?: number
  enum?: readonly V[]
  default?: V
  description?: string
}
/** A string, optionally with limits and a default. One with an enum is typed by its values. */
export function Text<const V extends string>(options: TextOptions<V> & { enum: readonly V[] }): TUnsafe<V>
export function Text(options?: TextOptions): TString
export function Text(options: TextOptions = {}): TSchema {
  return Type.String(options as object)
}
/** True or false. */
export const Bool = (options: { default?: boolean; description?: string } = {}) => Type.Boolean(options)
/** A whole number of 32 bits. */
export const Int32 = (options: { minimum?: number; maximum?: number; default?: number; description?: string } = {}) =>
  Type.Integer({ format: 'int32', ...options })
/** A whole number of 64 bits; those beyond 2^53 are refused. */
export const Int64 = (options: { minimum?: number; maximum?: number; default?: number; description?: string } = {}) =>
  Type.Integer({ format: 'int64', ...options })
/** A floating-point number. */
export const Double = () => Type.Number({ format: 'double' })
/** Bytes, base64 in JSON. */
export const Bytes = () => Type.String({ format: 'byte' })
/** RFC 3339 with seconds. */
export const Time = () => Type.String({ format: 'date-time' })
/** RFC 3339 with microseconds. */
export const MicroTime = () => Type.String({ format: 'micro-time' })
/** A quantity such as `500m`, `1Gi`; written in its canonical form. JSON numbers are accepted. */
export const Quantity = (): TUnsafe<string> => Type.Unsafe<string>({ scalar: 'quantity' })
/** A number or a string, such as a port. */
export const IntOrString = (): TUnsafe<number | string> => Type.Unsafe<number | string>({ scalar: 'intOrString' })
/** The fields of the message that stands for a value of one of several forms in Protobuf: one for each form, and its number. */
export interface WireForms {
  /** `true` and `false`. If it is set, it is also written, as true, along with an object. */
  readonly bool?: number
  /** An object, of this type. */
  readonly object: { readonly number: number; readonly of: TSchema }
  /** Items of a list, of this type. */
  readonly list?: { readonly number: number; readonly of: TSchema }
}
/**
 * Any JSON value, kept as it is and treated as one unit. A name makes it an OpenAPI definition of its own. Where the plugin accepts only
 * some values (see `VersionDefinition.decoded`), `examples` has some of them for tests, and `wireForms` says how these are written in
 * Protobuf, if not as a message with the text of the JSON.
 */
export const Raw = (typeName?: string, examples?: readonly unknown[], wireForms?: WireForms): TUnsafe<unknown> =>
  Type.Unsafe<unknown>({
    scalar: 'raw',
    ...(typeName === undefined ? {} : { typeName }),
    ...(examples === undefined ? {} : { examples }),
    ...(wireForms === undefined ? {} : { wireForms }),
  })
/** An object of unknown structure: kept as it is, keys act as granular fields, lists are atomic. */
export const Unstructured = (): TUnsafe<Record<string, unknown>> =>
  Type.Unsafe<Record<string, unknown>>({ scalar: 'unstructured' })

/** A list; markers say how it merges. Without any it is replaced whole. */
export const ListOf = <S extends TSchema>(
  item: S,
  markers: ListMarkers & { description?: string; minItems?: number; maxItems?: number } = {},
): TArray<S> => Type.Array(item, markers)
/** A list whose items are identified by the given scalar fields. */
export const MapList = <S extends TSchema>(item: S, ...keys: string[]): TArray<S> =>
  Type.Array(item, { listType: 'map', listMapKeys: keys })
/** A list whose items one field identifies, when they are applied and in strategic merge patches. */
export const KeyedList = <S extends TSchema>(item: S, key: string): TArray<S> =>
  ListOf(item, { listType: 'map', listMapKeys: [key], patchStrategy: 'merge', patchMergeKey: key })
/** A list that is replaced whole. */
export const AtomicList = <S extends TSchema>(item: S): TArray<S> => Type.Array(item, { listType: 'atomic' })
/** A list of different values that merges by value. */
export const SetList = <S extends TSchema>(item: S): TArray<S> => Type.Array(item, { listType: 'set' })
/** A map from text to values of one schema. */
export const MapOf = <S extends TSchema>(
  value: S,
  markers: { mapType?: 'atomic' | 'granular' } = {},
): TRecord<TString, S> => Type.Record(Type.String(), value, markers)
/** A map from text to text. */
export const StringMap = (markers: { mapType?: 'atomic' | 'granular' } = {}) => MapOf(Type.String(), markers)
