import type { JsonObject } from '../../resource/own-value.js'
import { isRecord } from '../../resource/own-value.js'
import { type JsonSchema, matchesSchema, partsOf, propertiesOf, vendorKeyword } from './matches-schema.js'
import { SeededChoices } from './seeded-choices.js'
import { textForPattern } from './text-for-pattern.js'

/** How much of what is optional an object has. */
type Size = 'smallest' | 'largest' | 'random'

/**
 * Generates objects that are valid for a structural schema: that of a CustomResourceDefinition, or any other. The same
 * seed generates the same objects.
 */
export interface ObjectGenerator {
  /** With required fields only. */
  smallest(): JsonObject | undefined
  /** With every field, full lists and long strings, within reasonable limits. */
  largest(): JsonObject | undefined
  /** With some of the optional fields; different ones every time. */
  random(): JsonObject | undefined
}

/**
 * A generator for a schema. It supports all keywords except CEL rules, which cannot be solved in general: `isValid`
 * decides whether an object is acceptable, and is called for each until one is. Returns undefined if none is found.
 */
export function generateObjects(
  schema: JsonSchema,
  {
    seed = 1,
    isValid = () => true,
  }: { readonly seed?: number; readonly isValid?: (object: JsonObject) => boolean } = {},
): ObjectGenerator {
  const choices = new SeededChoices(seed)
  const make = (size: Size): JsonObject | undefined => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const maker = new ValueMaker(choices, size, attempt)
      const object = maker.value(withoutObjectFields(schema), 0)
      if (isRecord(object) && matchesSchema(object, withoutObjectFields(schema)) && isValid(object)) return object
    }
    return undefined
  }
  return { smallest: () => make('smallest'), largest: () => make('largest'), random: () => make('random') }
}
const attempts = 40

/** The metadata of objects is not generated. */
function withoutObjectFields(schema: JsonSchema): JsonSchema {
  const { apiVersion: _, kind: __, metadata: ___, ...properties } = propertiesOf(schema)
  const required = ((schema['required'] ?? []) as string[]).filter(name => Object.hasOwn(properties, name))
  return { ...schema, properties, required }
}

const maxDepth = 12
const maxValues = 3000
const longestText = 100
const fullList = 3

class ValueMaker {
  readonly #choices: SeededChoices
  readonly #size: Size
  /** Grows with each attempt: later attempts have fewer optional fields. */
  readonly #attempt: number
  #values = 0

  constructor(choices: SeededChoices, size: Size, attempt: number) {
    this.#choices = choices
    this.#size = size
    this.#attempt = attempt
  }

