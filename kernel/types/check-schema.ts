import type { TSchema } from 'orch/sdk'
import { notOnTheWire } from 'orch/sdk/host'

/** A mistake in a schema: the field, the reason and the remedy. */
export interface SchemaMistake {
  /** `spec.color`; empty for the schema as a whole. */
  readonly field: string
  readonly why: string
  readonly remedy: string
}
type Properties = Readonly<Record<string, TSchema>>
type Report = (why: string, remedy: string) => void

const maxProtobufNumber = 2 ** 29 - 1
/** Reserved by Protobuf. */
const reservedNumbers = { first: 19_000, last: 19_999 }

/** Pairs of limits, the first of which must not exceed the second. */
const limitPairs = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const

/**
 * Mistakes in a schema that are found without an object: Protobuf numbers, defaults, limits, patterns and keys of lists.
 * Structs in `seen` are skipped: types share most of their structs.
 */
export function schemaMistakes(schema: TSchema, seen: WeakSet<object>): SchemaMistake[] {
  const mistakes: SchemaMistake[] = []
  const path: string[] = []
  // The path is built only for a mistake: almost always there is none.
  const report: Report = (why, remedy) => {
    const field = path.reduce(
      (text, step) => (text === '' || step.startsWith('[') ? text + step : `${text}.${step}`),
      '',
    )
    mistakes.push({ field, why, remedy })
  }
  visit(schema, path, seen, report)
  return mistakes
}

function visit(schema: TSchema, path: string[], seen: WeakSet<object>, report: Report): void {
  checkLimits(schema, report)
  if (schema['default'] !== undefined) checkDefault(schema, schema['default'], report)
  const properties = schema['properties'] as Properties | undefined
  if (properties && !seen.has(properties)) {
    seen.add(properties)
    checkNumbers(properties, report)
    for (const name in properties) visitInside(properties[name]!, name, path, seen, report)
  }
  const items = schema['items'] as TSchema | undefined
  if (items) {
    checkListKeys(schema, items, report)
    visitInside(items, '[]', path, seen, report)
  }
  const patterns = schema['patternProperties'] as Properties | undefined
  for (const pattern in patterns) visitInside(patterns[pattern]!, '[*]', path, seen, report)
}

function visitInside(schema: TSchema, step: string, path: string[], seen: WeakSet<object>, report: Report): void {
  path.push(step)
  visit(schema, path, seen, report)
  path.pop()
}

function checkNumbers(properties: Properties, report: Report): void {
  const owners = new Map<unknown, string>()
  for (const name in properties) {
    const { proto, protoIn } = properties[name]!
    if (proto === undefined || proto === notOnTheWire) continue
    const isNumber = Number.isInteger(proto) && proto >= 1 && proto <= maxProtobufNumber
    if (!isNumber || (proto >= reservedNumbers.first && proto <= reservedNumbers.last)) {
      report(
        `"${name}" has the Protobuf number ${proto}`,
        'Give it a whole number from 1 that is not between 19000 and 19999',
      )
    }
    // Fields that Protobuf nests in a message of their own are numbered within it.
    const key = protoIn === undefined ? proto : [...protoIn, proto].join(' ')
    const first = owners.get(key)
    if (first === undefined) owners.set(key, name)
    else report(`"${first}" and "${name}" both have the Protobuf number ${proto}`, `Give "${name}" another number`)
  }
}

function checkLimits(schema: TSchema, report: Report): void {
  const { pattern } = schema
  if (pattern !== undefined && !compiles(pattern)) {
    report(`the pattern ${JSON.stringify(pattern)} is not a valid regular expression`, 'Correct the pattern')
  }
  const values = schema['enum'] as readonly unknown[] | undefined
  if (values !== undefined) {
    if (!Array.isArray(values) || values.length === 0) report('its enum has no values', 'List them, or drop the enum')
    else if (new Set(values).size < values.length) report('its enum contains a value twice', 'List each value once')
  }
  for (const [least, most] of limitPairs) {
    if (schema[least] === undefined || schema[most] === undefined) continue
    if (Number(schema[least]) > Number(schema[most])) {
      report(`${least} ${schema[least]} is above ${most} ${schema[most]}`, 'Exchange or correct them')
    }
  }
}

