import { defineDifference, type TSchema } from 'orch/sdk'
import type { UnionMarker } from 'orch/sdk/host'
import type { JsonObject } from '../../libs/json/index.js'
import type { FieldNode, ListNode, ScalarNode, StructNode, TypeNode } from '../schema/type-model.js'
import type { NamedScalar, OpenApiNames } from './names.js'

export interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** The differences between schemas of the two versions of OpenAPI. */
export interface SchemaDialect {
  readonly refPrefix: string
  /** Whether it supports all of JSON Schema. */
  readonly isComplete: boolean
  /** Puts other keywords beside a reference, which not every version allows directly. */
  withSiblings(reference: JsonObject, siblings: JsonObject): JsonObject
  readonly scalars: Readonly<Record<NamedScalar, JsonObject>>
}

export const statesListTypes = defineDifference({
  name: 'openapi-has-list-types',
  since: '1.30',
  description: 'The OpenAPI documents state for every list how it is merged: atomic, by keys or as a set.',
  knownFrom: 'source',
})

const documentOf = ({ schema }: StructNode) => schema['document'] as ((isComplete: boolean) => JsonObject) | undefined

/** Collects the definitions of structs, each once, under its name. */
export class Definitions {
  readonly #names: OpenApiNames
  readonly #dialect: SchemaDialect
  readonly #statesListTypes: boolean
  readonly #schemas = new Map<string, JsonObject>()
  readonly #kinds = new Map<string, GroupVersionKind[]>()
  readonly #withoutTypeMeta = new Set<string>()

  constructor(names: OpenApiNames, dialect: SchemaDialect) {
    this.#names = names
    this.#dialect = dialect
    this.#statesListTypes = names.level.has(statesListTypes)
  }

