import type { SchemaKeywords } from '../names.js'
import { itemSchema, type SchemaNode, valueSchema } from '../schemas/schema-node.js'

type Json = Record<string, unknown>

/**
 * The schema in OpenAPI. Version 3 contains all of it. Version 2 cannot express null, alternatives and open objects; what it cannot
 * express is left open, so that clients do not reject what the server accepts.
 */
export function documentOf(schema: SchemaNode, keywords: SchemaKeywords, isComplete: boolean): Json {
  if (isComplete) return schema.source
  if (schema.preserveUnknownFields) return { type: 'object' }
  return { ...narrowed(schema, keywords), type: 'object' }
}

/** Keywords that are the same in both versions. */
const sharedKeywords = [
  ...[
    'description',
    'title',
    'format',
    'enum',
    'maximum',
    'minimum',
    'exclusiveMaximum',
    'exclusiveMinimum',
    'multipleOf',
  ],
  ...['maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'maxProperties', 'minProperties', 'required'],
]

function narrowed(schema: SchemaNode, keywords: SchemaKeywords): Json {
  const { source, type } = schema
  const pick = (names: readonly string[]) =>
    Object.fromEntries(names.filter(name => source[name] !== undefined).map(name => [name, source[name]]))
  const markers = pick(Object.values(keywords).filter(name => name !== keywords.validations))
  if (schema.intOrString || schema.preserveUnknownFields || schema.nullable || type === '')
    return { ...pick(['description', 'title']), ...markers }
  const items = itemSchema(schema)
  const values = valueSchema(schema)
  const fields = [...schema.properties].map(([name, field]) => [name, narrowed(field, keywords)] as const)
  const ofResource = schema.embeddedResource
    ? { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' } }
    : {}
  return {
    ...pick(sharedKeywords),
    type,
    ...(items ? { items: narrowed(items, keywords) } : {}),
    ...(values ? { additionalProperties: narrowed(values, keywords) } : {}),
    ...(fields.length > 0 || schema.embeddedResource
      ? { properties: { ...ofResource, ...Object.fromEntries(fields) } }
      : {}),
    ...markers,
  }
}