function compiles(pattern: unknown): boolean {
  try {
    return typeof pattern === 'string' && new RegExp(pattern) instanceof RegExp
  } catch {
    return false
  }
}

function checkDefault(schema: TSchema, value: unknown, report: Report): void {
  const why = whyNotDefault(schema, value)
  if (why) report(`its default ${JSON.stringify(value)} ${why}`, 'Choose a default that the schema accepts')
}

function whyNotDefault(schema: TSchema, value: unknown): string | undefined {
  const { type, pattern, minimum, maximum, minLength, maxLength } = schema
  const isOfType =
    type === 'string'
      ? typeof value === 'string'
      : type === 'integer'
        ? Number.isInteger(value)
        : type === 'number' || type === 'boolean'
          ? typeof value === type
          : type === 'array'
            ? Array.isArray(value)
            : type !== 'object' || (typeof value === 'object' && value !== null && !Array.isArray(value))
  if (!isOfType) return `is not of type ${type}`
  const values = schema['enum'] as readonly unknown[] | undefined
  if (values && !values.includes(value)) return `is not one of ${values.map(each => JSON.stringify(each)).join(', ')}`
  if (typeof value === 'number') {
    if (value < (minimum ?? Number.NEGATIVE_INFINITY)) return `is below the minimum ${minimum}`
    if (value > (maximum ?? Number.POSITIVE_INFINITY)) return `is above the maximum ${maximum}`
  }
  if (typeof value === 'string') {
    if (value.length < (minLength ?? 0)) return `is shorter than ${minLength}`
    if (value.length > (maxLength ?? Number.POSITIVE_INFINITY)) return `is longer than ${maxLength}`
    if (compiles(pattern) && !new RegExp(pattern).test(value)) return `does not match the pattern ${pattern}`
  }
  return undefined
}

function checkListKeys(schema: TSchema, items: TSchema, report: Report): void {
  const { listType, listMapKeys, patchMergeKey } = schema
  if (listType !== undefined && !['atomic', 'set', 'map'].includes(listType)) {
    report(`its listType is ${JSON.stringify(listType)}`, 'Use atomic, set or map')
  }
  const fields = items['properties'] as Properties | undefined
  const keys: readonly string[] = [
    ...(listType === 'map' ? (listMapKeys ?? [patchMergeKey ?? 'name']) : []),
    ...(patchMergeKey === undefined ? [] : [patchMergeKey]),
  ]
  for (const key of new Set(keys)) {
    if (fields && Object.hasOwn(fields, key)) continue
    report(`"${key}" is a key of its items, which have no such field`, 'Name a field of the items')
  }
}

/** Do two schemas have the same fields of the same types? Defaults, limits and descriptions may differ. */
export function isSameShape(left: TSchema, right: TSchema, compared = new Map<object, object>()): boolean {
  if (left === right) return true
  if (left['type'] !== right['type'] || left['format'] !== right['format'] || left['scalar'] !== right['scalar'])
    return false
  const [ours, theirs] = [left['properties'], right['properties']] as (Properties | undefined)[]
  if (!ours !== !theirs) return false
  if (ours && theirs && ours !== theirs && compared.get(ours) !== theirs) {
    compared.set(ours, theirs)
    const names = Object.keys(ours)
    if (names.length !== Object.keys(theirs).length) return false
    if (!names.every(name => theirs[name] && isSameShape(ours[name]!, theirs[name], compared))) return false
  }
  const inner = (schema: TSchema) =>
    (schema['items'] ?? Object.values((schema['patternProperties'] as Properties | undefined) ?? {})[0]) as
      | TSchema
      | undefined
  const [of, and] = [inner(left), inner(right)]
  return !of || !and ? !of === !and : isSameShape(of, and, compared)
}