  value(schema: JsonSchema, depth: number): unknown {
    this.#values++
    const whole = this.#narrowed(schema)
    const values = whole['enum'] as readonly unknown[] | undefined
    if (values && values.length > 0) return structuredClone(this.#choices.pick(values))
    if (whole['nullable'] === true && this.#size === 'random' && this.#choices.chance(0.1)) return null
    if (vendorKeyword(whole, 'int-or-string') === true) return this.#integerOrText(whole)
    switch (whole['type']) {
      case 'string':
        return this.#text(whole)
      case 'integer':
      case 'number':
        return this.#number(whole)
      case 'boolean':
        return this.#size === 'largest' || (this.#size === 'random' && this.#choices.chance(0.5))
      case 'array':
        return this.#list(whole, depth)
      case 'object':
        return this.#object(whole, depth)
      default:
        return {}
    }
  }

  /** The schema together with the logical parts that a value is going to satisfy. */
  #narrowed(schema: JsonSchema): JsonSchema {
    let whole = schema
    for (const part of partsOf(schema, 'allOf')) whole = merged(whole, this.#narrowed(part))
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      const parts = partsOf(schema, keyword)
      // The first ones first: they are usually the preferred ones, and later attempts try the others.
      if (parts.length > 0) {
        const part = this.#attempt < parts.length ? parts[this.#attempt]! : this.#choices.pick(parts)
        whole = merged(whole, this.#narrowed(part))
      }
    }
    return whole
  }

  #object(schema: JsonSchema, depth: number): JsonObject {
    const object: JsonObject = vendorKeyword(schema, 'embedded-resource') === true ? embeddedObject() : {}
    const required = new Set((schema['required'] ?? []) as readonly string[])
    const forbidden = new Set(requiredByNot(schema))
    const properties = propertiesOf(schema)
    for (const [name, field] of Object.entries(properties)) {
      if (Object.hasOwn(object, name) || (forbidden.has(name) && !required.has(name))) continue
      if (required.has(name) || this.#isWanted(depth)) object[name] = this.value(field, depth + 1)
    }
    for (const name of required) if (!Object.hasOwn(object, name)) object[name] = {}
    const { additionalProperties, minProperties, maxProperties } = schema
    if (isRecord(additionalProperties)) {
      const most = Math.min((maxProperties as number | undefined) ?? fullList, fullList)
      const count = Math.max((minProperties as number | undefined) ?? 0, this.#count(most, depth))
      for (let at = 0; at < count; at++) object[`key-${at}`] = this.value(additionalProperties, depth + 1)
    } else this.#addUntil((minProperties as number | undefined) ?? 0, object, properties, depth)
    return object
  }

  /** Adds optional fields until there are enough. */
  #addUntil(least: number, object: JsonObject, properties: Readonly<Record<string, JsonSchema>>, depth: number): void {
    for (const [name, field] of Object.entries(properties)) {
      if (Object.keys(object).length >= least) return
      if (!Object.hasOwn(object, name)) object[name] = this.value(field, depth + 1)
    }
    for (let at = 0; Object.keys(object).length < least; at++) object[`more-${at}`] = {}
  }

  #list(schema: JsonSchema, depth: number): unknown[] {
    const { items, minItems = 0, maxItems } = schema as { minItems?: number; maxItems?: number; items?: JsonSchema }
    const count = Math.max(minItems, this.#count(Math.min(maxItems ?? fullList, Math.max(fullList, minItems)), depth))
    const listType = vendorKeyword(schema, 'list-type')
    const keys = (vendorKeyword(schema, 'list-map-keys') ?? []) as readonly string[]
    const list: unknown[] = []
    const seen = new Set<string>()
    for (let attempt = 0; list.length < count && attempt < count * 5; attempt++) {
      const item = items ? this.value(items, depth + 1) : {}
      const identity = listType === 'map' && isRecord(item) ? keys.map(key => item[key] ?? null) : item
      const key = JSON.stringify(identity)
      if ((listType === 'set' || listType === 'map') && seen.has(key)) continue
      seen.add(key)
      list.push(item)
    }
    return list
  }

  #isWanted(depth: number): boolean {
    if (this.#size === 'smallest' || depth >= maxDepth || this.#values > maxValues) return false
    const probability = (this.#size === 'largest' ? 1 : 0.5) - (this.#attempt * 1.1) / attempts
    return this.#choices.chance(Math.max(0, probability))
  }
  #count(most: number, depth: number): number {
    if (this.#size === 'smallest' || depth >= maxDepth || this.#values > maxValues) return 0
    return this.#size === 'largest' && this.#attempt === 0 ? most : this.#choices.between(0, most)
  }

  #integerOrText(schema: JsonSchema): unknown {
    if (typeof schema['pattern'] === 'string' && this.#choices.chance(0.5)) return this.#text(schema)
    return this.#number({ ...schema, type: 'integer' })
  }

  #text(schema: JsonSchema): string {
    const { pattern, format, minLength = 0, maxLength } = schema as Record<string, never>
    const most = Math.min((maxLength as number | undefined) ?? longestText, Math.max(longestText, minLength))
    if (typeof pattern === 'string' && pattern !== '') {
      const found = textForPattern(pattern, this.#choices, { minLength, maxLength: most })
      if (found !== undefined) return found
    }
    const sample = samples[String(format ?? '').replaceAll('-', '')]
    if (sample !== undefined) return sample
    const length =
      this.#size === 'smallest' ? minLength : this.#size === 'largest' ? most : this.#lengthUpTo(minLength, most)
    return Array.from({ length }, () => this.#choices.pick([...letters])).join('')
  }
  #lengthUpTo(least: number, most: number): number {
    return this.#choices.between(least, Math.max(least, Math.min(most, 12)))
  }

  #number(schema: JsonSchema): number {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, type, format } = schema as Record<
      string,
      never
    >
    const step = (multipleOf as number | undefined) ?? 1
    const isWhole = type === 'integer'
    const limit = format === 'int32' || isWhole ? 2 ** 31 - 1 : 1e9
    let least = (minimum as number | undefined) ?? Math.min(0, (maximum as number | undefined) ?? 0)
    let most = (maximum as number | undefined) ?? Math.max(least, Math.min(limit, least + 1000))
    if (exclusiveMinimum === true) least += isWhole ? 1 : (most - least) / 1000
    if (exclusiveMaximum === true) most -= isWhole ? 1 : (most - least) / 1000
    const [first, last] = [Math.ceil(least / step), Math.floor(most / step)]
    if (last < first) return least
    const chosen =
      this.#size === 'smallest' ? first : this.#size === 'largest' ? last : this.#choices.between(first, last)
    return chosen * step
  }
}

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
const embeddedObject = (): JsonObject => ({ apiVersion: 'v1', kind: 'Thing', metadata: { name: 'embedded' } })

/** Fields that `not` forbids: `not: { required: [a] }`, also inside anyOf. */
function requiredByNot({ not }: JsonSchema): readonly string[] {
  if (!isRecord(not)) return []
  const own = (not['required'] ?? []) as readonly string[]
  return [...own, ...partsOf(not, 'anyOf').flatMap(part => (part['required'] ?? []) as readonly string[])]
}

/** Both schemas in one. If both limit a value, the stricter limit applies. */
function merged(schema: JsonSchema, part: JsonSchema): JsonSchema {
  const result: JsonObject = { ...schema }
  for (const [keyword, value] of Object.entries(part)) {
    const known = result[keyword]
    if (known === undefined || keyword === 'pattern') result[keyword] = value
    else if (keyword === 'required') result[keyword] = [...new Set([...(known as string[]), ...(value as string[])])]
    else if (keyword === 'properties') result[keyword] = mergedProperties(propertiesOf(schema), propertiesOf(part))
    else if (keyword === 'items') result[keyword] = merged(known as JsonSchema, value as JsonSchema)
    else if (keyword === 'enum')
      result[keyword] = (known as unknown[]).filter(each => (value as unknown[]).includes(each))
    else if (keyword === 'not') result[keyword] = { anyOf: [known, value] }
    else if (keyword.startsWith('min')) result[keyword] = Math.max(known as number, value as number)
    else if (keyword.startsWith('max')) result[keyword] = Math.min(known as number, value as number)
  }
  return result
}
function mergedProperties(known: Readonly<Record<string, JsonSchema>>, more: Readonly<Record<string, JsonSchema>>) {
  const result = { ...known }
  for (const [name, field] of Object.entries(more)) {
    const before = result[name]
    result[name] = before ? merged(before, field) : field
  }
  return result
}

/** A value of every format that is checked. */
const samples: Readonly<Record<string, string>> = {
  datetime: '2020-02-29T12:00:00Z',
  date: '2020-02-29',
  duration: '1h30m',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  cidr: '192.0.2.0/24',
  uri: 'https://example.com/a',
  email: 'a@example.com',
  hostname: 'a.example.com',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  uuid3: '123e4567-e89b-32d3-a456-426614174000',
  uuid4: '123e4567-e89b-42d3-a456-426614174000',
  uuid5: '123e4567-e89b-52d3-a456-426614174000',
  mac: '00:00:5e:00:53:01',
  byte: 'YWJj',
  bsonobjectid: '507f1f77bcf86cd799439011',
  isbn: '0321751043',
  isbn10: '0321751043',
  isbn13: '9780321751041',
  creditcard: '4111111111111111',
  ssn: '111-22-3333',
  hexcolor: '#ffffff',
  rgbcolor: 'rgb(1,2,3)',
  k8sshortname: 'a-name',
  k8slongname: 'a.long.name',
}
