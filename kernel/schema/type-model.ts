import type { TSchema } from 'orch/sdk'
import type { FieldMarkers, ListMarkers, Presence, WireForms } from 'orch/sdk/host'
import { type Derivable, once } from './derive.js'

/**
 * A schema as its consumers see it: decoding, defaulting, apply, strategic merge, Protobuf and OpenAPI all walk this tree
 * instead of raw JSON Schema. Built once per type at boot.
 */
export type TypeNode = StructNode | MapNode | ListNode | ScalarNode | UnstructuredNode

export interface StructNode extends Derivable {
  readonly is: 'struct'
  /** `core.v1.KeyToPath`; empty for an anonymous struct. */
  readonly name: string
  readonly fields: ReadonlyMap<string, FieldNode>
  /** The whole struct is one unit for apply. */
  readonly atomic: boolean
  /** The type of unknown fields, if they are kept. */
  readonly rest: TypeNode | undefined
  readonly schema: TSchema
}
export interface FieldNode {
  readonly name: string
  readonly node: TypeNode
  readonly proto: number | undefined
  readonly protoIn: readonly number[] | undefined
  readonly presence: Presence
  readonly required: boolean
  /** Written as null, not as its zero value, when it is unset and always written. */
  readonly nullable: boolean
  readonly default: unknown
  /** The field's own schema, for descriptions and constraints. */
  readonly schema: TSchema
}
export interface MapNode extends Derivable {
  readonly is: 'map'
  readonly value: TypeNode
  readonly atomic: boolean
  readonly schema: TSchema
}
export interface ListNode extends Derivable {
  readonly is: 'list'
  readonly item: TypeNode
  readonly listType: 'atomic' | 'set' | 'map'
  /** Fields that identify an item of a map list. */
  readonly keys: readonly string[]
  readonly patchStrategy: NonNullable<ListMarkers['patchStrategy']>
  readonly patchMergeKey: string | undefined
  readonly schema: TSchema
}
export type ScalarKind =
  | 'string'
  | 'boolean'
  | 'int32'
  | 'int64'
  | 'double'
  | 'bytes'
  | 'time'
  | 'microTime'
  | 'quantity'
  | 'intOrString'
  | 'raw'
export interface ScalarNode extends Derivable {
  readonly is: 'scalar'
  readonly scalar: ScalarKind
  /** How a raw value of several forms is written in Protobuf. */
  readonly forms?: WireFormNodes
  readonly schema: TSchema
}
/** See `WireForms`. */
export interface WireFormNodes {
  readonly bool: number | undefined
  readonly object: { readonly number: number; readonly node: TypeNode }
  readonly list: { readonly number: number; readonly node: TypeNode } | undefined
}
export interface UnstructuredNode extends Derivable {
  readonly is: 'unstructured'
  readonly schema: TSchema
  /** The depth below the outermost unstructured value; 0 by default. */
  readonly level?: number
}

type Marked = TSchema & FieldMarkers & ListMarkers & { typeName?: string; mapType?: 'atomic' | 'granular' }

const formats: Readonly<Record<string, ScalarKind>> = {
  byte: 'bytes',
  'date-time': 'time',
  'micro-time': 'microTime',
}

/** Builds the model of a schema. Structs that share a schema object share a node. */
export function buildTypeModel(schema: TSchema): TypeNode {
  const structs = new Map<object, StructNode>()
  return toNode(schema as Marked, structs)
}

function toNode(schema: Marked, structs: Map<object, StructNode>): TypeNode {
  if (schema['scalar'] === 'unstructured') return { is: 'unstructured', schema }
  if (schema['scalar'] !== undefined) return scalarNode(schema, structs)
  switch (schema['type']) {
    case 'object':
      return schema['patternProperties'] === undefined && schema['properties'] !== undefined
        ? structNode(schema, structs)
        : mapNode(schema, structs)
    case 'array':
      return listNode(schema, structs)
    case 'string':
      return { is: 'scalar', scalar: formats[String(schema['format'] ?? '')] ?? 'string', schema }
    case 'boolean':
      return { is: 'scalar', scalar: 'boolean', schema }
    case 'integer':
      return { is: 'scalar', scalar: schema['format'] === 'int64' ? 'int64' : 'int32', schema }
    case 'number':
      return { is: 'scalar', scalar: 'double', schema }
    default:
      return unionNode(schema)
  }
}

