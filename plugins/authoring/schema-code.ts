import { isRecord, type JsonObject } from 'orch/sdk'
import { capitalized } from './plugin-names.js'
/** The schema of a definition in TypeScript. */
export interface SchemaCode {
  /** Declarations in order of dependency; the last one is the Kind. */
  readonly text: string
  /** The names that they import from the sdk. */
  readonly imports: readonly string[]
  /** Paths of required fields; `[]` stands for every item and `{}` for every value. */
  readonly required: readonly string[]
  /** Whether there are rules in CEL. */
  readonly hasRules: boolean
  /** Parts that cannot be expressed. */
  readonly left: readonly string[]
}

const isEmpty = (value: unknown) => isRecord(value) && Object.keys(value).length === 0

/** Keywords that are handled separately, or need no translation. */
const understood = new Set(['type', 'properties', 'items', 'additionalProperties', 'required', 'description', 'title'])
/** Formats that have types in the sdk. */
const saidFormats = new Set(['int32', 'int64', 'double', 'date-time', 'byte'])
const textOptions = ['pattern', 'minLength', 'maxLength', 'enum', 'default']
const numberOptions = ['minimum', 'maximum', 'default']

/** Writes the schema of one version as code. `typeName` begins the names of its structs: `garden.v1`. */
export function schemaCode(schema: JsonObject, kind: string, typeName: string): SchemaCode {
  return new SchemaWriter(typeName).write(schema, kind)
}

class SchemaWriter {
  readonly #typeName: string
  readonly #declarations: string[] = []
  readonly #names = new Set<string>()
  readonly #imports = new Set<string>()
  readonly #required: string[] = []
  readonly #left: string[] = []

  constructor(typeName: string) {
    this.#typeName = typeName
  }

