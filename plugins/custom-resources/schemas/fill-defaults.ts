import { isRecord, type JsonObject, tooLarge } from 'orch/sdk'
import { itemSchema, LazyNodes, type SchemaNode, valueSchema } from '../../../libs/json-schema/index.js'
import { copyValue, setField } from './prune.js'

/** Fills defaults into the value, in place. */
export type Fill = (value: unknown) => void
/** The same, counting the characters that are added. */
type FillWithin = (value: unknown, added: AddedDefaults) => void

/** Larger objects cannot be stored anyway, and items times defaults may be far more. */
const maxAddedCharacters = 1_500_000

/** Counts the characters that defaults add to one object. */
class AddedDefaults {
  #left = maxAddedCharacters

  add(characters: number): void {
    this.#left -= characters
    if (this.#left < 0) throw new TooManyDefaults()
  }
}

/** Thrown when defaults make an object too large. Every level that it passes adds its step to the path. */
class TooManyDefaults extends Error {
  readonly path: string[] = []
}

/**
 * Compiles a schema into a function that sets the defaults of missing fields. A null that the schema does not allow
 * counts as missing: it is replaced by the default, or dropped.
 */
export function compileDefaults(schema: SchemaNode): Fill {
  const fill = lazily(schema)
  return value => {
    try {
      fill(value, new AddedDefaults())
    } catch (error) {
      if (!(error instanceof TooManyDefaults)) throw error
      const field = error.path.join('').replace(/^\./, '')
      throw tooLarge(`${field}: the defaults of the schema make the object larger than ${maxAddedCharacters} bytes`)
    }
  }
}

function lazily(schema: SchemaNode): FillWithin {
  let compiled: FillWithin | undefined
  return (value, added) => {
    if (typeof value !== 'object' || value === null) return
    compiled ??= compile(schema)
    compiled(value, added)
  }
}

function compile(schema: SchemaNode): FillWithin {
  const item = itemSchema(schema)
  const fillItem = item && lazily(item)
  const defaultItem = item && item.default !== undefined && defaultOf(item)
  const fillFields = compileFields(schema)
  return (value, added) => {
    if (!Array.isArray(value)) return fillFields(value as JsonObject, added)
    if (!item) return
    let index = 0
    try {
      for (; index < value.length; index++) {
        if (value[index] === null && !item.nullable && defaultItem) value[index] = defaultItem(added)
        fillItem!(value[index], added)
      }
    } catch (error) {
      throw at(error, `[${index}]`)
    }
  }
}

/** A copy of the default of a schema each time. */
function defaultOf({ default: value }: SchemaNode): (added: AddedDefaults) => unknown {
  const characters = JSON.stringify(value).length
  return added => {
    added.add(characters)
    return copyValue(value)
  }
}

/** Makes the value of a missing field; undefined for one without a default. */
type MakeDefault = ((added: AddedDefaults) => unknown) | undefined
interface FieldFill {
  readonly isNullable: boolean
  readonly makeDefault: MakeDefault
  readonly fill: FillWithin
}

function compileFields(schema: SchemaNode): (value: JsonObject, added: AddedDefaults) => void {
  const { properties } = schema
  const fields = new Map<string, FieldFill>()
  const fieldOf = (name: string): FieldFill | undefined => {
    const known = fields.get(name)
    if (known || !properties.has(name)) return known
    const field = properties.get(name)!
    const made = {
      isNullable: field.nullable,
      makeDefault: field.default === undefined ? undefined : defaultOf(field),
      fill: lazily(field),
    }
    fields.set(name, made)
    return made
  }
  const values = valueSchema(schema)
  const ofValues = values && {
    isNullable: values.nullable,
    makeDefault: values.default === undefined ? undefined : defaultOf(values),
    fill: lazily(values),
  }
  const defaulted = fieldsWithDefault(properties)
  return (object, added) => {
    let current = ''
    try {
      for (const name of Object.keys(object)) {
        current = name
        const field = fieldOf(name) ?? ofValues
        if (!field) continue
        if (object[name] === null && !field.isNullable) {
          if (field.makeDefault) setField(object, name, field.makeDefault(added))
          else delete object[name]
        }
        field.fill(object[name], added)
      }
      for (const { name, value, characters } of defaulted) {
        if (Object.hasOwn(object, name) && object[name] !== undefined) continue
        current = name
        added.add(characters)
        setField(object, name, copyValue(value))
        if (typeof value === 'object') fieldOf(name)!.fill(object[name], added)
      }
    } catch (error) {
      throw at(error, `.${current}`)
    }
  }
}

interface DefaultField {
  readonly name: string
  readonly value: unknown
  /** Of the name and the value. */
  readonly characters: number
}

/** Taken from the source, without parsing the schemas: there may be tens of thousands. */
function fieldsWithDefault(properties: SchemaNode['properties']): readonly DefaultField[] {
  const found: DefaultField[] = []
  for (const name of properties.keys()) {
    const source = properties instanceof LazyNodes ? properties.sourceOf(name) : properties.get(name)
    const value = isRecord(source) ? source['default'] : undefined
    if (value === undefined || value === null) continue
    const characters = name.length + (typeof value === 'string' ? value.length : JSON.stringify(value).length)
    found.push({ name, value, characters })
  }
  return found
}

function at(error: unknown, step: string): unknown {
  if (error instanceof TooManyDefaults) error.path.unshift(step)
  return error
}
