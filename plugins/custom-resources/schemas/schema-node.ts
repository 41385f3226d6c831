import { isRecord } from 'orch/sdk'
import type { JsonSchema } from '../definitions/schema.js'
import type { SchemaKeywords } from '../names.js'

/** A rule in CEL. */
export interface SchemaRule {
  readonly rule: string
  readonly message?: string
}

/** A schema as the rest of this plugin works with it: the vendor's keywords under names of our own, parts as nodes. */
export interface SchemaNode {
  readonly type: string
  readonly format: string
  readonly nullable: boolean
  /** Undefined when there is none; a default is never null. */
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
  /** The schema as it was sent: for keywords that are only looked at to refuse them, and for documents. */
  readonly source: JsonSchema
}

/** Reads a decoded schema. */
export function readSchema(source: JsonSchema, keywords: SchemaKeywords): SchemaNode {
  const at = (key: string): unknown => (Object.hasOwn(source, key) ? source[key] : undefined)
  const text = (key: string) => (at(key) ?? '') as string
  const number = (key: string) => at(key) as number | undefined
  const flag = (key: string) => at(key) === true
  // Lists of names, and nulls, may stand where others have schemas: they say nothing.
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

/** The schema of the items, where there is one. */
export const itemSchema = (schema: SchemaNode): SchemaNode | undefined =>
  Array.isArray(schema.items) ? undefined : (schema.items as SchemaNode | undefined)

/** The schema of the values of a map, where there is one. */
export const valueSchema = ({ additionalProperties }: SchemaNode): SchemaNode | undefined =>
  typeof additionalProperties === 'object' ? additionalProperties : undefined

/** Does the schema of a value, or of a value inside it, have rules? */
export const hasRules = (schema: SchemaNode): boolean =>
  schema.rules.length > 0 ||
  [itemSchema(schema), valueSchema(schema), ...schema.properties.values()].some(part => part && hasRules(part))

/** What an object of the API says about itself; the schema need not name them. */
export const objectFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])
