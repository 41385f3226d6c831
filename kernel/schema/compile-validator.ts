import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import {
  duplicate,
  type FieldError,
  invalidValue,
  isRecord,
  notSupported,
  requiredValue,
  tooLong,
  tooMany,
} from 'orch/sdk'
import { repeats } from 'orch/sdk/validation'
import { isConstrained, ownFieldConstraints, structBelow } from './constraints.js'
import { derive, once } from './derive.js'
import type { StructNode, TypeNode } from './type-model.js'

/** More than a response lists; a body can have tens of thousands, and building the path of each takes time. */
const maxErrors = 1000

/** Checks the value constraints of a schema on a decoded, defaulted object. */
export type Validator = (object: Record<string, unknown>) => FieldError[]

/**
 * Checks value constraints of a schema (minimum, maxLength, pattern, enum, minItems ...) with ajv, one struct at a time: a nested
 * struct is compiled when the first object has it, and once for all types that contain it. Compiling a large type as a whole
 * would add 50 ms to the first request. Types of values are not checked here: decoding has checked them. Undefined if the schema
 * has no constraints.
 */
export function compileValidator(node: StructNode): Validator | undefined {
  if (!isConstrained(node)) return undefined
  // One for each type, since ajv never releases what it compiled: it is collected together with its type.
  const compiler = once(newCompiler)
  const make = (struct: StructNode) => checkOf(struct, compiler)
  const check = (struct: StructNode) => derive(struct, make, checkOf)
  return object => {
    const errors: ErrorObject[] = []
    checkStruct(node, object, '', { check, way: [], errors })
    if (errors.length === 0) return []
    return withoutEchoes(errors.slice(0, maxErrors).map(error => fieldError(node, error)))
  }
}

interface StructCheck {
  /** Checks the fields of the struct, without nested structs. */
  readonly own: ValidateFunction | undefined
  /** Fields with constrained structs below them, and their position among all fields. */
  readonly inner: readonly { readonly name: string; readonly node: TypeNode; readonly place: number }[]
}

function checkOf(node: StructNode, compiler: () => Ajv): StructCheck {
  const inner = [...node.fields.values()].flatMap(({ name, node: below }, place) => {
    const struct = structBelow(below)
    return struct && isConstrained(struct) ? [{ name, node: below, place }] : []
  })
  return { own: ownCheck(node, compiler), inner }
}

/** Types share structs, so the checks are shared too. */
const ownChecks = new WeakMap<object, { readonly check: ValidateFunction | undefined }>()

function ownCheck(node: StructNode, compiler: () => Ajv): ValidateFunction | undefined {
  const known = ownChecks.get(node.schema)
  if (known) return known.check
  const stated = [...node.fields.values()].flatMap(field => {
    const constraints = ownFieldConstraints(field)
    return constraints ? [[field.name, constraints] as const] : []
  })
  const check = stated.length === 0 ? undefined : compiler().compile({ properties: Object.fromEntries(stated) })
  ownChecks.set(node.schema, { check })
  return check
}

function newCompiler(): Ajv {
  // Schemas were checked at boot; checking them again is slow. So is optimizing the generated code, which V8 runs just as fast.
  const quick = { meta: false, validateSchema: false, code: { optimize: false } } as const
  const ajv = new Ajv({ allErrors: true, strict: false, verbose: true, unicodeRegExp: false, ...quick })
  formats.default(ajv)
  // Length limits count bytes, as everywhere in the API.
  ajv.removeKeyword('maxLength')
  ajv.addKeyword({ keyword: 'maxLength', type: 'string', validate: isWithinBytes })
  ajv.addKeyword({ keyword: 'distinctBy', type: 'array', schemaType: 'array', validate: distinctItems, errors: true })
  return ajv
}

/** The state of checking one object. */
interface Walk {
  check(struct: StructNode): StructCheck
  /** The enclosing structs: one that contains itself is checked down to the repetition, and its strategy checks the rest. */
  readonly way: StructNode[]
  readonly errors: ErrorObject[]
}

function checkStruct(node: StructNode, value: Record<string, unknown>, pointer: string, walk: Walk): void {
  const { own, inner } = walk.check(node)
  const { way, errors } = walk
  const found = own && !own(value) ? (own.errors ?? []) : undefined
  let below: { place: number; error: ErrorObject }[] | undefined
  way.push(node)
  for (const { name, node: field, place } of inner) {
    const contents = value[name]
    if (contents === undefined || contents === null) continue
    const before = errors.length
    checkBelow(field, contents, `${pointer}/${name}`, walk)
    if (errors.length === before) continue
    below ??= []
    for (const error of errors.splice(before)) below.push({ place, error })
  }
  way.pop()
  if (!found && !below) return
  const places = new Map([...node.fields.keys()].map((name, place) => [name, place]))
  const told = (found ?? []).map(error => ({
    place: places.get(error.instancePath.split('/')[1] ?? '') ?? 0,
    error: { ...error, instancePath: pointer + error.instancePath },
  }))
  // In the order of the schema; errors of a field itself come before those below it.
  for (const { error } of [...told, ...(below ?? [])].sort((one, other) => one.place - other.place)) errors.push(error)
}

function checkBelow(node: TypeNode, value: unknown, pointer: string, walk: Walk): void {
  if (node.is === 'list') {
    if (Array.isArray(value))
      for (const [index, item] of value.entries()) checkBelow(node.item, item, `${pointer}/${index}`, walk)
  } else if (!isRecord(value)) return
  else if (node.is === 'map')
    for (const [key, item] of Object.entries(value))
      checkBelow(node.value, item, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, walk)
  else if (node.is === 'struct' && !walk.way.includes(node)) checkStruct(node, value, pointer, walk)
}

const isWithinBytes = (limit: number, text: string) =>
  text.length * 3 <= limit || (text.length <= limit && Buffer.byteLength(text) <= limit)

/** Items must differ in these fields, or as a whole if there are none. */
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

/** A missing field is not also reported as not matching a pattern. */
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
