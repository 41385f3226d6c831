import type { JsonObject } from '../../resource/own-value.js'
import { isRecord } from '../../resource/own-value.js'
import { type JsonSchema, partsOf, propertiesOf, vendorKeyword } from './matches-schema.js'

/** A valid object with one error. */
export interface InvalidNeighbour {
  /** The place and the error: `spec.size: not of type integer`. */
  readonly why: string
  readonly object: JsonObject
}

const wrongValues: Readonly<Record<string, unknown>> = {
  string: 1,
  integer: 'one',
  number: 'one',
  boolean: 'yes',
  array: 'a list',
  object: 'an object',
}

/**
 * Objects that differ from a valid one in a single place and are therefore invalid for its schema: at most this many.
 */
export function invalidNeighbours(schema: JsonSchema, object: JsonObject, most = 20): InvalidNeighbour[] {
  const found: InvalidNeighbour[] = []
  const add = (path: readonly (string | number)[], why: string, value: unknown) => {
    if (found.length < most) found.push({ why: `${path.join('.')}: ${why}`, object: changed(object, path, value) })
  }
  const visit = (value: unknown, at: JsonSchema, path: readonly (string | number)[]): void => {
    if (found.length >= most || value === null) return
    // A branch might allow what the rest of the schema says nothing about.
    const isPlain = vendorKeyword(at, 'int-or-string') !== true
    const type = at['type'] as string | undefined
    if (path.length > 0 && isPlain && type !== undefined && Object.hasOwn(wrongValues, type))
      add(path, `not of type ${type}`, wrongValues[type])
    if (path.length > 0 && isPlain) limitsOf(value, at, (why, wrong) => add(path, why, wrong))
    if (Array.isArray(value)) {
      const { items } = at
      if (isRecord(items)) for (const [index, item] of value.entries()) visit(item, items, [...path, index])
    } else if (isRecord(value)) {
      const properties = propertiesOf(at)
      for (const name of (at['required'] ?? []) as readonly string[])
        if (Object.hasOwn(value, name) && properties[name] && properties[name]['default'] === undefined)
          add([...path, name], 'required', undefined)
      for (const [name, field] of Object.entries(properties))
        if (Object.hasOwn(value, name)) visit(value[name], field, [...path, name])
      const { additionalProperties } = at
      if (isRecord(additionalProperties))
        for (const name of Object.keys(value)) visit(value[name], additionalProperties, [...path, name])
    }
  }
  const { apiVersion: _, kind: __, metadata: ___, ...properties } = propertiesOf(schema)
  const required = ((schema['required'] ?? []) as string[]).filter(name => Object.hasOwn(properties, name))
  visit(object, { ...schema, properties, required }, [])
  return found
}

/** Values just beyond the limits. */
function limitsOf(value: unknown, schema: JsonSchema, add: (why: string, wrong: unknown) => void): void {
  const { enum: values, maxLength, minLength, maximum, minimum, maxItems, items } = schema
  if (typeof value === 'string') {
    if (Array.isArray(values)) add('not in the enum', `${values.join('')}-not`)
    if (typeof maxLength === 'number' && maxLength < 10_000) add('too long', 'x'.repeat(maxLength + 1))
    if (typeof minLength === 'number' && minLength > 0) add('too short', '')
  } else if (typeof value === 'number') {
    if (typeof maximum === 'number' && Number.isInteger(maximum)) add('too large', maximum + 1)
    if (typeof minimum === 'number' && Number.isInteger(minimum)) add('too small', minimum - 1)
  } else if (Array.isArray(value) && typeof maxItems === 'number' && maxItems < 100 && value.length > 0) {
    const size = JSON.stringify(value[0]).length * maxItems
    if (items !== undefined && partsOf(schema, 'anyOf').length === 0 && size < maxCharacters)
      add(
        'too many',
        Array.from({ length: maxItems + 1 }, () => value[0]),
      )
  }
}

/** A larger object would be rejected for its size alone. */
const maxCharacters = 100_000

function changed(object: JsonObject, path: readonly (string | number)[], value: unknown): JsonObject {
  const copy = structuredClone(object)
  let at: unknown = copy
  for (const step of path.slice(0, -1)) at = (at as JsonObject)[step]
  const last = path.at(-1)!
  if (value === undefined) delete (at as JsonObject)[last]
  else (at as JsonObject)[last] = value
  return copy
}
