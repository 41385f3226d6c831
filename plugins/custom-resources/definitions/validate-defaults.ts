import { ApiError, addAll, type FieldError, invalidValue } from 'orch/sdk'
import { itemSchema, objectFields, type SchemaNode } from '../../../libs/json-schema/index.js'
import type { RunRules } from '../rules/run-rules.js'
import type { CheckOptions } from '../schemas/check.js'
import { isJsonObject } from '../schemas/coerce.js'
import { coerceObject, validateObject } from '../schemas/embedded-objects.js'
import { compilePrune, copyValue } from '../schemas/prune.js'
import { validateDefaultValue } from '../schemas/structural-schema.js'
import { canonical } from '../schemas/validate-value.js'
import type { Work } from '../schemas/work.js'

/** Compiles the rules of a schema, if CEL is loaded. */
export type CompileRules = (schema: SchemaNode, isRoot: boolean) => RunRules | undefined

/** Defaults must satisfy the schema and its rules, and must not have unknown fields. */
export function validateDefaults(
  schema: SchemaNode,
  path: string,
  work: Work,
  options: CheckOptions,
  compileRules: CompileRules,
  isRoot = true,
  isInMetadata = false,
): FieldError[] {
  const errors: FieldError[] = []
  if (schema.default !== undefined) {
    const at = `${path}.default`
    const wrong = validateDefault(schema, at, work, options, isRoot, isInMetadata)
    addAll(
      errors,
      wrong.length > 0 ? wrong : (compileRules(schema, isRoot)?.atOnce(schema.default, undefined, at) ?? []),
    )
  }
  const items = itemSchema(schema)
  if (items) addAll(errors, validateDefaults(items, `${path}.items`, work, options, compileRules, false, isInMetadata))
  for (const [name, field] of schema.properties) {
    const isMeta = isInMetadata || (schema.embeddedResource && objectFields.has(name))
    addAll(errors, validateDefaults(field, `${path}.properties[${name}]`, work, options, compileRules, false, isMeta))
  }
  return errors
}

function validateDefault(
  schema: SchemaNode,
  path: string,
  work: Work,
  options: CheckOptions,
  isRoot: boolean,
  isInMetadata: boolean,
): FieldError[] {
  const value = copyValue(schema.default)
  const isObject = isRoot || schema.embeddedResource
  try {
    if (isObject && isJsonObject(value)) coerceObject(value, path)
  } catch (error) {
    if (error instanceof ApiError)
      return [invalidValue(path, schema.default, `must be a valid object: ${error.message}`)]
    throw error
  }
  const errors: FieldError[] = []
  const pruned = compilePrune(schema, isRoot)(value, '', {})
  if (!isInMetadata && canonical(pruned) !== canonical(value))
    errors.push(invalidValue(path, schema.default, 'must not have unknown fields'))
  if (isRoot && isJsonObject(value)) addAll(errors, validateObject(value, path))
  return [...errors, ...validateDefaultValue(schema, value, path, options, work)]
}
