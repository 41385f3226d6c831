import { isRecord, type JsonObject } from 'orch/sdk'
import { itemSchema, type SchemaNode, valueSchema } from '../../../libs/json-schema/index.js'
import type { SchemaKeywords } from '../names.js'

/**
 * The schema in OpenAPI. Version 3 contains all of it. Version 2 cannot express null, alternatives and open objects;
 * such parts are left open, so that clients do not reject objects that the server accepts.
 */
export function documentOf(
  schema: SchemaNode,
  keywords: SchemaKeywords,
  isComplete: boolean,
  features: DocumentFeatures = { rules: false, examples: true },
): JsonObject {
  if (isComplete) return complete(schema.source, keywords, features) as JsonObject
  if (schema.preserveUnknownFields) return { type: 'object' }
  return { ...narrowed(schema, keywords, features), type: 'object' }
}

/** Which parts of a schema the documents contain. */
export interface DocumentFeatures {
  /** Whether version 2 contains rules. Version 3 always does. */
  readonly rules: boolean
  readonly examples: boolean
}

/** The fields that every embedded object has. */
const embeddedFields: JsonObject = {
  apiVersion: { description: 'The group and version of the object.', type: 'string' },
  kind: { description: 'The kind of the object.', type: 'string' },
  metadata: { description: 'The metadata of the object.', type: 'object' },
}

/** A schema as in OpenAPI v3; the same object if nothing is added or removed. */
function complete(source: unknown, keywords: SchemaKeywords, features: DocumentFeatures): unknown {
  if (typeof source !== 'object' || source === null) return source
  if (Array.isArray(source)) return mapped(source, item => complete(item, keywords, features))
  const schema = source as JsonObject
  let result: JsonObject = schema
  for (const [keyword, value] of Object.entries(schema)) {
    const isMap = keyword === 'properties' || keyword === 'definitions' || keyword === 'patternProperties'
    const each = literalKeywords.has(keyword)
      ? value
      : isMap && isRecord(value)
        ? mappedFields(value, field => complete(field, keywords, features))
        : complete(value, keywords, features)
    if (each !== value) result = { ...result, [keyword]: each }
  }
  if (!features.examples && 'example' in result) {
    const { example: _, ...rest } = result
    result = rest
  }
  if (result[keywords.embeddedResource] !== true) return result
  const required = (result['required'] ?? []) as string[]
  return {
    ...result,
    properties: { ...embeddedFields, ...(result['properties'] as JsonObject | undefined) },
    required: [...new Set([...required, 'kind', 'apiVersion'])],
  }
}
/** Keywords whose values are not schemas. */
const literalKeywords = new Set(['default', 'enum', 'example', 'required'])

function mapped(items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const changed = items.map(change)
  return changed.every((item, i) => item === items[i]) ? items : changed
}
function mappedFields(fields: JsonObject, change: (field: unknown) => unknown): JsonObject {
  const changed = Object.entries(fields).map(([name, field]) => [name, change(field)] as const)
  return changed.every(([name, field]) => field === fields[name]) ? fields : Object.fromEntries(changed)
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

function narrowed(schema: SchemaNode, keywords: SchemaKeywords, features: DocumentFeatures): JsonObject {
  const { source, type } = schema
  const pick = (names: readonly string[]) =>
    Object.fromEntries(names.filter(name => source[name] !== undefined).map(name => [name, source[name]]))
  const markers = pick(Object.values(keywords).filter(name => features.rules || name !== keywords.validations))
  const shared = features.examples ? [...sharedKeywords, 'example'] : sharedKeywords
  if (schema.intOrString || schema.preserveUnknownFields || schema.nullable || type === '')
    return { ...pick(shared), ...markers }
  const items = itemSchema(schema)
  const values = valueSchema(schema)
  const fields = [...schema.properties].map(([name, field]) => [name, narrowed(field, keywords, features)] as const)
  const ofResource = schema.embeddedResource
    ? { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' } }
    : {}
  return {
    ...pick(shared),
    type,
    ...(items ? { items: narrowed(items, keywords, features) } : {}),
    ...(values ? { additionalProperties: narrowed(values, keywords, features) } : {}),
    ...(fields.length > 0 || schema.embeddedResource
      ? { properties: { ...ofResource, ...Object.fromEntries(fields) } }
      : {}),
    ...markers,
  }
}
