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
  const fields = { ...fieldsOf(schema), metadata: { ...ObjectMeta, presence: 'always' } }
  return Type.Object(fields as Record<string, TSchema>, {
    typeName,
    document: (isComplete: boolean) => ({ ...documentOf(schema, keywords, isComplete, features), ...extras }),
    ...(schema.preserveUnknownFields ? { keepsUnknownFields: true } : {}),
  })
}

/** Shared: a schema may have tens of thousands of them. */
const [text, flag, number] = [Type.String(), Type.Boolean(), Type.Number()]
const open = (): TSchema => Type.Unsafe<unknown>({ scalar: 'unstructured' })

function fieldsOf({ properties }: SchemaNode): Record<string, TSchema> {
  return Object.fromEntries(
    [...properties].map(([name, field]) => [name, { ...nodeOf(field), presence: 'keep' } as TSchema]),
  )
}

function nodeOf(schema: SchemaNode): TSchema {
  switch (schema.type) {
    case 'object':
      return objectOf(schema)
    case 'array': {
      const items = itemSchema(schema)
      const markers = {
        ...(schema.listType === undefined ? {} : { listType: schema.listType }),
        ...(schema.listMapKeys.length > 0 ? { listMapKeys: [...schema.listMapKeys] } : {}),
      }
      return Type.Array(items ? withDefaults(nodeOf(items), items, schema.listMapKeys) : open(), markers)
    }
    case 'string':
      return text
    case 'boolean':
      return flag
    case 'integer':
    case 'number':
      return number
    default:
      return schema.intOrString ? Type.Unsafe<unknown>({ scalar: 'raw' }) : open()
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

function objectOf(schema: SchemaNode): TSchema {
  const mapType = schema.mapType === 'atomic' ? { mapType: 'atomic' } : {}
  const values = valueSchema(schema)
  if (values && schema.properties.size === 0) return Type.Record(Type.String(), nodeOf(values), mapType)
  const isOpen = schema.preserveUnknownFields === true || schema.additionalProperties === true
  if (schema.properties.size === 0 && isOpen && schema.mapType !== 'atomic' && !schema.embeddedResource) return open()
  const ofResource = schema.embeddedResource
    ? { apiVersion: Type.String(), kind: Type.String(), metadata: { ...ObjectMeta, presence: 'keep' } }
    : {}
  return Type.Object({ ...ofResource, ...fieldsOf(schema) } as Record<string, TSchema>, {
    ...mapType,
    ...(isOpen ? { keepsUnknownFields: true } : {}),
  })
}
