import { create } from '@bufbuild/protobuf'
import { reflect } from '@bufbuild/protobuf/reflect'
import { DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt'
import { durationNanoseconds } from '../schemas/formats.js'
import { itemSchema, type SchemaNode, valueSchema } from '../schemas/schema-node.js'
import { dyn, type ExpressionType, maxRequestBytes, scalar } from './expression-types.js'
import { LazyMap, listOver, mapOver, openValue, ownField } from './open-values.js'

type Json = Record<string, unknown>
/** Converts JSON to a CEL value. */
export type ToValue = (json: unknown) => unknown
/** How values of a schema appear in expressions. Undefined for schemas whose values are not accessible in expressions. */
export interface Appearance {
  readonly type: ExpressionType
  readonly toValue: ToValue
}

const keywords = new Set([
  ...[
    'true',
    'false',
    'null',
    'in',
    'as',
    'break',
    'const',
    'continue',
    'else',
    'for',
    'function',
    'if',
    'import',
    'let',
    'loop',
  ],
  ...['package', 'namespace', 'return', 'var', 'void', 'while'],
])
/** The escaped name of a field in expressions; undefined if it cannot be escaped. */
export function escapedName(name: string): string | undefined {
  if (keywords.has(name)) return `__${name}__`
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined
  return name.replace(/__|[./-]/g, part => `__${escapes[part]}__`)
}
const escapes: Readonly<Record<string, string>> = { __: 'underscores', '.': 'dot', '-': 'dash', '/': 'slash' }

/**
 * `escaped`, for rules of schemas: names of fields that are keywords of CEL are escaped, and values without a type are not
 * accessible. `both`, for other expressions: fields also have their own names (`request.namespace`), and values without a type are
 * dynamic.
 */
export type Naming = 'escaped' | 'both'

/** How values of this schema appear. API objects also show apiVersion, kind and the name in metadata. */
export function appearanceOf(
  schema: SchemaNode,
  isResource = false,
  naming: Naming = 'escaped',
): Appearance | undefined {
  if (schema.intOrString) return { type: dyn, toValue: openValue }
  switch (schema.type) {
    case 'boolean':
      return { type: scalar('bool'), toValue: same }
    case 'integer':
      return { type: scalar('int'), toValue: json => (Number.isInteger(json) ? BigInt(json as number) : json) }
    case 'number':
      return { type: scalar('double'), toValue: same }
    case 'string':
      return textAppearance(schema)
    case 'array':
      return listAppearance(schema, naming)
    case 'object':
      return isResource || schema.embeddedResource
        ? resourceAppearance(schema, naming)
        : objectAppearance(schema, naming)
    default:
      return schema.preserveUnknownFields || naming === 'both' ? { type: dyn, toValue: openValue } : undefined
  }
}

const same: ToValue = json => json

function textAppearance({ format, maxLength, enum: values }: SchemaNode): Appearance {
  switch (format) {
    case 'date':
    case 'date-time':
      return { type: scalar('timestamp'), toValue: toTimestamp }
    case 'duration':
      return { type: scalar('duration'), toValue: toDuration }
    case 'byte':
      return {
        type: scalar('bytes', maxLength ?? maxRequestBytes - 2),
        toValue: json => (typeof json === 'string' ? new Uint8Array(Buffer.from(json, 'base64')) : json),
      }
  }
  const longest = values
    ? lengthsOf(values).reduce((a, b) => Math.max(a, b), 0)
    : maxLength === undefined
      ? undefined
      : maxLength * 4
  return { type: scalar('string', longest ?? maxRequestBytes - 2), toValue: same }
}

const toTimestamp: ToValue = json => {
  const ms = typeof json === 'string' ? Date.parse(json) : Number.NaN
  if (Number.isNaN(ms)) return json
  const fraction = /\.(\d+)/.exec(json as string)?.[1] ?? ''
  const nanos = Number(fraction.padEnd(9, '0').slice(0, 9))
  return reflect(TimestampSchema, create(TimestampSchema, { seconds: BigInt(Math.floor(ms / 1000)), nanos }))
}
const toDuration: ToValue = json => {
  const nanoseconds = typeof json === 'string' ? durationNanoseconds(json) : undefined
  if (nanoseconds === undefined) return json
  const parts = { seconds: nanoseconds / 1_000_000_000n, nanos: Number(nanoseconds % 1_000_000_000n) }
  return reflect(DurationSchema, create(DurationSchema, parts))
}

const lengthsOf = (values: readonly unknown[]) => values.map(value => String(value).length)

/** The minimum size of a value in a request, which bounds how many of them there can be. */
function minBytes(schema: SchemaNode): number {
  if (schema.intOrString) return 1
  switch (schema.type) {
    case 'boolean':
      return 4
    case 'integer':
    case 'number':
      return 1
    case 'string':
      return schema.enum ? 2 + lengthsOf(schema.enum).reduce((a, b) => Math.min(a, b), maxRequestBytes) : 2
    case 'object': {
      const required = schema.required.filter(name => schema.properties.get(name)?.default === undefined)
      return required.reduce((sum, name) => sum + name.length + 4 + minBytes(schema.properties.get(name) ?? schema), 2)
    }
    default:
      return 2
  }
}

export const maxItemsOf = (schema: SchemaNode, items: SchemaNode): number =>
  schema.maxItems ?? Math.floor(maxRequestBytes / (minBytes(items) + 1))
/** An entry needs at least `"":` and a comma. */
export const maxEntriesOf = (schema: SchemaNode, values: SchemaNode): number =>
  schema.maxProperties ?? Math.floor(maxRequestBytes / (minBytes(values) + 4))

function listAppearance(schema: SchemaNode, naming: Naming): Appearance | undefined {
  const items = itemSchema(schema)
  const item = items && appearanceOf(items, false, naming)
  if (!item) return undefined
  return {
    type: { kind: 'list', item: item.type, maxSize: maxItemsOf(schema, items) },
    toValue: json => (Array.isArray(json) ? listOver(json, item.toValue) : json),
  }
}

function objectAppearance(schema: SchemaNode, naming: Naming): Appearance | undefined {
  const values = valueSchema(schema)
  if (values && schema.properties.size === 0) {
    const value = appearanceOf(values, false, naming)
    if (!value) return undefined
    return {
      type: { kind: 'map', key: scalar('string'), value: value.type, maxSize: maxEntriesOf(schema, values) },
      toValue: json => (isObject(json) ? mapOver(json, value.toValue) : json),
    }
  }
  return fieldsAppearance(schema.properties, naming)
}

function resourceAppearance(schema: SchemaNode, naming: Naming): Appearance | undefined {
  const text = { ...schema, type: 'string', format: '', enum: undefined, maxLength: undefined } as SchemaNode
  const name = { ...text, maxLength: 253 } as SchemaNode
  const metadata = {
    ...schema,
    embeddedResource: false,
    properties: new Map([
      ['name', name],
      ['generateName', name],
    ]),
  } as SchemaNode
  const properties = new Map([['apiVersion', text], ['kind', text], ...schema.properties, ['metadata', metadata]])
  return fieldsAppearance(properties, naming)
}

function fieldsAppearance(properties: ReadonlyMap<string, SchemaNode>, naming: Naming): Appearance {
  const fields = [...properties].flatMap(([name, field]) => {
    const escaped = escapedName(name)
    const appearance = escaped === undefined ? undefined : appearanceOf(field, false, naming)
    if (!appearance) return []
    const names = naming === 'both' ? new Set([escaped!, name]) : [escaped!]
    return [...names].map(shown => ({ name, escaped: shown, ...appearance }))
  })
  const byName = new Map(fields.map(field => [field.escaped, field]))
  return {
    type: { kind: 'object', fields: new Map(fields.map(({ escaped, type }) => [escaped, type])) },
    toValue: json => (isObject(json) ? new FieldsMap(json, byName) : json),
  }
}

interface ShownField {
  readonly name: string
  readonly toValue: ToValue
}
/** A CEL map over an object that shows the fields of its schema. */
class FieldsMap extends LazyMap {
  readonly #json: Json
  readonly #fields: ReadonlyMap<string, ShownField>
  constructor(json: Json, fields: ReadonlyMap<string, ShownField>) {
    super()
    this.#json = json
    this.#fields = fields
  }
  get(key: unknown): unknown {
    const field = this.#fields.get(key as string)
    const value = field && ownField(this.#json, field.name)
    // Expressions see a null field as absent.
    return value === undefined || value === null ? undefined : field!.toValue(value)
  }
  keys(): MapIterator<string> {
    const isThere = (name: string) => (ownField(this.#json, this.#fields.get(name)!.name) ?? null) !== null
    return [...this.#fields.keys()].filter(isThere).values() as MapIterator<string>
  }
}

const isObject = (json: unknown): json is Json => typeof json === 'object' && json !== null && !Array.isArray(json)
