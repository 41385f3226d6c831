import { type FieldError, invalidValue, notSupported, requiredValue } from '../../resource/field-errors.js'
import { isRecord } from '../../resource/own-value.js'
import type { TSchema } from '../../resource/schema.js'

/** Checks the limits that a schema states (`enum`, `minimum`, `maximum`, `minLength`) on a decoded value. */
type Check = (value: unknown, path: string, errors: FieldError[]) => void

/** Every type of Pod owner has the same schema, so it is compiled once. Undefined where nothing is limited. */
const known = new WeakMap<TSchema, { readonly check: Check | undefined }>()

/** Errors by the limits of a schema, for values that the kernel leaves to the rules of a type. */
export function checkLimits(schema: TSchema, value: unknown, path: string): FieldError[] {
  const errors: FieldError[] = []
  checkOf(schema)?.(value, path, errors)
  return errors
}

function checkOf(schema: TSchema): Check | undefined {
  const found = known.get(schema)
  if (found) return found.check
  const made = makeCheck(schema)
  known.set(schema, { check: made })
  return made
}

function makeCheck(schema: TSchema): Check | undefined {
  if (schema['type'] === 'array') return ofItems(checkOf(schema['items']))
  return schema['properties'] === undefined ? ofScalar(schema) : ofFields(schema['properties'])
}

const ofItems = (check: Check | undefined): Check | undefined =>
  check &&
  ((list, path, errors) => {
    if (Array.isArray(list)) for (const [i, item] of list.entries()) check(item, `${path}[${i}]`, errors)
  })

function ofFields(properties: Readonly<Record<string, TSchema>>): Check | undefined {
  const checks = Object.entries(properties).flatMap(([name, schema]) => {
    const check = checkOf(schema)
    return check ? [{ name, check }] : []
  })
  if (checks.length === 0) return undefined
  return (object, path, errors) => {
    if (!isRecord(object)) return
    for (const { name, check } of checks) {
      const value = object[name]
      if (value !== undefined && value !== null) check(value, `${path}.${name}`, errors)
    }
  }
}

interface Limits extends TSchema {
  readonly enum?: readonly unknown[]
  readonly minLength?: number
  readonly minimum?: number
  readonly maximum?: number
}

function ofScalar(schema: Limits): Check | undefined {
  const { enum: supported, minLength = 0, minimum = -Infinity, maximum = Infinity } = schema
  if (supported === undefined && minLength === 0 && minimum === -Infinity && maximum === Infinity) return undefined
  return (value, path, errors) => {
    if (value === '' && minLength > 0) errors.push(requiredValue(path))
    else if (supported && !supported.includes(value)) errors.push(notSupported(path, value, supported.map(String)))
    else if (typeof value === 'number' && value < minimum)
      errors.push(invalidValue(path, value, `must be greater than or equal to ${minimum}`))
    else if (typeof value === 'number' && value > maximum)
      errors.push(invalidValue(path, value, `must be less than or equal to ${maximum}`))
  }
}
