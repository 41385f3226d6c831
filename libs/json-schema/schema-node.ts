import { isObject, type JsonObject } from '../json/index.js'
import { LazyNodes } from './lazy-nodes.js'

/** A schema as it is sent. */
export type JsonSchema = JsonObject

/** The names of the keywords that JSON schema does not have. */
export interface SchemaKeywords {
  readonly preserveUnknownFields: string
  readonly embeddedResource: string
  readonly intOrString: string
  readonly listMapKeys: string
  readonly listType: string
  readonly mapType: string
  readonly validations: string
}

/** A rule in CEL. */
export interface SchemaRule {
  readonly rule: string
  readonly message?: string
  /** Makes the message from the value. */
  readonly messageExpression?: string
  /** The reason of the error; `FieldValueInvalid` by default. */
  readonly reason?: string
  /** JSON path of the field that the error is about, relative to the value. */
  readonly fieldPath?: string
  /** Whether `oldSelf` is an optional value, so that the rule also applies when there is no old value. */
  readonly optionalOldSelf?: boolean
}

/** A parsed schema: vendor-specific keywords have neutral names, and subschemas are nodes. */
export interface SchemaNode {
  readonly type: string
  readonly format: string
  readonly nullable: boolean
  /** Undefined if there is none; a default is never null. */
  readonly default: unknown
  readonly properties: ReadonlyMap<string, SchemaNode>
  readonly additionalProperties: SchemaNode | boolean | undefined
  readonly items: SchemaNode | readonly SchemaNode[] | undefined
  readonly required: readonly string[]
  readonly allOf: readonly SchemaNode[]
  readonly anyOf: readonly SchemaNode[]
  readonly oneOf: readonly SchemaNode[]
  readonly not: SchemaNode | undefined
  readonly preserveUnknownFields: boolean | undefined
  readonly embeddedResource: boolean
  readonly intOrString: boolean
  readonly listType: string | undefined
  readonly listMapKeys: readonly string[]
  readonly mapType: string | undefined
  readonly rules: readonly SchemaRule[]
  readonly maximum: number | undefined
  readonly minimum: number | undefined
  readonly exclusiveMaximum: boolean
  readonly exclusiveMinimum: boolean
  readonly multipleOf: number | undefined
  readonly maxLength: number | undefined
  readonly minLength: number | undefined
  readonly pattern: string
  readonly maxItems: number | undefined
  readonly minItems: number | undefined
  readonly maxProperties: number | undefined
  readonly minProperties: number | undefined
  readonly enum: readonly unknown[] | undefined
  /** The schema as the client sent it: for keywords that are only rejected, and for OpenAPI. */
  readonly source: JsonSchema
}

const noFields: ReadonlyMap<string, SchemaNode> = new Map()
const none: readonly never[] = []

/** An empty schema. */
const emptyNode: SchemaNode = {
  type: '',
  format: '',
  nullable: false,
  default: undefined,
  properties: noFields,
  additionalProperties: undefined,
  items: undefined,
  required: none,
  allOf: none,
  anyOf: none,
  oneOf: none,
  not: undefined,
  preserveUnknownFields: undefined,
  embeddedResource: false,
  intOrString: false,
  listType: undefined,
  listMapKeys: none,
  mapType: undefined,
  rules: none,
  maximum: undefined,
  minimum: undefined,
  exclusiveMaximum: false,
  exclusiveMinimum: false,
  multipleOf: undefined,
  maxLength: undefined,
  minLength: undefined,
  pattern: '',
  maxItems: undefined,
  minItems: undefined,
  maxProperties: undefined,
  minProperties: undefined,
  enum: undefined,
  source: {},
}

