import {
  boolType,
  bytesType,
  CelMap,
  Duration,
  doubleType,
  durationType,
  dynType,
  Failure,
  intType,
  type ListSemantics,
  listType,
  mapType,
  parseTimestamp,
  stringType,
  structType,
  Timestamp,
  type Type,
  timestampType,
} from '../cel/index.js'
import { durationNanoseconds, itemSchema, type SchemaNode, valueSchema } from '../json-schema/index.js'
import { FieldsMap, isObject, JsonList, JsonMap, openValue, type ShownField, type ToValue } from './json-values.js'
import { quantityType, toQuantity } from './libraries/quantities.js'

/** The type of a schema whose values are quantities such as `10Gi`. */
export const quantitySchema = 'quantity'

/** How values of a schema appear in expressions. */
export interface Appearance {
  readonly type: Type
  readonly toValue: ToValue
  /** The maximum size of a value in characters, bytes, items or entries; 0 for values without a size. */
  readonly maxSize: number
  /** The minimum number of bytes that a value takes in a request, which limits how many there can be. */
  readonly minBytes: number
  readonly items?: Appearance
  readonly fields?: ReadonlyMap<string, Appearance>
}

/** The maximum size of a request, and therefore of every value in it. */
export const maxRequestBytes = 3 * 1024 * 1024

const keywords = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)
/** The escaped name of a field in expressions; undefined if it cannot be escaped. */
export function escapedName(name: string): string | undefined {
  if (keywords.has(name)) return `__${name}__`
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined
  return name.replace(/__|[./-]/g, part => `__${escapes[part]}__`)
}
const escapes: Readonly<Record<string, string>> = { __: 'underscores', '.': 'dot', '-': 'dash', '/': 'slash' }

/**
 * `typed`, for rules of schemas: names of fields that are keywords of CEL are escaped, and values without a type are not
 * accessible. `escaped`, for those of earlier versions: such values are dynamic if unknown fields are preserved. `both`, for other
 * expressions: fields also have their own names (`request.namespace`), and values without a type are dynamic.
 */
export type Naming = 'typed' | 'escaped' | 'both'
/** How values appear. */
export interface Shown {
  readonly values: Naming
  /** Whether a string with an enum is known to be no longer than its longest value. */
  readonly knowsEnums: boolean
}

/**
 * How values of this schema appear; undefined if they are not accessible in expressions. API objects also show apiVersion, kind and
 * the name in metadata. `name` is the name of the type, if it is a struct.
 */
export function appearanceOf(
  schema: SchemaNode,
  isResource = false,
  shown: Shown = { values: 'escaped', knowsEnums: true },
  name = 'object',
): Appearance | undefined {
  if (schema.intOrString) return { type: dynType, toValue: openValue, maxSize: maxTextSize(schema), minBytes: 1 }
  const whole = isResource ? withObjectFields(schema) : schema
  switch (whole.type) {
    case 'boolean':
      return { type: boolType, toValue: same, maxSize: 0, minBytes: 4 }
    case 'integer':
      return { type: intType, toValue: toInteger, maxSize: 0, minBytes: 1 }
    case 'number':
      return { type: doubleType, toValue: same, maxSize: 0, minBytes: 1 }
    case 'string':
      return textAppearance(shown.knowsEnums ? whole : { ...whole, enum: undefined })
    case 'array':
      return listAppearance(whole, shown, name)
    case 'object':
      return objectAppearance(whole, shown, name)
    case quantitySchema:
      return shown.values === 'both' ? quantityAppearance : undefined
    default:
      if (shown.values === 'both') return schema.maxLength === undefined ? open : { ...open, maxSize: schema.maxLength }
      return shown.values === 'escaped' && schema.preserveUnknownFields ? open : undefined
  }
}
/** A value without a schema. */
export const open: Appearance = { type: dynType, toValue: openValue, maxSize: maxRequestBytes, minBytes: 1 }

