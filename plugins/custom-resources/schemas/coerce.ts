import { badRequest, type TSchema } from 'orch/sdk'
import { setField } from './prune.js'

type Json = Record<string, unknown>
/** Decodes values that the schema leaves open. */
export type Inside = (schema: TSchema, value: unknown, path: string) => unknown

export const isJsonObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const asItIs: Inside = (_, value) => value

/**
 * Decodes a value for which the API has no schema, using a schema of this plugin: unknown fields and nulls are dropped, and a value
 * of the wrong type is a 400.
 */
export function coerce(schema: TSchema, value: unknown, path: string, inside: Inside = asItIs): unknown {
  const refuse = (type: string) => badRequest(`${path}: must be ${type}`)
  switch (schema['type']) {
    case 'string':
      if (typeof value !== 'string') throw refuse('a string')
      return value
    case 'boolean':
      if (typeof value !== 'boolean') throw refuse('a boolean')
      return value
    case 'number':
      if (typeof value !== 'number') throw refuse('a number')
      return value
    case 'integer':
      if (!Number.isSafeInteger(value)) throw refuse('a whole number')
      return value
    case 'array':
      if (!Array.isArray(value)) throw refuse('a list')
      return value.map((item, index) => coerce(schema['items'] as TSchema, item, `${path}[${index}]`, inside))
    case 'object':
      if (!isJsonObject(value)) throw refuse('an object')
      return coerceFields(schema, value, path, inside)
    default:
      return inside(schema, value, path)
  }
}

function coerceFields(schema: TSchema, value: Json, path: string, inside: Inside): Json {
  const fields = schema['properties'] as Record<string, TSchema> | undefined
  const inMap = Object.values((schema['patternProperties'] ?? {}) as Record<string, TSchema>)[0]
  const result: Json = {}
  for (const name of Object.keys(value)) {
    const field = fields && Object.hasOwn(fields, name) ? fields[name] : inMap
    if (!field || value[name] === null) continue
    const coerced = coerce(field, value[name], `${path}.${name}`, inside)
    if (inMap || field['presence'] === 'keep' || !isEmptyValue(coerced)) setField(result, name, coerced)
  }
  return result
}

const isEmptyValue = (value: unknown) =>
  value === '' ||
  value === false ||
  value === 0 ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
