import type { TSchema, Vendor } from 'orch/sdk'
import type { JsonObject } from '../../libs/json/index.js'
import type { FieldNode, ListNode, ScalarNode, StructNode, TypeNode } from '../schema/type-model.js'
import { buildTypeModel } from '../schema/type-model.js'

/**
 * The schema of a type as one self-contained, structural document: every value has a type, and there are no references.
 * Fields that are required in the schema are not required here, because objects without them are accepted.
 */
export function structuralSchema(schema: TSchema, vendor: Vendor): JsonObject {
  const { properties, ...rest } = new StructuralWriter(vendor).struct(buildTypeModel(schema) as StructNode)
  const ofEveryObject = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' } }
  return { ...rest, properties: { ...(properties as JsonObject), ...ofEveryObject } }
}

/** A quantity, as expressions see it. */
const quantityPattern =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$'
const limits = ['minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'minItems', 'maxItems', 'minProperties']
const kept = [...limits, 'maxProperties', 'multipleOf', 'enum']

class StructuralWriter {
  readonly #vendor: Vendor
  readonly #open = new Set<StructNode>()

  constructor(vendor: Vendor) {
    this.#vendor = vendor
  }

  struct(node: StructNode, keys: readonly string[] = []): JsonObject {
    // A type that contains itself cannot be written without references.
    if (this.#open.has(node)) return { type: 'object', ...this.#keyword('preserve-unknown-fields', true) }
    this.#open.add(node)
    const properties = Object.fromEntries([...node.fields.values()].map(field => [field.name, this.#field(field)]))
    this.#open.delete(node)
    const withoutDefault = keys.filter(key => node.fields.get(key)?.default === undefined)
    return {
      ...about(node.schema),
      type: 'object',
      ...(withoutDefault.length > 0 ? { required: withoutDefault } : {}),
      properties,
      ...(node.atomic ? this.#keyword('map-type', 'atomic') : {}),
      ...(node.rest ? this.#keyword('preserve-unknown-fields', true) : {}),
    }
  }

  #field({ node, schema, presence, default: value }: FieldNode): JsonObject {
    // A struct that is always there has its defaults, too.
    const filled = value ?? (node.is === 'struct' && presence === 'always' ? {} : undefined)
    return { ...this.#value(node), ...about(schema), ...(filled === undefined ? {} : { default: filled }) }
  }

  #value(node: TypeNode): JsonObject {
    switch (node.is) {
      case 'struct':
        return this.struct(node)
      case 'list':
        return this.#list(node)
      case 'map': {
        const mapType = node.atomic ? this.#keyword('map-type', 'atomic') : {}
        return { type: 'object', additionalProperties: this.#value(node.value), ...limitsOf(node.schema), ...mapType }
      }
      case 'unstructured':
        return { type: 'object', ...this.#keyword('preserve-unknown-fields', true) }
      case 'scalar':
        return this.#scalar(node)
    }
  }

  #list({ item, listType, keys, schema }: ListNode): JsonObject {
    const isMapList = listType === 'map'
    return {
      type: 'array',
      items: isMapList && item.is === 'struct' ? this.struct(item, keys) : this.#value(item),
      ...limitsOf(schema),
      ...this.#keyword('list-type', listType),
      ...(isMapList ? this.#keyword('list-map-keys', keys) : {}),
    }
  }

  #scalar({ scalar, schema }: ScalarNode): JsonObject {
    const own = limitsOf(schema)
    switch (scalar) {
      case 'boolean':
        return { type: 'boolean', ...own }
      case 'int32':
      case 'int64':
        return { type: 'integer', format: scalar, ...own }
      case 'double':
        return { type: 'number', format: 'double', ...own }
      case 'bytes':
        return { type: 'string', format: 'byte', ...own }
      case 'time':
      case 'microTime':
        return { type: 'string', format: 'date-time', ...own }
      case 'quantity':
        return { ...this.#keyword('int-or-string', true), pattern: quantityPattern }
      case 'intOrString':
        return this.#keyword('int-or-string', true)
      case 'raw':
        return this.#keyword('preserve-unknown-fields', true)
      default:
        return { type: 'string', ...own }
    }
  }

  #keyword(name: string, value: unknown): JsonObject {
    return { [this.#vendor.extension(name)]: value }
  }
}

const about = ({ description }: TSchema): JsonObject => (description === undefined ? {} : { description })

function limitsOf(schema: TSchema): JsonObject {
  const options = schema['anyOf'] as TSchema[] | undefined
  const values = options?.every(option => option['const'] !== undefined) ? options.map(option => option['const']) : []
  const own = kept.filter(word => schema[word] !== undefined).map(word => [word, schema[word]])
  return { ...Object.fromEntries(own), ...(values.length > 0 ? { enum: values } : {}) }
}