const quantityAppearance: Appearance = { type: quantityType, toValue: toQuantity, maxSize: 0, minBytes: 1 }

const same: ToValue = json => json
const toInteger: ToValue = json => (Number.isInteger(json) ? BigInt(json as number) : json)

const maxTextSize = ({ maxLength, enum: values, intOrString }: SchemaNode): number => {
  // A character takes up to four bytes.
  if (maxLength !== undefined) return Math.max(0, maxLength) * 4
  if (values && values.length > 0 && !intOrString)
    return values.reduce<number>(
      (most, value) => Math.max(most, typeof value === 'string' ? Buffer.byteLength(value) : 0),
      0,
    )
  return maxRequestBytes - 2
}
function textAppearance(schema: SchemaNode): Appearance {
  const { format, maxLength } = schema
  switch (format) {
    case 'date':
      return { type: timestampType, toValue: toTimestamp, maxSize: 12, minBytes: 12 }
    case 'date-time':
      return { type: timestampType, toValue: toTimestamp, maxSize: 32, minBytes: 21 }
    case 'duration':
      return { type: durationType, toValue: toDuration, maxSize: 32, minBytes: 3 }
    case 'byte': {
      const maxSize = maxLength === undefined ? maxRequestBytes - 2 : Math.max(0, maxLength)
      return { type: bytesType, toValue: toBytes, maxSize, minBytes: 2 }
    }
    default:
      return { type: stringType, toValue: same, maxSize: maxTextSize(schema), minBytes: 2 }
  }
}

const toTimestamp: ToValue = json => {
  const text = typeof json === 'string' && /^\d{4}-\d\d-\d\d$/.test(json) ? `${json}T00:00:00Z` : json
  const exact = typeof text === 'string' ? parseTimestamp(text) : undefined
  if (exact) return exact
  const ms = typeof text === 'string' && text.length < 100 ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? json : new Timestamp(BigInt(ms) * 1_000_000n)
}
const toDuration: ToValue = json => {
  const nanoseconds = typeof json === 'string' && json.length < 1000 ? durationNanoseconds(json) : undefined
  return nanoseconds === undefined ? json : new Duration(nanoseconds)
}
const toBytes: ToValue = json => (typeof json === 'string' ? new Uint8Array(Buffer.from(json, 'base64')) : json)

function listAppearance(schema: SchemaNode, shown: Shown, name: string): Appearance | undefined {
  const itemsSchema = itemSchema(schema)
  const items = itemsSchema && appearanceOf(itemsSchema, itemsSchema.embeddedResource, shown, `${name}.@idx`)
  if (!items) return undefined
  const maxSize = schema.maxItems ?? Math.floor((maxRequestBytes - 2) / (items.minBytes + 1))
  const semantics = semanticsOf(schema)
  return {
    type: listType(items.type),
    toValue: json => (Array.isArray(json) ? new JsonList(json, items.toValue, semantics) : json),
    maxSize: Math.max(0, maxSize),
    minBytes: 2,
    items,
  }
}

function objectAppearance(schema: SchemaNode, shown: Shown, name: string): Appearance | undefined {
  const values = valueSchema(schema)
  if (!values || (schema.properties.size > 0 && shown.values === 'both')) return fieldsAppearance(schema, shown, name)
  const items = appearanceOf(values, values.embeddedResource, shown, `${name}.@elem`)
  if (!items) return undefined
  // An entry has quotes, a key, a colon and a comma.
  const maxSize = schema.maxProperties ?? Math.floor((maxRequestBytes - 2) / (items.minBytes + 6))
  return {
    type: mapType(stringType, items.type),
    toValue: json => (isObject(json) ? new JsonMap(json, items.toValue) : json),
    maxSize: Math.max(0, maxSize),
    minBytes: 2,
    items,
  }
}

