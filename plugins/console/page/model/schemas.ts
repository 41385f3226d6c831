import { type Anything, requestJson } from './api.js'
import { apiVersionOf } from './catalogue.js'
import { type Path, pathText } from './field-sets.js'
import type { ResourceType } from './resource-type.js'
import { settings } from './session.js'

/** Schemas of types from the server's OpenAPI v3 documents. */

export interface Schema {
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly $ref?: string
  readonly allOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly [extension: string]: unknown
}

/** The schema of one type. References are resolved on access. */
export class TypeSchema {
  readonly #root: Schema
  readonly #definitions: Readonly<Record<string, Schema>>
  /** Schemas of fields that the type itself leaves open, by path. */
  readonly #fields: ReadonlyMap<string, Schema>

  constructor(
    root: Schema,
    definitions: Readonly<Record<string, Schema>>,
    fields: ReadonlyMap<string, Schema> = new Map(),
  ) {
    this.#root = root
    this.#definitions = definitions
    this.#fields = fields
  }

  /** A copy in which a field has another schema. */
  withField(path: Path, schema: Schema): TypeSchema {
    return new TypeSchema(this.#root, this.#definitions, new Map([...this.#fields, [pathText(path), schema]]))
  }

  /** Does the field have a schema of its own, which the server does not check when an object is written? */
  isOwn(path: Path): boolean {
    return this.#fields.has(pathText(path))
  }

  /** Resolves references; siblings of a reference, such as a description, override its target. */
  resolve(schema: Schema): Schema {
    const inner = schema.$ref ?? schema.allOf?.[0]?.$ref
    if (inner === undefined) return schema
    const target = this.#definitions[inner.split('/').at(-1)!]
    if (!target) return {}
    const { $ref: _, allOf: __, ...beside } = schema
    return { ...this.resolve(target), ...beside }
  }

  /** The schema at a path, with any index for list items; undefined if the type has no such field. */
  at(path: Path): Schema | undefined {
    let schema: Schema | undefined = this.resolve(this.#root)
    for (const [depth, step] of path.entries()) {
      if (!schema) return undefined
      const own = this.#fields.size > 0 && this.#fields.get(pathText(path.slice(0, depth + 1)))
      if (own) {
        schema = own
        continue
      }
      const inner: Schema | undefined =
        typeof step === 'number'
          ? schema.items
          : (schema.properties?.[step] ??
            (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined))
      if (!inner) return this.isOpen(schema) ? {} : undefined
      schema = this.resolve(inner)
    }
    return schema
  }

  /** Does the schema allow any content? */
  isOpen(schema: Schema): boolean {
    const free = schema[`${settings.value.extensionPrefix}preserve-unknown-fields`] === true
    return (
      free ||
      schema.additionalProperties === true ||
      (!schema.properties && !schema.additionalProperties && schema.type !== 'array')
    )
  }

  /** The keys that identify the items of a list. */
  listKeys(path: Path): readonly string[] | undefined {
    const schema = this.at(path)
    const prefix = settings.value.extensionPrefix
    return schema?.[`${prefix}list-type`] === 'map'
      ? (schema[`${prefix}list-map-keys`] as readonly string[] | undefined)
      : undefined
  }

  /** A template for a new object: required and common fields, with defaults or sample values. */
  template(type: ResourceType, namespace: string): Anything {
    const root = this.resolve(this.#root)
    const rest = Object.fromEntries(
      Object.entries(root.properties ?? {})
        .filter(([name]) => !['apiVersion', 'kind', 'metadata', 'status'].includes(name))
        .filter(([name]) => name === 'spec' || name === 'data' || root.required?.includes(name))
        .map(([name, schema]) => [name, this.#sample(this.resolve(schema), 0, `my-${type.singular}`)]),
    )
    return {
      apiVersion: apiVersionOf(type),
      kind: type.kind,
      metadata: { name: `my-${type.singular}`, ...(type.isNamespaced ? { namespace: namespace || 'default' } : {}) },
      ...rest,
    }
  }
  #sample(schema: Schema, depth: number, name: string): unknown {
    if (schema.default !== undefined && !(typeof schema.default === 'object' && schema.properties))
      return schema.default
    if (schema.enum?.length) return schema.enum[0]
    if (schema.type === 'array')
      return schema.items && depth < maxDepth ? [this.#sample(this.resolve(schema.items), depth + 1, name)] : []
    const { properties } = schema
    if (!properties) return samples[schema.type ?? 'object'] ?? {}
    const wanted = Object.keys(properties).filter(field => schema.required?.includes(field) || usualFields.has(field))
    return Object.fromEntries(
      wanted
        .filter(() => depth < maxDepth)
        .map(field => [
          field,
          labelled(field, name) ?? this.#sample(this.resolve(properties[field]!), depth + 1, name),
        ]),
    )
  }
}
const maxDepth = 6
/** Not required by schemas, but set in nearly every object. */
const usualFields = new Set(['spec', 'template', 'selector', 'matchLabels', 'image', 'metadata'])
/** The selector has to match the labels of the template. */
const labelled = (field: string, name: string): unknown =>
  field === 'matchLabels' ? { app: name } : field === 'metadata' ? { labels: { app: name } } : undefined
const samples: Readonly<Record<string, unknown>> = { string: '', integer: 1, number: 1, boolean: false }

const loaded = new Map<string, Promise<Anything>>()

/** Undefined if the server has no schema for the type, or the user may not read it. */
export async function schemaOf(type: ResourceType): Promise<TypeSchema | undefined> {
  const path = `/openapi/v3/${type.group === '' ? 'api' : `apis/${type.group}`}/${type.version}`
  if (!loaded.has(path)) {
    const document = requestJson(path)
    loaded.set(path, document)
    // Not kept for long: definitions and the server itself may change.
    document.catch(() => {}).then(() => setTimeout(() => loaded.delete(path), 60_000))
  }
  const document = await loaded.get(path)!.catch(() => undefined)
  const definitions: Record<string, Schema> = document?.components?.schemas ?? {}
  const key = Object.keys(settings.value.groups).length ? `${settings.value.extensionPrefix}group-version-kind` : ''
  const root = Object.values(definitions).find(schema =>
    (schema[key] as { group: string; kind: string; version: string }[] | undefined)?.some?.(
      each => each.group === type.group && each.kind === type.kind && each.version === type.version,
    ),
  )
  return root && new TypeSchema(root, definitions)
}
