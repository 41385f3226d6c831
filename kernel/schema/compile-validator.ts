import { Ajv, type ErrorObject } from 'ajv'
import formats from 'ajv-formats'
import { duplicate, type FieldError, invalidValue, notSupported, repeats, requiredValue, tooLong } from 'orch/sdk'
import { tooMany } from 'orch/sdk/host'
import { constraintsOf } from './constraints.js'
import type { StructNode, TypeNode } from './type-model.js'

/** More than an answer tells; a body can have tens of thousands, and the path of each costs something. */
const maxErrors = 1000

/** Checks the value constraints of a schema on a decoded, defaulted object. */
export type Validator = (object: Record<string, unknown>) => FieldError[]

/**
 * Compiles the value constraints of a schema (minimum, maxLength, pattern, enum, minItems ...) with ajv. Types are not its
 * business: decoding has made sure of them. Undefined if the schema constrains no value.
 */
export function compileValidator(node: StructNode): Validator | undefined {
  const constraints = constraintsOf(node)
  if (!constraints) return undefined
  // Schemas are checked at boot: to judge them once more would cost the first write of a Pod 80 ms.
  const unchecked = { meta: false, validateSchema: false } as const
  const ajv = new Ajv({ allErrors: true, strict: false, verbose: true, unicodeRegExp: false, ...unchecked })
  formats.default(ajv)
  // Limits of texts are those of their bytes, as everywhere in the API.
  ajv.removeKeyword('maxLength')
  ajv.addKeyword({ keyword: 'maxLength', type: 'string', validate: isWithinBytes })
  ajv.addKeyword({ keyword: 'distinctBy', type: 'array', schemaType: 'array', validate: distinctItems, errors: true })
  const check = ajv.compile(constraints)
  return object => {
    if (check(object)) return []
    const errors = (check.errors ?? []).slice(0, maxErrors)
    return withoutEchoes(errors.map(error => fieldError(node, error)))
  }
}

const isWithinBytes = (limit: number, text: string) =>
  text.length * 3 <= limit || (text.length <= limit && Buffer.byteLength(text) <= limit)

/** Items differ by these fields of theirs, or as a whole. */
function distinctItems(keys: readonly string[], items: readonly unknown[]): boolean {
  const identityOf = (item: unknown) =>
    keys.length === 0
      ? item
      : Object.fromEntries(keys.map(key => [key, (item as Record<string, unknown>)?.[key] ?? null]))
  const identities = items.map(identityOf)
  const index = repeats(identities.map(identity => JSON.stringify(identity))).indexOf(true)
  distinctItems.errors = index < 0 ? [] : [{ keyword: 'distinctBy', params: { index, identity: identities[index] } }]
  return index < 0
}
distinctItems.errors = [] as Partial<ErrorObject>[]

/** A field that is missing needs no second complaint that it does not match a pattern either. */
function withoutEchoes(errors: FieldError[]): FieldError[] {
  const missing = new Set(errors.filter(error => error.type === 'FieldValueRequired').map(error => error.field))
  return errors.filter(error => error.type === 'FieldValueRequired' || !missing.has(error.field))
}

function fieldError(root: TypeNode, error: ErrorObject): FieldError {
  const field = fieldPath(root, error.instancePath)
  const value: unknown = error.data
  const { keyword, params } = error as { keyword: string; params: Record<string, unknown> }
  const isEmpty = value === '' || value === null || (Array.isArray(value) && value.length === 0)
  switch (keyword) {
    case 'type':
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return isEmpty ? requiredValue(field) : invalidValue(field, value, sentence(error))
    case 'enum':
      return value === null
        ? requiredValue(field)
        : notSupported(field, value, (params['allowedValues'] as unknown[]).map(String))
    case 'distinctBy':
      return duplicate(`${field}[${params['index']}]`, params['identity'])
    case 'maxLength':
      return tooLong(field, error.schema as number)
    case 'maxItems':
      return tooMany(field, (value as unknown[]).length, params['limit'] as number)
    case 'maxProperties':
      return tooMany(field, Object.keys(value as object).length, params['limit'] as number)
    default:
      return invalidValue(field, value, sentence(error))
  }
}

const comparisons: Readonly<Record<string, string>> = {
  '>=': 'greater than or equal to',
  '<=': 'less than or equal to',
  '>': 'greater than',
  '<': 'less than',
}
function sentence(error: ErrorObject): string {
  const { comparison, limit } = error.params as { comparison?: string; limit?: number }
  return comparison ? `must be ${comparisons[comparison]} ${limit}` : (error.message ?? 'is not valid')
}

/** `/spec/ports/0/name` as `spec.ports[0].name`; keys of maps are in brackets too. */
function fieldPath(root: TypeNode, pointer: string): string {
  let path = ''
  let node: TypeNode | undefined = root
  for (const part of pointer.split('/').slice(1)) {
    const step = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (node?.is === 'struct') path += path === '' ? step : `.${step}`
    else path += `[${step}]`
    node = below(node, step)
  }
  return path
}

function below(node: TypeNode | undefined, step: string): TypeNode | undefined {
  if (node?.is === 'struct') return node.fields.get(step)?.node
  if (node?.is === 'list') return node.item
  return node?.is === 'map' ? node.value : undefined
}
