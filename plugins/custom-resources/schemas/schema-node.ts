import { isRecord } from 'orch/sdk'
import type { JsonSchema } from '../definitions/schema.js'
import type { SchemaKeywords } from '../names.js'
import { LazyNodes } from './lazy-nodes.js'

/** A rule in CEL. */
export interface SchemaRule {
  readonly rule: string
  readonly message?: string
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

/** Parses a decoded schema. The schemas inside it are parsed when they are first needed. */
export function readSchema(source: JsonSchema, keywords: SchemaKeywords): SchemaNode {
  const at = (key: string): unknown => (Object.hasOwn(source, key) ? source[key] : undefined)
  const text = (key: string) => (at(key) ?? '') as string
  const number = (key: string) => at(key) as number | undefined
  const flag = (key: string) => at(key) === true
  // A list of names, or null, where a schema is expected is treated as an empty schema.
  const child = (value: unknown) => readSchema(isRecord(value) ? value : {}, keywords)
  const node: SchemaNode = {
    type: text('type'),
    format: text('format'),
    nullable: flag('nullable'),
    default: at('default') ?? undefined,
    properties: noFields,
    additionalProperties: at('additionalProperties') as boolean | undefined,
    items: undefined,
    required: (at('required') ?? []) as string[],
    allOf: none,
    anyOf: none,
    oneOf: none,
    not: undefined,
    preserveUnknownFields: at(keywords.preserveUnknownFields) as boolean | undefined,
    embeddedResource: flag(keywords.embeddedResource),
    intOrString: flag(keywords.intOrString),
    listType: at(keywords.listType) as string | undefined,
    listMapKeys: (at(keywords.listMapKeys) ?? []) as string[],
    mapType: at(keywords.mapType) as string | undefined,
    rules: (at(keywords.validations) ?? []) as SchemaRule[],
    maximum: number('maximum'),
    minimum: number('minimum'),
    exclusiveMaximum: flag('exclusiveMaximum'),
    exclusiveMinimum: flag('exclusiveMinimum'),
    multipleOf: number('multipleOf'),
    maxLength: number('maxLength'),
    minLength: number('minLength'),
    pattern: text('pattern'),
    maxItems: number('maxItems'),
    minItems: number('minItems'),
    maxProperties: number('maxProperties'),
    minProperties: number('minProperties'),
    enum: at('enum') as unknown[] | undefined,
    source,
  }
  const later = (key: keyof SchemaNode, read: (value: object) => unknown) => {
    const value = at(key)
    if (typeof value === 'object' && value !== null) readLater(node, key, () => read(value))
  }
  later('properties', fields => new LazyNodes(fields as Record<string, unknown>, child))
  later('additionalProperties', child)
  later('items', items => (Array.isArray(items) ? items.map(child) : child(items)))
  for (const key of ['allOf', 'anyOf', 'oneOf'] as const) later(key, parts => (parts as unknown[]).map(child))
  later('not', child)
  return node
}

const noFields: ReadonlyMap<string, SchemaNode> = new Map()
const none: readonly SchemaNode[] = []

/** Makes a field that is read when it is first used. Most schemas have none of those, and an object needs few of the schemas. */
function readLater(node: SchemaNode, key: keyof SchemaNode, read: () => unknown): void {
  Object.defineProperty(node, key, {
    enumerable: true,
    configurable: true,
    get() {
      const value = read()
      Object.defineProperty(node, key, { value, enumerable: true })
      return value
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
 * The schemas, as they were sent, that have one of these keywords or a schema inside that has. One walk over the source is much cheaper
 * than parsing it. What only looks like a keyword, such as a field of that name, is taken for one.
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