function scalarNode(schema: Marked, structs: Map<object, StructNode>): ScalarNode {
  const scalar = schema['scalar'] as ScalarKind
  const forms = schema['wireForms'] as WireForms | undefined
  if (forms === undefined) return { is: 'scalar', scalar, schema }
  const { bool, object, list } = forms
  const node = ({ number, of }: WireForms['object']) => ({ number, node: toNode(of as Marked, structs) })
  return { is: 'scalar', scalar, schema, forms: { bool, object: node(object), list: list && node(list) } }
}

/** A union of string literals is a string with an enum; any other union is raw. */
function unionNode(schema: Marked): TypeNode {
  const options = schema['anyOf'] as readonly TSchema[] | undefined
  const isText = (option: TSchema) => option['type'] === 'string' || typeof option['const'] === 'string'
  if (options?.every(isText) || typeof schema['const'] === 'string') return { is: 'scalar', scalar: 'string', schema }
  return { is: 'scalar', scalar: 'raw', schema }
}

function structNode(schema: Marked, structs: Map<object, StructNode>): StructNode {
  // Field markers are spread over copies of a struct's schema, so the shared `properties` object identifies it.
  const identity = schema['properties'] as object
  const known = structs.get(identity)
  const atomic = schema.mapType === 'atomic' && schema.isGranular !== true
  if (known && known.atomic === atomic) return known
  const fields = new Map<string, FieldNode>()
  const node: StructNode = {
    is: 'struct',
    name: schema.typeName ?? '',
    fields,
    atomic,
    rest: schema['keepsUnknownFields'] === true ? { is: 'unstructured', schema } : undefined,
    schema,
  }
  structs.set(identity, node)
  const required = new Set((schema['required'] as string[] | undefined) ?? [])
  for (const [name, fieldSchema] of Object.entries(schema['properties'] as Record<string, Marked>)) {
    fields.set(name, {
      name,
      node: toNode(fieldSchema, structs),
      proto: fieldSchema.proto,
      protoIn: fieldSchema.protoIn,
      presence: fieldSchema.presence ?? (required.has(name) ? 'always' : 'drop'),
      required: fieldSchema.isRequired ?? required.has(name),
      nullable: fieldSchema.nullable ?? false,
      default: fieldSchema.default,
      schema: fieldSchema,
    })
  }
  return node
}

function mapNode(schema: Marked, structs: Map<object, StructNode>): TypeNode {
  const patterns = schema['patternProperties'] as Record<string, Marked> | undefined
  const value = patterns ? Object.values(patterns)[0] : undefined
  if (!value) return { is: 'unstructured', schema }
  return { is: 'map', value: toNode(value, structs), atomic: schema.mapType === 'atomic', schema }
}

function listNode(schema: Marked, structs: Map<object, StructNode>): ListNode {
  const item = toNode(schema['items'] as Marked, structs)
  // Without a listType, a list that merges strategically is a map list (or a set of scalars).
  const merges = schema.patchStrategy?.startsWith('merge') ?? false
  const fallback = !merges ? 'atomic' : schema.patchMergeKey !== undefined ? 'map' : 'set'
  const listType = schema.listType ?? fallback
  return {
    is: 'list',
    item,
    listType,
    keys: listType !== 'map' ? [] : (schema.listMapKeys ?? [schema.patchMergeKey ?? 'name']),
    patchStrategy: schema.patchStrategy ?? 'replace',
    patchMergeKey: schema.patchMergeKey,
    schema,
  }
}

/**
 * The depth to which fields of unstructured values are owned individually. Values may nest fifty times deeper; below this level
 * they are one unit, so that sets of fields stay small and can be walked recursively.
 */
export const ownedLevels = 200

/** The type of the values inside an unstructured value. */
export const insideUnstructured = ({ level = 0 }: UnstructuredNode): UnstructuredNode =>
  unstructuredByLevel()[Math.min(level + 1, ownedLevels)]!
const unstructuredByLevel = once(() =>
  Array.from(
    { length: ownedLevels + 1 },
    (_, level): UnstructuredNode => ({ is: 'unstructured', schema: {} as TSchema, level }),
  ),
)

/** Whether a list, map or struct is one unit, owned and changed as a whole. */
export function isAtomic(node: TypeNode): boolean {
  if (node.is === 'list') return node.listType === 'atomic'
  if (node.is === 'unstructured') return node.level === ownedLevels
  return (node.is === 'struct' || node.is === 'map') && node.atomic
}
