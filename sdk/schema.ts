import {
  type Static,
  type TArray,
  type TObject,
  type TOptional,
  type TProperties,
  type TRecord,
  type TSchema,
  type TString,
  type TUnsafe,
  Type,
} from '@sinclair/typebox'

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

/** What a field says about itself beside its type. */
export interface FieldMarkers {
  /** Protobuf field number. */
  proto?: number
  /** Number of the Protobuf message this field is wrapped in, when JSON inlines what Protobuf nests. */
  protoIn?: number
  presence?: Presence
  /** Of a field that is always written: null instead of the zero value when unset (a Go pointer without omitempty). */
  nullable?: boolean
  description?: string
  default?: unknown
}

/** How two versions of a list merge. */
export interface ListMarkers {
  listType?: 'atomic' | 'set' | 'map'
  listMapKeys?: string[]
  /** Strategic merge: `merge` merges by `patchMergeKey` (or as a set of scalars), `replace` replaces. */
  patchStrategy?: 'merge' | 'replace' | 'retainKeys' | 'merge,retainKeys'
  patchMergeKey?: string
}

/** A named struct. The name (`core.v1.KeyToPath`) becomes its OpenAPI definition; `mapType: 'atomic'` makes it one unit for apply. */
export function Struct<P extends TProperties>(
  name: string,
  fields: P,
  markers: { mapType?: 'atomic' | 'granular'; description?: string } = {},
): TObject<P> {
  return Type.Object(fields, { typeName: name, ...markers })
}

/** An optional field with its Protobuf number. */
export const field = <S extends TSchema>(
  proto: number,
  schema: S,
  markers: Omit<FieldMarkers, 'proto'> & ListMarkers = {},
): TOptional<S> => Type.Optional({ ...schema, proto, ...markers } as S) as TOptional<S>

/** A field whose empty value is kept, because its presence means something. */
export const kept = <S extends TSchema>(
  proto: number,
  schema: S,
  markers: Omit<FieldMarkers, 'proto' | 'presence'> & ListMarkers = {},
): TOptional<S> => field(proto, schema, { presence: 'keep', ...markers })

/** A required field: always written, listed as required in OpenAPI. Being non-empty is the business of validation. */
export const needed = <S extends TSchema>(
  proto: number,
  schema: S,
  markers: Omit<FieldMarkers, 'proto' | 'presence'> & ListMarkers = {},
): S => ({ ...schema, proto, presence: 'always', ...markers }) as S

/** An optional field that is always written (an embedded struct: `spec: {}`). */
export const embedded = <S extends TSchema>(
  proto: number,
  schema: S,
  markers: Omit<FieldMarkers, 'proto' | 'presence'> = {},
): TOptional<S> => field(proto, schema, { presence: 'always', ...markers })

/** The fields of a struct that JSON inlines into its parent while Protobuf nests it as field `proto`. */
export function inlined<P extends TProperties>(proto: number, struct: TObject<P>): P {
  return Object.fromEntries(
    Object.entries(struct.properties).map(([name, schema]) => [name, { ...schema, protoIn: proto }]),
  ) as unknown as P
}

/** A string, with limits and a default if you like. */
export const Text = (
  options: {
    pattern?: string
    minLength?: number
    maxLength?: number
    enum?: string[]
    default?: string
    description?: string
  } = {},
): TString => Type.String(options)
/** True or false. */
export const Flag = (options: { default?: boolean; description?: string } = {}) => Type.Boolean(options)
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
/** Any JSON value, kept as it is and treated as one unit. A name makes it an OpenAPI definition of its own. */
export const Raw = (typeName?: string): TUnsafe<unknown> =>
  Type.Unsafe<unknown>({ scalar: 'raw', ...(typeName === undefined ? {} : { typeName }) })
/** An object nothing is known about: kept as it is, keys act as granular fields, lists are atomic. */
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
