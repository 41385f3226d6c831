import { badRequest, type JsonObject, type TSchema } from 'orch/sdk'
import { formatCheck } from '../../../libs/json-schema/index.js'
import { setField } from './prune.js'

export interface CoerceOptions {
  /** Decodes values that the schema leaves open; by default they are not changed. */
  readonly inside?: (schema: TSchema, value: unknown, path: string) => unknown
  /** Whether a field exists in the served version; by default all do. */
  readonly isServed?: (field: TSchema) => boolean
  /** Called with the path of every field that is dropped because it is unknown. */
  readonly leftOut?: ((path: string) => void) | undefined
}

const isTime = ({ format }: TSchema) => format === 'date-time'

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Decodes a value for which the API has no schema, using a schema of this plugin: unknown fields and nulls are dropped,
 * and a value of the wrong type is a 400.
 */
export function coerce(schema: TSchema, value: unknown, path: string, options: CoerceOptions = {}): unknown {
  const refuse = (type: string) => badRequest(`${path}: must be ${type}`)
  switch (schema['type']) {
    case 'string':
      if (typeof value !== 'string') throw refuse('a string')
      if (isTime(schema) && !formatCheck('date-time')!(value)) throw refuse('an RFC 3339 time')
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
      return value.map((item, index) => coerce(schema['items'] as TSchema, item, `${path}[${index}]`, options))
    case 'object':
      if (!isJsonObject(value)) throw refuse('an object')
      return coerceFields(schema, value, path, options)
    default:
      return options.inside ? options.inside(schema, value, path) : value
  }
}

function coerceFields(schema: TSchema, value: JsonObject, path: string, options: CoerceOptions): JsonObject {
  const { isServed = () => true, leftOut } = options
  const fields = schema['properties'] as Record<string, TSchema> | undefined
  const inMap = Object.values((schema['patternProperties'] ?? {}) as Record<string, TSchema>)[0]
  const result: JsonObject = {}
  for (const name of Object.keys(value)) {
    const field = fields && Object.hasOwn(fields, name) ? fields[name] : inMap
    const at = path === '' ? name : `${path}.${name}`
    if (!field || !isServed(field)) leftOut?.(at)
    // In a map of objects, null is an empty object.
    const sent = inMap?.['type'] === 'object' ? (value[name] ?? {}) : value[name]
    if (!field || !isServed(field) || sent === null) continue
    const coerced = coerce(field, sent, at, options)
    if (inMap || field['presence'] === 'keep' || !isEmptyValue(coerced)) setField(result, name, coerced)
  }
  return result
}

const isEmptyValue = (value: unknown) =>
  value === '' ||
  value === false ||
  value === 0 ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
