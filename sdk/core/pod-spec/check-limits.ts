import type { TSchema } from '@sinclair/typebox'
import { type FieldError, invalidValue, notSupported, requiredValue } from '../../resource/field-errors.js'

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
  if (schema['type'] === 'array') return ofItems(checkOf(schema['items'] as TSchema))
  if (schema['properties'] !== undefined) return ofFields(schema['properties'] as Record<string, TSchema>)
  return ofScalar(schema)
}

const ofItems = (check: Check | undefined): Check | undefined =>
  check &&
  ((list, path, errors) => {
    for (const [i, item] of (list as unknown[]).entries()) check(item, `${path}[${i}]`, errors)
  })

function ofFields(properties: Readonly<Record<string, TSchema>>): Check | undefined {
  const checks = Object.entries(properties).flatMap(([name, schema]) => {
    const check = checkOf(schema)
    return check ? [[name, check] as const] : []
  })
  if (checks.length === 0) return undefined
  return (object, path, errors) => {
    for (const [name, check] of checks) {
      const value = (object as Record<string, unknown>)[name]
      if (value !== undefined && value !== null) check(value, `${path}.${name}`, errors)
    }
  }
}

interface Limits {
  readonly enum?: readonly string[]
  readonly minLength?: number
  readonly minimum?: number
  readonly maximum?: number
}

function ofScalar(schema: TSchema): Check | undefined {
  const { enum: supported, minLength = 0, minimum = -Infinity, maximum = Infinity } = schema as Limits
  if (supported === undefined && minLength === 0 && minimum === -Infinity && maximum === Infinity) return undefined
  return (value, path, errors) => {
    if (value === '' && minLength > 0) errors.push(requiredValue(path))
    else if (supported && !supported.includes(value as string)) errors.push(notSupported(path, value, supported))
    else if ((value as number) < minimum)
      errors.push(invalidValue(path, value, `must be greater than or equal to ${minimum}`))
    else if ((value as number) > maximum)
      errors.push(invalidValue(path, value, `must be less than or equal to ${maximum}`))
  }
}