/** Every API object has these fields, whether or not its schema says so. */
function withObjectFields(schema: SchemaNode): SchemaNode {
  if (schema.type !== 'object') return schema
  const text = { ...schema, type: 'string', format: '', enum: undefined, maxLength: undefined, intOrString: false }
  const metadata: SchemaNode = {
    ...schema,
    embeddedResource: false,
    additionalProperties: undefined,
    required: [],
    default: undefined,
    properties: new Map([
      ['name', text],
      ['generateName', text],
    ]),
  }
  const { properties } = schema
  const known = properties.get('metadata')
  const isComplete =
    properties.get('kind')?.type === 'string' &&
    properties.get('apiVersion')?.type === 'string' &&
    known?.properties.get('name')?.type === 'string' &&
    known.properties.get('generateName')?.type === 'string'
  if (isComplete) return schema
  return {
    ...schema,
    properties: new Map([...properties, ['kind', text], ['apiVersion', text], ['metadata', metadata]]),
  }
}

function fieldsAppearance(schema: SchemaNode, shown: Shown, name: string): Appearance {
  const shownFields = new Map<string, ShownField>()
  const fields = new Map<string, Appearance>()
  const required = new Set(schema.required)
  let minBytes = 2
  for (const [field, fieldSchema] of schema.properties) {
    const escaped = escapedName(field)
    const typeName = `${name}.${escaped ?? field}`
    const appearance = appearanceOf(fieldSchema, fieldSchema.embeddedResource, shown, typeName)
    if (!appearance) continue
    if (required.has(field) && fieldSchema.default === undefined)
      minBytes += Buffer.byteLength(field) + appearance.minBytes + 4
    if (escaped === undefined && shown.values !== 'both') continue
    const names = shown.values === 'both' ? new Set([escaped ?? field, field]) : [escaped!]
    for (const each of names) {
      shownFields.set(each, { name: field, toValue: appearance.toValue })
      fields.set(each, appearance)
    }
  }
  return {
    type: structType(name, new Map([...fields].map(([each, { type }]) => [each, type]))),
    toValue: json => (isObject(json) ? new FieldsMap(json, shownFields) : json),
    maxSize: 0,
    minBytes,
    fields,
  }
}

/** Sets and map lists are equal in any order, and have their own kind of addition. */
function semanticsOf({ listType: kind, listMapKeys }: SchemaNode): ListSemantics | undefined {
  if (kind !== 'set' && kind !== 'map') return undefined
  const keys = listMapKeys.map(key => escapedName(key) ?? key)
  const semantics: ListSemantics = {
    comparesItems: kind === 'map',
    keyOf(item, charge) {
      if (kind === 'set' || !(item instanceof CelMap)) return scalarKey(item, charge)
      return keys.map(key => scalarKey(item.get(key) ?? null, charge)).join('\n')
    },
    listOf: items => new JsonList(items, same, semantics),
  }
  return semantics
}
/** Items of sets and keys of maps are scalars. */
function scalarKey(value: unknown, charge: (steps: number) => void): string {
  charge(4)
  if (typeof value === 'string') {
    charge(value.length / 8)
    return JSON.stringify(value)
  }
  if (typeof value === 'object' && value !== null) throw new Failure('an item of a set must be a scalar')
  return `${typeof value}${String(value)}`
}

/** The maximum size of the value at a path; the first step is the name of the variable. Undefined if it is not known. */
export function sizeAt(root: Appearance, path: readonly string[]): number | undefined {
  let at: Appearance | undefined = root
  for (const step of path.slice(1)) {
    if (!at) return undefined
    if (at === open) return maxRequestBytes
    if (step === '@items' || step === '@values') at = at.items
    // Keys of maps have no size limit of their own and are not counted.
    else if (step === '@keys') return isMap(at) ? 0 : undefined
    else at = at.fields?.get(step)
  }
  return at?.maxSize
}
const isMap = ({ type }: Appearance) => type.kind === 'map'
