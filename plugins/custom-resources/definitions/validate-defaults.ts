import { addAll, type FieldError, invalidValue, type JsonObject } from 'orch/sdk'
import { describeFieldErrors } from 'orch/sdk/validation'
import { itemSchema, objectFields, type SchemaNode } from '../../../libs/json-schema/index.js'
import type { RunRules } from '../rules/run-rules.js'
import type { CheckOptions } from '../schemas/check.js'
import { isJsonObject } from '../schemas/coerce.js'
import { type CheckObjects, compileCheckObjects } from '../schemas/embedded-objects.js'
import { compilePrune, copyValue } from '../schemas/prune.js'
import { validateDefaultValue } from '../schemas/structural-schema.js'
import { canonical } from '../schemas/validate-value.js'
import type { Work } from '../schemas/work.js'

/** Compiles the rules of a schema, if CEL is loaded. */
export type CompileRules = (schema: SchemaNode, isRoot: boolean) => RunRules | undefined

/** How defaults are checked. */
export interface DefaultChecks {
  readonly work: Work
  readonly options: CheckOptions
  readonly compileRules: CompileRules
  /** Whether rules are also run as for a new value, because some may take the old value as optional. */
  readonly runsWithoutOld: boolean
}

/** The position of a schema. */
interface Place {
  readonly isRoot: boolean
  /** Whether it is apiVersion, kind or metadata of an object, or inside of it. */
  readonly isInMetadata: boolean
  /** The object around with a value at this position, and its checks. */
  readonly around: (value: unknown) => JsonObject
  readonly checkAround: CheckObjects
}

const asObject = (value: unknown): JsonObject => ({
  apiVersion: 'validation/v1',
  kind: 'Validation',
  ...(isJsonObject(value) ? value : {}),
})
function placeOfObject(object: SchemaNode, isRoot: boolean): Place {
  // Compiled once for all defaults in the metadata of the object.
  let check: CheckObjects | undefined
  return {
    isRoot,
    isInMetadata: false,
    around: asObject,
    checkAround: (value, path, work) => (check ??= compileCheckObjects(object, true))(value, path, work),
  }
}

/** Defaults must satisfy the schema and its rules, and must not have unknown fields. */
export const validateDefaults = (schema: SchemaNode, path: string, checks: DefaultChecks): FieldError[] =>
  validateAt(schema, path, checks, placeOfObject(schema, true))

function validateAt(schema: SchemaNode, path: string, checks: DefaultChecks, outer: Place): FieldError[] {
  const place = schema.embeddedResource ? placeOfObject(schema, outer.isRoot) : outer
  const errors = schema.default === undefined ? [] : validateDefault(schema, `${path}.default`, checks, place)
  const inside = { ...place, isRoot: false }
  const items = itemSchema(schema)
  if (items)
    addAll(errors, validateAt(items, `${path}.items`, checks, { ...inside, around: value => place.around([value]) }))
  for (const [name, field] of schema.properties) {
    const isMeta = place.isInMetadata || ((place.isRoot || schema.embeddedResource) && objectFields.has(name))
    const around = (value: unknown) => place.around({ [name]: value })
    addAll(
      errors,
      validateAt(field, `${path}.properties[${name}]`, checks, { ...inside, isInMetadata: isMeta, around }),
    )
  }
  return errors
}

/** Only the first kind of errors is reported, but besides unknown fields. */
function validateDefault(schema: SchemaNode, path: string, checks: DefaultChecks, place: Place): FieldError[] {
  const { options, work } = checks
  const { isRoot, isInMetadata } = place
  const value = copyValue(schema.default)
  const errors: FieldError[] = []
  if (!isInMetadata && canonical(compilePrune(schema, isRoot)(value, '', {})) !== canonical(value))
    errors.push(invalidValue(path, schema.default, 'must not have unknown fields'))
  const ofObjects = isInMetadata
    ? validateMetadata(schema, path, place, work)
    : compileCheckObjects(schema, isRoot || schema.embeddedResource)(value, path, work)
  if (ofObjects.length > 0) return [...errors, ...ofObjects]
  const ofSchema = validateDefaultValue(schema, value, path, options, work)
  return [...errors, ...(ofSchema.length > 0 ? ofSchema : validateByRules(schema, value, path, checks, isRoot))]
}

/** A default of apiVersion, kind or metadata must make a valid object. */
function validateMetadata(schema: SchemaNode, path: string, { around, checkAround }: Place, work: Work): FieldError[] {
  const wrong = checkAround(around(copyValue(schema.default)), '', work)
  if (wrong.length === 0) return []
  return [invalidValue(path, schema.default, `must result in valid metadata: ${describeFieldErrors(wrong)}`)]
}

/** Rules are run as for an update that changes nothing, and then as for a new value. */
function validateByRules(
  schema: SchemaNode,
  value: unknown,
  path: string,
  { compileRules, runsWithoutOld }: DefaultChecks,
  isRoot: boolean,
): FieldError[] {
  const rules = compileRules(schema, isRoot)
  const ofUpdate = rules?.atOnce(value, value, path) ?? []
  if (!rules || ofUpdate.length > 0 || !runsWithoutOld) return ofUpdate
  return rules.atOnce(value, undefined, path)
}