type Writable = { -readonly [Key in keyof SchemaNode]: SchemaNode[Key] }
/** How the value of a keyword becomes a field of the node; a flag (`isFlag`) is true or unset. */
interface KeywordReader {
  readonly field: keyof SchemaNode
  readonly isFlag: boolean
  readonly isSchema: boolean
}
const flags: ReadonlySet<string> = new Set([
  'nullable',
  'embeddedResource',
  'intOrString',
  'exclusiveMaximum',
  'exclusiveMinimum',
])
const schemaFields: ReadonlySet<string> = new Set([
  'properties',
  'additionalProperties',
  'items',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
])
const vendorFields: Readonly<Partial<Record<keyof SchemaNode, keyof SchemaKeywords>>> = {
  preserveUnknownFields: 'preserveUnknownFields',
  embeddedResource: 'embeddedResource',
  intOrString: 'intOrString',
  listType: 'listType',
  listMapKeys: 'listMapKeys',
  mapType: 'mapType',
  rules: 'validations',
}
const readersOf = new WeakMap<SchemaKeywords, ReadonlyMap<string, KeywordReader>>()

function keywordReaders(keywords: SchemaKeywords): ReadonlyMap<string, KeywordReader> {
  let readers = readersOf.get(keywords)
  if (!readers) {
    const fields = Object.keys(emptyNode).filter(field => field !== 'source') as (keyof SchemaNode)[]
    readers = new Map(
      fields.map(field => {
        const vendorField = vendorFields[field]
        const keyword = vendorField ? keywords[vendorField] : field
        return [keyword, { field, isFlag: flags.has(field), isSchema: schemaFields.has(field) }]
      }),
    )
    readersOf.set(keywords, readers)
  }
  return readers
}

/** Parses a decoded schema. The schemas inside it are parsed when they are first needed. */
export function readSchema(source: JsonSchema, keywords: SchemaKeywords): SchemaNode {
  const node = { ...emptyNode, source } as Writable
  const readers = keywordReaders(keywords)
  for (const key of Object.keys(source)) {
    const reader = readers.get(key)
    const value: unknown = source[key]
    if (!reader || value === undefined || value === null) continue
    if (reader.isSchema && typeof value === 'object') readLater(node, reader.field, value, keywords)
    else if (!reader.isSchema || reader.field === 'additionalProperties')
      (node as Record<string, unknown>)[reader.field] = reader.isFlag ? value === true : value
  }
  return node
}

/** Defines a field that is parsed on first use: most objects need few of the subschemas. */
function readLater(node: SchemaNode, field: keyof SchemaNode, value: object, keywords: SchemaKeywords): void {
  // A list of names, or null, where a schema is expected is treated as an empty schema.
  const child = (part: unknown) => readSchema(isObject(part) ? part : {}, keywords)
  Object.defineProperty(node, field, {
    enumerable: true,
    configurable: true,
    get() {
      const isList = Array.isArray(value) && field !== 'properties' && field !== 'not'
      const read =
        field === 'properties'
          ? new LazyNodes(value as Record<string, unknown>, child)
          : isList && field !== 'additionalProperties'
            ? (value as unknown[]).map(child)
            : child(value)
      Object.defineProperty(node, field, { value: read, enumerable: true })
      return read
    },
  })
}

/** The schema of the items, if there is one. */
export const itemSchema = (schema: SchemaNode): SchemaNode | undefined =>
  Array.isArray(schema.items) ? undefined : (schema.items as SchemaNode | undefined)

/** The schema of the values of a map, if there is one. */
export const valueSchema = ({ additionalProperties }: SchemaNode): SchemaNode | undefined =>
  typeof additionalProperties === 'object' ? additionalProperties : undefined

/**
 * The schemas, as sent, that contain one of these keywords at any depth. One walk over the source is much cheaper than
 * parsing it. It may report too much: a field with the name of a keyword counts as the keyword.
 */
export function schemasWith(source: JsonSchema, ...keywords: readonly string[]): ReadonlySet<unknown> {
  const found = new Set<unknown>()
  const walk = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return false
    let isFound = !Array.isArray(value) && keywords.some(keyword => Object.hasOwn(value, keyword))
    for (const key in value) if (walk((value as JsonSchema)[key])) isFound = true
    if (isFound) found.add(value)
    return isFound
  }
  walk(source)
  return found
}

/** Whether the schema or any schema inside it has rules. */
export const hasRules = (schema: SchemaNode): boolean =>
  schema.rules.length > 0 ||
  [itemSchema(schema), valueSchema(schema), ...schema.properties.values()].some(part => part && hasRules(part))

/** Fields of every API object; the schema need not specify them. */
export const objectFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])
