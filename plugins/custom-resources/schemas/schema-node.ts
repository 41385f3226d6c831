import { isRecord } from 'orch/sdk'
import type { JsonSchema } from '../definitions/schema.js'
import type { SchemaKeywords } from '../names.js'

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

/** Parses a decoded schema. */
export function readSchema(source: JsonSchema, keywords: SchemaKeywords): SchemaNode {
  const at = (key: string): unknown => (Object.hasOwn(source, key) ? source[key] : undefined)
  const text = (key: string) => (at(key) ?? '') as string
  const number = (key: string) => at(key) as number | undefined
  const flag = (key: string) => at(key) === true
  // A list of names, or null, where a schema is expected is treated as an empty schema.
  const child = (value: unknown) => readSchema(isRecord(value) ? value : {}, keywords)
  const children = (key: string) => ((at(key) ?? []) as unknown[]).map(child)
  const not = at('not')
  const items = at('items')
  const additional = at('additionalProperties')
  return {
    type: text('type'),
    format: text('format'),
    nullable: flag('nullable'),
    default: at('default') ?? undefined,
    properties: new Map(
      Object.entries((at('properties') ?? {}) as object).map(([name, value]) => [name, child(value)]),
    ),
    additionalProperties:
      typeof additional === 'object' && additional !== null ? child(additional) : (additional as boolean | undefined),
    items: Array.isArray(items)
      ? items.map(child)
      : typeof items === 'object' && items !== null
        ? child(items)
        : undefined,
    required: (at('required') ?? []) as string[],
    allOf: children('allOf'),
    anyOf: children('anyOf'),
    oneOf: children('oneOf'),
    not: typeof not === 'object' && not !== null ? child(not) : undefined,
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
}

/** The schema of the items, if there is one. */
export const itemSchema = (schema: SchemaNode): SchemaNode | undefined =>
  Array.isArray(schema.items) ? undefined : (schema.items as SchemaNode | undefined)

/** The schema of the values of a map, if there is one. */
export const valueSchema = ({ additionalProperties }: SchemaNode): SchemaNode | undefined =>
  typeof additionalProperties === 'object' ? additionalProperties : undefined

/** Whether the schema or any schema inside it has rules. */
export const hasRules = (schema: SchemaNode): boolean =>
  schema.rules.length > 0 ||
  [itemSchema(schema), valueSchema(schema), ...schema.properties.values()].some(part => part && hasRules(part))

/** Fields of every API object; the schema need not specify them. */
export const objectFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])
