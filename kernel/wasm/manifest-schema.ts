import { Bool, Double, Int64, ListOf, MapOf, Struct, Text, type TSchema, Type, Unstructured } from 'orch/sdk'
import { isObject, type JsonObject } from '../../libs/json/index.js'
import { WasmFailure } from './wasm-failure.js'

/** The depth limit of a schema. Anything deeper is data rather than a type. */
const maxLevels = 20
const fieldName = /^[A-Za-z][A-Za-z0-9_-]{0,252}$/

/**
 * The keywords for each type. `pattern` is not among them: a regular expression can run for a very long time without
 * being metered, and the module can check strings itself.
 */
const keywords: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'minItems', 'maxItems'],
  string: ['enum', 'minLength', 'maxLength', 'default'],
  integer: ['minimum', 'maximum', 'default'],
  number: ['minimum', 'maximum', 'default'],
  boolean: ['default'],
}

/** Converts a JSON Schema (JSON types, their limits, defaults and descriptions) to a schema of the sdk. */
export function schemaFromJson(given: unknown, typeName: string, path = '', levels = 0): TSchema {
  const fail = (why: string): never => {
    throw new WasmFailure(`the schema ${typeName} cannot be used: ${path === '' ? 'it' : path} ${why}`)
  }
  if (!isObject(given)) return fail('must be an object')
  if (levels > maxLevels) return fail(`nests deeper than ${maxLevels} levels`)
  const { type } = given
  const known = typeof type === 'string' && Object.hasOwn(keywords, type) ? (keywords[type] ?? []) : undefined
  if (typeof type !== 'string' || !known) return fail(`must have a type: ${Object.keys(keywords).join(', ')}`)
  const other = Object.keys(given).find(key => key !== 'type' && key !== 'description' && !known.includes(key))
  if (other !== undefined) return fail(`has "${other}", which a ${type} does not support`)
  const inside = (value: unknown, step: string, name: string) => schemaFromJson(value, name, path + step, levels + 1)
  const { description = '' } = given
  const about = typeof description === 'string' && description !== '' ? { description } : {}
  switch (type) {
    case 'array':
      return { ...ListOf(inside(given['items'], '[]', `${typeName}Item`)), ...limitsOf(given), ...about }
    case 'object':
      return { ...objectFromJson(given, typeName, path, inside), ...about }
    case 'string':
      return { ...Text(), ...limitsOf(given), ...about }
    case 'integer':
      return { ...Int64(), ...limitsOf(given), ...about }
    case 'number':
      return { ...Double(), ...limitsOf(given), ...about }
    default:
      return { ...Bool(), ...limitsOf(given), ...about }
  }
}

/** The keywords that mean the same in JSON Schema and in schemas of the sdk. */
function limitsOf(given: JsonObject): JsonObject {
  const { type: _, description: __, items: ___, ...limits } = given
  return limits
}

/** Named fields, a map with values of one type, or an object with unknown contents. */
function objectFromJson(
  given: JsonObject,
  typeName: string,
  path: string,
  inside: (value: unknown, step: string, name: string) => TSchema,
): TSchema {
  const { properties, required = [], additionalProperties } = given
  if (properties === undefined)
    return isObject(additionalProperties)
      ? MapOf(inside(additionalProperties, '[*]', `${typeName}Value`))
      : Unstructured()
  if (!isObject(properties))
    throw new WasmFailure(`the schema ${typeName} cannot be used: properties must be an object`)
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
  const fields = Object.entries(properties).map(([name, value]): [string, TSchema] => {
    if (!fieldName.test(name))
      throw new WasmFailure(`the schema ${typeName} cannot be used: "${name}" is not a valid field name`)
    const step = path === '' ? name : `.${name}`
    const schema = inside(value, step, `${typeName}${name.charAt(0).toUpperCase()}${name.slice(1)}`)
    return [name, isRequired(name) ? { ...schema, isRequired: true } : Type.Optional(schema)]
  })
  return Struct(typeName, Object.fromEntries(fields))
}

/** The fields of such a schema; undefined if it has none. */
export function fieldsOf(schema: TSchema): Record<string, TSchema> | undefined {
  const fields: unknown = schema['properties']
  const isFields = (value: unknown): value is Record<string, TSchema> => isObject(value)
  return isFields(fields) ? fields : undefined
}