  write(schema: JsonObject, kind: string): SchemaCode {
    this.#names.add(kind)
    const properties = { ...(schema['properties'] as JsonObject | undefined) }
    for (const name of ['apiVersion', 'kind', 'metadata']) delete properties[name]
    const fields = this.#fields({ ...schema, properties }, kind, '', 2)
    this.#leave(schema, '', [])
    const hasRules = /"x-[a-z]+-validations":\[\{/.test(JSON.stringify(schema))
    this.#declarations.push(
      `export const ${kind} = ${this.#use('Kind')}('${this.#typeName}.${kind}', ${fields})\nexport type ${kind} = ObjectOf<typeof ${kind}>\n`,
    )
    const [imports, required, left] = [[...this.#imports].sort(), this.#required, this.#left]
    return { text: this.#declarations.join('\n'), imports, required, left, hasRules }
  }

  #fields(schema: JsonObject, name: string, path: string, first: number): string {
    for (const each of (schema['required'] as string[] | undefined) ?? []) {
      if (path === '' && ['apiVersion', 'kind', 'metadata'].includes(each)) continue
      this.#required.push(path === '' ? each : `${path}.${each}`)
    }
    const fields = Object.entries((schema['properties'] ?? {}) as Record<string, JsonObject>).map(
      ([key, field], index) => {
        const at = path === '' ? key : `${path}.${key}`
        const value = this.#value(field, `${name}${capitalized(key.replace(/\W/g, ''))}`, at)
        const about = typeof field['description'] === 'string' ? `, ${JSON.stringify(field['description'])}` : ''
        // A struct with an empty default is always present.
        const wrapper = isRecord(field['properties']) && isEmpty(field['default']) ? 'embedded' : 'kept'
        return `  ${/^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key)}: ${this.#use(wrapper)}(${first + index}, ${value}${about}),\n`
      },
    )
    return `{\n${fields.join('')}}`
  }

  #value(schema: JsonObject, name: string, path: string): string {
    const has = (word: string) =>
      Object.entries(schema).some(([key, value]) => key.endsWith(`-${word}`) && value === true)
    if (has('int-or-string')) return this.#leaf(schema, path, 'IntOrString')
    const isOpen = has('preserve-unknown-fields') || has('embedded-resource')
    switch (schema['type']) {
      case 'string':
        if (schema['format'] === 'date-time') return this.#leaf(schema, path, 'Time')
        if (schema['format'] === 'byte') return this.#leaf(schema, path, 'Bytes')
        return this.#scalar(schema, path, 'Text', textOptions)
      case 'boolean':
        return this.#scalar(schema, path, 'Bool', ['default'])
      case 'integer':
        return this.#scalar(schema, path, schema['format'] === 'int32' ? 'Int32' : 'Int64', numberOptions)
      case 'number':
        return this.#leaf(schema, path, 'Double')
      case 'array':
        return this.#list(schema, name, path)
      case 'object':
        if (isRecord(schema['additionalProperties'])) return this.#map(schema, name, path)
        if (!isOpen && isRecord(schema['properties'])) return this.#struct(schema, name, path)
        if (isRecord(schema['properties'])) this.#left.push(`${path}: the schema of an open object`)
        return this.#leaf(schema, path, 'Unstructured')
      default:
        return this.#leaf(schema, path, 'Raw')
    }
  }

  #struct(schema: JsonObject, name: string, path: string): string {
    let own = name
    for (let count = 2; this.#names.has(own); count++) own = `${name}${count}`
    this.#names.add(own)
    this.#leave(schema, path, isEmpty(schema['default']) ? ['default'] : [])
    const fields = this.#fields(schema, own, path, 1)
    this.#declarations.push(`const ${own} = ${this.#use('Struct')}('${this.#typeName}.${own}', ${fields})\n`)
    return own
  }

  #list(schema: JsonObject, name: string, path: string): string {
    const keyword = (word: string) => Object.entries(schema).find(([key]) => key.endsWith(`-${word}`))?.[1]
    const isDistinct = ['set', 'map'].includes(String(keyword('list-type')))
    const markers = {
      listType: keyword('list-type'),
      listMapKeys: keyword('list-map-keys'),
      ...(isDistinct ? { distinct: true } : {}),
      minItems: schema['minItems'],
      maxItems: schema['maxItems'],
    }
    this.#leave(schema, path, ['minItems', 'maxItems'])
    const item = this.#value((schema['items'] ?? {}) as JsonObject, `${name}Item`, `${path}[]`)
    const given = JSON.stringify(markers)
    return `${this.#use('ListOf')}(${item}${given === '{}' ? '' : `, ${given}`})`
  }

  #map(schema: JsonObject, name: string, path: string): string {
    this.#leave(schema, path, [])
    const value = this.#value(schema['additionalProperties'] as JsonObject, `${name}Value`, `${path}{}`)
    return `${this.#use('MapOf')}(${value})`
  }

  #scalar(schema: JsonObject, path: string, type: string, known: readonly string[]): string {
    this.#leave(schema, path, known)
    const options = Object.fromEntries(
      known.filter(word => schema[word] !== undefined).map(word => [word, schema[word]]),
    )
    const given = JSON.stringify(options)
    return `${this.#use(type)}(${given === '{}' ? '' : given})`
  }
  #leaf(schema: JsonObject, path: string, type: string): string {
    return this.#scalar(schema, path, type, [])
  }

  /** Records the keywords that the code does not express. */
  #leave(schema: JsonObject, path: string, known: readonly string[]): void {
    for (const [key, value] of Object.entries(schema)) {
      if (understood.has(key) || known.includes(key) || (key === 'format' && saidFormats.has(String(value)))) continue
      if (/-(validations|list-type|list-map-keys|preserve-unknown-fields|embedded-resource|int-or-string)$/.test(key))
        continue
      this.#left.push(`${path || 'the object'}: ${key} ${JSON.stringify(value)}`)
    }
  }

  #use(name: string): string {
    this.#imports.add(name)
    return name
  }
}
