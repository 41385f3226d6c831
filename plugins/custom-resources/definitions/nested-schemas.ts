import { badRequest, type Lifespan, type ServedLevel, type TSchema } from 'orch/sdk'
import { coerce, isJsonObject } from '../schemas/coerce.js'
import type { CustomResourceDefinition, JsonSchema } from './schema.js'

/**
 * Some keywords take either a schema or another value, which the API schema cannot express. Their values are decoded
 * here, with the same schema of schemas.
 */
export function readNestedSchemas({ spec }: CustomResourceDefinition, schemaType: TSchema, level: ServedLevel): void {
  for (const { schema } of spec.versions ?? [])
    if (schema?.openAPIV3Schema) readUnions(schema.openAPIV3Schema, schemaType, level)
}

function readUnions(schema: JsonSchema, schemaType: TSchema, level: ServedLevel): void {
  const fields = schemaType['properties'] as Record<string, TSchema>
  for (const key of Object.keys(schema)) {
    const field = fields[key]
    if (!field || schema[key] === null || key === 'default' || key === 'example' || key === 'enum') continue
    if (field['scalar'] === 'raw') schema[key] = readUnion(field, schema[key], key, schemaType, level)
    else if (key === 'dependencies')
      readEach(schema[key], value => readUnion(itemOf(field)!, value, key, schemaType, level))
    else if (isSchemaField(field, schemaType)) readUnions(schema[key] as JsonSchema, schemaType, level)
    else if (isSchemaField(itemOf(field), schemaType))
      for (const each of Object.values(schema[key] as object)) readUnions(each as JsonSchema, schemaType, level)
  }
}

const itemOf = (field: TSchema): TSchema | undefined =>
  (field['items'] as TSchema | undefined) ??
  Object.values((field['patternProperties'] ?? {}) as Record<string, TSchema>)[0]
const isSchemaField = (field: TSchema | undefined, schemaType: TSchema) =>
  field?.['properties'] === schemaType['properties']

function readEach(map: unknown, read: (value: unknown) => unknown): void {
  if (!isJsonObject(map)) return
  for (const key of Object.keys(map)) map[key] = read(map[key])
}

/** Decodes a schema, or the alternative: a boolean, a list of schemas or a list of names. */
function readUnion(field: TSchema, value: unknown, path: string, schemaType: TSchema, level: ServedLevel): unknown {
  const inside = (inner: TSchema, each: unknown, at: string): unknown =>
    typeof inner['typeName'] === 'string' && inner['typeName'].includes('SchemaPropsOr')
      ? readUnion(inner, each, at, schemaType, level)
      : each
  const isServed = (each: TSchema) => level.includes(each as Lifespan)
  if (isJsonObject(value)) return coerce(schemaType, value, path, { inside, isServed })
  if (typeof value === 'boolean' && String(field['typeName']).endsWith('OrBool')) return value
  const refuse = (at: string, what = 'schema') => badRequest(`${at}: must be a ${what}`)
  const hasNames = String(field['typeName']).endsWith('StringArray')
  if (Array.isArray(value) && String(field['typeName']).endsWith('Array'))
    return value.map((each, i) => {
      const at = `${path}[${i}]`
      if (hasNames) {
        if (each !== null && typeof each !== 'string') throw refuse(at, 'string')
        return each ?? ''
      }
      if (isJsonObject(each)) return coerce(schemaType, each, at, { inside, isServed })
      // Null is an empty schema.
      if (each !== null) throw refuse(at)
      return each
    })
  throw refuse(path)
}
