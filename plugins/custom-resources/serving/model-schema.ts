import { ObjectMeta, type TSchema, Type } from 'orch/sdk'
import { itemSchema, type SchemaNode, valueSchema } from '../../../libs/json-schema/index.js'
import type { SchemaKeywords } from '../names.js'
import { type DocumentFeatures, documentOf } from './open-api.js'

/**
 * The schema in the form of the kernel, which describes how fields are merged by apply. Values are validated elsewhere,
 * so constraints are left out.
 */
export function modelSchema(
  schema: SchemaNode,
  typeName: string,
  keywords: SchemaKeywords,
  /** Additional keywords of OpenAPI documents. */
  extras: Readonly<Record<string, unknown>> = {},
  features?: DocumentFeatures,
): TSchema {
  const fields = {
    ...fieldsOf(schema, schema.preserveUnknownFields === true),
    metadata: { ...ObjectMeta, presence: 'always' },
  }
  return Type.Object(fields as Record<string, TSchema>, {
    typeName,
    document: (isComplete: boolean) => ({ ...documentOf(schema, keywords, isComplete, features), ...extras }),
    ...(schema.preserveUnknownFields ? { keepsUnknownFields: true } : {}),
  })
}

/** Shared: a schema may have tens of thousands of them. */
const [text, flag, number] = [Type.String(), Type.Boolean(), Type.Number()]
const anyScalar = Type.Unsafe<unknown>({ scalar: 'raw' })
const open = (): TSchema => Type.Unsafe<unknown>({ scalar: 'unstructured' })

/** `isOpen`: an object around these fields preserves unknown fields, so those inside are taken, too, until they are pruned. */
function fieldsOf({ properties }: SchemaNode, isOpen: boolean): Record<string, TSchema> {
  return Object.fromEntries(
    [...properties].map(([name, field]) => [name, { ...nodeOf(field, isOpen), presence: 'keep' } as TSchema]),
  )
}

function nodeOf(schema: SchemaNode, isOpen: boolean): TSchema {
  switch (schema.type) {
    case 'object':
      return objectOf(schema, isOpen)
    case 'array': {
      const items = itemSchema(schema)
      const markers = {
        ...(schema.listType === undefined ? {} : { listType: schema.listType }),
        ...(schema.listMapKeys.length > 0 ? { listMapKeys: [...schema.listMapKeys] } : {}),
      }
      return Type.Array(items ? withDefaults(nodeOf(items, isOpen), items, schema.listMapKeys) : open(), markers)
    }
    case 'string':
      // Values of formats may come in other types than text; whether they are valid is checked elsewhere.
      return ['', 'byte'].includes(schema.format) ? text : anyScalar
    case 'boolean':
      return flag
    case 'integer':
    case 'number':
      return number
    default:
      return schema.intOrString ? anyScalar : open()
  }
}

/** Adds the defaults of the keys: items are identified by their keys before defaults are set. */
function withDefaults(node: TSchema, { properties }: SchemaNode, keys: readonly string[]): TSchema {
  const fields = node['properties'] as Record<string, TSchema> | undefined
  for (const key of keys) {
    const value = properties.get(key)?.default
    if (fields?.[key] && value !== undefined) fields[key] = { ...fields[key], default: value }
  }
  return node
}

/** An object about which nothing is said, such as the metadata of a template, takes any fields, which are pruned later. */
const saysNothing = ({ properties, additionalProperties, embeddedResource }: SchemaNode): boolean =>
  properties.size === 0 && additionalProperties === undefined && !embeddedResource

function objectOf(schema: SchemaNode, isInOpen: boolean): TSchema {
  const mapType = schema.mapType === 'atomic' ? { mapType: 'atomic' } : {}
  const values = valueSchema(schema)
  const isOpen =
    isInOpen || schema.preserveUnknownFields === true || schema.additionalProperties === true || saysNothing(schema)
  if (values && schema.properties.size === 0) return Type.Record(Type.String(), nodeOf(values, isOpen), mapType)
  if (schema.properties.size === 0 && isOpen && schema.mapType !== 'atomic' && !schema.embeddedResource) return open()
  const ofResource = schema.embeddedResource
    ? { apiVersion: Type.String(), kind: Type.String(), metadata: { ...ObjectMeta, presence: 'keep' } }
    : {}
  return Type.Object({ ...ofResource, ...fieldsOf(schema, isOpen) } as Record<string, TSchema>, {
    ...mapType,
    ...(isOpen ? { keepsUnknownFields: true } : {}),
  })
}