  /** All definitions, sorted by name. */
  toJSON(): JsonObject {
    const sorted = [...this.#schemas].sort(([left], [right]) => (left < right ? -1 : 1))
    return Object.fromEntries(sorted.map(([name, schema]) => [name, this.#withKinds(name, schema)]))
  }

  reference(name: string): JsonObject {
    return { $ref: this.#dialect.refPrefix + name }
  }

  /** Adds a struct with everything it uses. With `kind` it is a top-level object, with apiVersion and kind. */
  struct(node: StructNode, kind?: GroupVersionKind): string {
    const name = this.#nameOf(node)
    if (kind) this.#addKind(name, kind)
    if (!this.#schemas.has(name)) {
      // Reserved before its fields are visited: a struct may contain itself.
      this.#schemas.set(name, {})
      this.#schemas.set(name, this.#structSchema(node))
    }
    return name
  }

  /** Adds a struct that has a kind, but no fields for it. */
  namedOnly(node: StructNode, kind: GroupVersionKind): void {
    this.#withoutTypeMeta.add(this.struct(node, kind))
  }

  /** Adds the list type of a kind. */
  list(item: StructNode, listMeta: StructNode, kind: GroupVersionKind, listKind: string): string {
    const itemName = this.#nameOf(item)
    const name =
      listKind === `${kind.kind}List` ? `${itemName}List` : itemName.slice(0, itemName.lastIndexOf('.') + 1) + listKind
    this.#addKind(name, { ...kind, kind: listKind })
    if (!this.#schemas.has(name)) {
      const metadata = this.#dialect.withSiblings(this.reference(this.struct(listMeta)), {
        description: 'Standard list metadata.',
      })
      this.#schemas.set(name, {
        description: `${listKind} is a list of ${kind.kind} objects.`,
        properties: {
          items: { items: this.reference(this.#nameOf(item)), type: 'array' },
          metadata,
        },
        required: ['items'],
        type: 'object',
      })
    }
    return name
  }

  #addKind(name: string, kind: GroupVersionKind): void {
    const kinds = this.#kinds.get(name) ?? []
    if (!kinds.some(known => known.group === kind.group && known.version === kind.version)) kinds.push(kind)
    this.#kinds.set(name, kinds)
  }

  #withKinds(name: string, schema: JsonObject): JsonObject {
    const kinds = this.#kinds.get(name)
    if (!kinds) return schema
    // Added last: a struct may be visited inside another one before it turns out to be a top-level object.
    const properties = this.#withoutTypeMeta.has(name)
      ? schema['properties']
      : { ...typeMetaProperties, ...(schema['properties'] as JsonObject | undefined) }
    return { ...schema, properties, ...this.#names.kinds(kinds) }
  }

  /** A custom schema has its own name, and provides its document itself. */
  #nameOf(node: StructNode): string {
    return documentOf(node) ? node.name : this.#names.definition(node.name)
  }

  #structSchema(node: StructNode): JsonObject {
    const document = documentOf(node)?.(this.#dialect.isComplete)
    if (document) {
      const metadata = node.fields.get('metadata')
      if (!document['properties']) this.#withoutTypeMeta.add(this.#nameOf(node))
      else if (metadata)
        return {
          ...document,
          properties: { ...(document['properties'] as JsonObject), metadata: this.#property(metadata) },
        }
      return document
    }
    const properties: JsonObject = {}
    const required: string[] = []
    for (const field of node.fields.values()) {
      properties[field.name] = this.#property(field)
      if (field.required) required.push(field.name)
    }
    return {
      ...description(node.schema),
      ...(Object.keys(properties).length > 0 ? { properties } : {}),
      ...(required.length > 0 ? { required } : {}),
      type: 'object',
      ...(node.atomic || node.schema['isGranular'] === true ? { [this.#names.extension('map-type')]: 'atomic' } : {}),
      ...this.#union(node.schema['union'] as UnionMarker | undefined),
    }
  }

  #union(union: UnionMarker | undefined): JsonObject {
    if (!union) return {}
    const { discriminator, fields } = union
    return { [this.#names.extension('unions')]: [{ discriminator, 'fields-to-discriminateBy': fields }] }
  }

  #property(field: FieldNode): JsonObject {
    const { node, schema } = field
    const value = this.#value(node)
    const siblings: JsonObject = {
      ...description(schema),
      ...(field.default === undefined ? {} : { default: field.default }),
      ...this.#markers(node, schema),
    }
    return '$ref' in value ? this.#dialect.withSiblings(value, siblings) : { ...value, ...siblings }
  }

  #markers(node: TypeNode, schema: TSchema): JsonObject {
    const markers: JsonObject = {}
    const add = (name: string, value: unknown) => {
      if (value !== undefined) markers[this.#names.extension(name)] = value
    }
    add('patch-strategy', schema['patchStrategy'])
    add('patch-merge-key', schema['patchMergeKey'])
    const list = node.is === 'list' && this.#statesListTypes && schema['hidesListType'] !== true ? node : undefined
    add('list-type', schema['listType'] ?? list?.listType)
    add('list-map-keys', schema['listMapKeys'] ?? (list?.listType === 'map' ? list.keys : undefined))
    if (node.is === 'map') add('map-type', schema['mapType'])
    if (node.is === 'struct' && schema['isGranular'] === true) add('map-type', 'granular')
    return markers
  }

  #value(node: TypeNode): JsonObject {
    switch (node.is) {
      case 'struct':
        return node.name === '' ? this.#structSchema(node) : this.reference(this.struct(node))
      case 'list':
        return this.#listSchema(node)
      case 'map':
        return { additionalProperties: this.#value(node.value), type: 'object', ...constraints(node.schema) }
      case 'unstructured':
        return { type: 'object' }
      case 'scalar':
        return this.#scalar(node)
    }
  }

  #listSchema(node: ListNode): JsonObject {
    return { items: this.#value(node.item), type: 'array', ...constraints(node.schema) }
  }

  #scalar({ scalar, schema }: ScalarNode): JsonObject {
    switch (scalar) {
      case 'string':
        return { type: 'string', ...format(schema), ...constraints(schema), ...enumOf(schema) }
      case 'boolean':
        return { type: 'boolean' }
      case 'int32':
      case 'int64':
        return { format: scalar, type: 'integer', ...constraints(schema), ...enumOf(schema) }
      case 'double':
        return { format: 'double', type: 'number', ...constraints(schema), ...enumOf(schema) }
      case 'bytes':
        return { format: 'byte', type: 'string', ...constraints(schema) }
      default: {
        const typeName = schema['typeName'] as string | undefined
        const name = typeName === undefined ? this.#names.scalar(scalar) : this.#names.definition(typeName)
        if (!this.#schemas.has(name))
          this.#schemas.set(name, isAnyValue(schema) ? anyValue : this.#dialect.scalars[scalar])
        return this.reference(name)
      }
    }
  }
}

/** A value that need not be an object has no type: clients would reject strings and numbers. */
const anyValue: JsonObject = { description: 'Any JSON value that the field accepts.' }
const isAnyValue = ({ examples = [] }: { examples?: unknown }): boolean =>
  (examples as unknown[]).some(example => typeof example !== 'object' || Array.isArray(example))

const typeMetaProperties: JsonObject = {
  apiVersion: {
    description: 'APIVersion defines the versioned schema of this representation of an object.',
    type: 'string',
  },
  kind: {
    description: 'Kind is a string value representing the REST resource this object represents.',
    type: 'string',
  },
}

const description = (schema: TSchema): JsonObject =>
  schema.description === undefined ? {} : { description: schema.description }
const format = (schema: TSchema): JsonObject => (schema['format'] === undefined ? {} : { format: schema['format'] })

const constraintKeywords = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'multipleOf',
]
const constraints = (schema: TSchema): JsonObject =>
  Object.fromEntries(constraintKeywords.filter(word => schema[word] !== undefined).map(word => [word, schema[word]]))

function enumOf(schema: TSchema): JsonObject {
  if (schema['enum'] !== undefined) return { enum: schema['enum'] }
  const options = schema['anyOf'] as TSchema[] | undefined
  return options?.every(option => option['const'] !== undefined) ? { enum: options.map(option => option['const']) } : {}
}
