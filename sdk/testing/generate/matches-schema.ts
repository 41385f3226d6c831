import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../resource/own-value.js'

export type JsonSchema = Readonly<Record<string, unknown>>

/** The value of a vendor keyword, for any vendor: `x-…-list-type`. */
export function vendorKeyword(schema: JsonSchema, name: string): unknown {
  for (const key in schema) if (key.startsWith('x-') && key.endsWith(`-${name}`)) return schema[key]
  return undefined
}

/** The schemas of a keyword that has a list of them. */
export const partsOf = (schema: JsonSchema, keyword: 'allOf' | 'anyOf' | 'oneOf'): readonly JsonSchema[] =>
  (schema[keyword] ?? []) as readonly JsonSchema[]

export const propertiesOf = (schema: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>

/** Whether a value satisfies a structural schema. CEL rules and formats are not checked. */
export function matchesSchema(value: unknown, schema: JsonSchema): boolean {
  if (value === null) return schema['nullable'] === true || schema['type'] === undefined
  if (!hasType(value, schema)) return false
  const { enum: values, not } = schema
  if (Array.isArray(values) && !values.some(each => isDeepStrictEqual(each, value))) return false
  if (typeof value === 'string' && !matchesText(value, schema)) return false
  if (typeof value === 'number' && !matchesNumber(value, schema)) return false
  if (Array.isArray(value) && !matchesList(value, schema)) return false
  if (isRecord(value) && !matchesObject(value, schema)) return false
  if (not !== undefined && matchesSchema(value, not as JsonSchema)) return false
  const anyOf = partsOf(schema, 'anyOf')
  const oneOf = partsOf(schema, 'oneOf')
  return (
    partsOf(schema, 'allOf').every(part => matchesSchema(value, part)) &&
    (anyOf.length === 0 || anyOf.some(part => matchesSchema(value, part))) &&
    (oneOf.length === 0 || oneOf.filter(part => matchesSchema(value, part)).length === 1)
  )
}

function hasType(value: unknown, schema: JsonSchema): boolean {
  if (vendorKeyword(schema, 'int-or-string') === true) return Number.isInteger(value) || typeof value === 'string'
  switch (schema['type']) {
    case 'object':
      return isRecord(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case undefined:
      return true
    default:
      return typeof value === schema['type']
  }
}

function matchesText(text: string, { minLength, maxLength, pattern }: JsonSchema): boolean {
  const length = [...text].length
  if (typeof minLength === 'number' && length < minLength) return false
  if (typeof maxLength === 'number' && length > maxLength) return false
  if (typeof pattern !== 'string' || pattern === '') return true
  try {
    return new RegExp(pattern.replaceAll('(?i)', ''), pattern.includes('(?i)') ? 'iu' : 'u').test(text)
  } catch {
    return true
  }
}

function matchesNumber(value: number, schema: JsonSchema): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema
  // Servers reject every value of a field whose own limits are outside the range of its format.
  if (format === 'int32' && [value, minimum, maximum].some(each => typeof each === 'number' && !isInt32(each)))
    return false
  if (typeof minimum === 'number' && (exclusiveMinimum === true ? value <= minimum : value < minimum)) return false
  if (typeof maximum === 'number' && (exclusiveMaximum === true ? value >= maximum : value > maximum)) return false
  return typeof multipleOf !== 'number' || Number.isInteger(value / multipleOf)
}

const isInt32 = (value: number) => value >= -(2 ** 31) && value < 2 ** 31

function matchesList(list: readonly unknown[], schema: JsonSchema): boolean {
  const { minItems, maxItems, items } = schema
  if (typeof minItems === 'number' && list.length < minItems) return false
  if (typeof maxItems === 'number' && list.length > maxItems) return false
  return !isRecord(items) || list.every(item => matchesSchema(item, items))
}

function matchesObject(object: Readonly<Record<string, unknown>>, schema: JsonSchema): boolean {
  const { required, minProperties, maxProperties, additionalProperties } = schema
  const names = Object.keys(object)
  if (typeof minProperties === 'number' && names.length < minProperties) return false
  if (typeof maxProperties === 'number' && names.length > maxProperties) return false
  if (Array.isArray(required) && !required.every(name => Object.hasOwn(object, name))) return false
  const properties = propertiesOf(schema)
  return names.every(name => {
    const field = Object.hasOwn(properties, name)
      ? properties[name]
      : isRecord(additionalProperties)
        ? additionalProperties
        : undefined
    return field === undefined || matchesSchema(object[name], field)
  })
}
