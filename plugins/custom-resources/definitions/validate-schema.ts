import { addAll, type FieldError, forbiddenField, invalidValue, isRecord, notSupported, requiredValue } from 'orch/sdk'
import { itemSchema, objectFields, readSchema, type SchemaNode, valueSchema } from '../../../libs/json-schema/index.js'
import type { SchemaKeywords } from '../names.js'

/** The position of a schema within a definition. */
interface Position {
  readonly isRoot: boolean
  /** Whether the schema is inside the metadata of an object. */
  readonly isInMetadata: boolean
  /** Why no default is allowed here; empty where one is. */
  readonly noDefault: string
}
export const rootPosition: Position = { isRoot: true, isInMetadata: false, noDefault: '' }

const types = ['string', 'number', 'integer', 'boolean', 'array', 'object']
const isEmpty = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)

/** Validates keywords at any position of a schema. */
export function validateKeywords(
  schema: SchemaNode,
  path: string,
  keywords: SchemaKeywords,
  position: Position = rootPosition,
): FieldError[] {
  const errors = [
    ...forbiddenKeywords(schema, path, keywords, position),
    ...(schema.source['uniqueItems']
      ? [forbiddenField(`${path}.uniqueItems`, 'must not be true: comparing all items with each other takes too long')]
      : []),
    ...validateExtensions(schema, path, keywords),
  ]
  const inside = { ...position, isRoot: false }
  const visit = (child: SchemaNode | undefined, step: string, at: Position = inside) => {
    if (child) addAll(errors, validateKeywords(child, `${path}.${step}`, keywords, at))
  }
  const { additionalProperties } = schema
  if (additionalProperties !== undefined && additionalProperties !== true && schema.properties.size > 0)
    errors.push(
      forbiddenField(`${path}.additionalProperties`, 'additionalProperties and properties exclude each other'),
    )
  const inMap = position.isInMetadata ? { ...inside, noDefault: 'inside additionalProperties of metadata' } : inside
  visit(valueSchema(schema), 'additionalProperties', inMap)
  for (const [name, child] of schema.properties) {
    const isMeta = (position.isRoot || schema.embeddedResource) && objectFields.has(name)
    const noDefault = position.isRoot ? `in top-level ${name}` : position.noDefault
    visit(child, `properties[${name}]`, isMeta ? { ...inside, isInMetadata: true, noDefault } : inside)
  }
  visit(schema.not, 'not')
  for (const key of ['allOf', 'oneOf', 'anyOf'] as const)
    for (const [i, child] of schema[key].entries()) visit(child, `${key}[${i}]`)
  visit(itemSchema(schema), 'items')
  // Errors in schemas are reported even where no schemas are allowed.
  if (Array.isArray(schema.items)) for (const [i, child] of schema.items.entries()) visit(child, `items[${i}]`)
  for (const key of ['definitions', 'dependencies'])
    for (const [name, value] of Object.entries((schema.source[key] ?? {}) as object))
      if (isRecord(value)) visit(readSchema(value, keywords), `${key}[${name}]`)
  return errors
}

function forbiddenKeywords(
  { source, type, items, default: value, embeddedResource }: SchemaNode,
  path: string,
  keywords: SchemaKeywords,
  { noDefault, isInMetadata }: Position,
): FieldError[] {
  const errors: FieldError[] = []
  const forbid = (isUsed: boolean, key: string, detail = `${key} is not supported`) => {
    if (isUsed) errors.push(forbiddenField(`${path}.${key}`, detail))
  }
  forbid(value !== undefined && noDefault !== '', 'default', `must not be set ${noDefault}`)
  forbid((source['id'] ?? '') !== '', 'id')
  forbid((source['additionalItems'] ?? undefined) !== undefined, 'additionalItems')
  forbid(!isEmpty(source['patternProperties']), 'patternProperties')
  forbid(!isEmpty(source['definitions']), 'definitions')
  forbid((source['dependencies'] ?? undefined) !== undefined, 'dependencies')
  forbid((source['$ref'] ?? undefined) !== undefined, '$ref')
  forbid(type === 'null', 'type', 'must not be null: use nullable')
  forbid(Array.isArray(items), 'items', 'must be a schema and not a list of them')
  forbid(isInMetadata && embeddedResource, keywords.embeddedResource, 'must not be used inside metadata')
  if (type !== '' && !types.includes(type)) errors.push(notSupported(`${path}.type`, type, types))
  return errors
}

function validateExtensions(schema: SchemaNode, path: string, keywords: SchemaKeywords): FieldError[] {
  const errors: FieldError[] = []
  const { type, mapType, listType, preserveUnknownFields } = schema
  const requireType = (wanted: string, keyword: string) => {
    const detail = `must be ${wanted} if ${keyword} is set`
    if (type !== wanted)
      errors.push(type === '' ? requiredValue(`${path}.type`, detail) : invalidValue(`${path}.type`, type, detail))
  }
  if (preserveUnknownFields === false)
    errors.push(invalidValue(`${path}.${keywords.preserveUnknownFields}`, false, 'must be true or undefined'))
  if (mapType !== undefined) {
    requireType('object', keywords.mapType)
    if (!['granular', 'atomic'].includes(mapType))
      errors.push(notSupported(`${path}.${keywords.mapType}`, mapType, ['atomic', 'granular']))
  }
  if (listType !== undefined) {
    requireType('array', keywords.listType)
    if (!['atomic', 'set', 'map'].includes(listType))
      errors.push(notSupported(`${path}.${keywords.listType}`, listType, ['atomic', 'map', 'set']))
  }
  const keysPath = `${path}.${keywords.listMapKeys}`
  if (schema.listMapKeys.length > 0 && listType !== 'map') {
    const detail = `must be map if ${keywords.listMapKeys} is not empty`
    const at = `${path}.${keywords.listType}`
    errors.push(listType === undefined ? requiredValue(at, detail) : invalidValue(at, listType, detail))
  }
  if (listType === 'map') addAll(errors, validateMapList(schema, path, keysPath))
  if (listType === 'set' || listType === 'map') addAll(errors, validateMergedItems(schema, path, listType, keywords))
  return errors
}

function validateMapList(schema: SchemaNode, path: string, keysPath: string): FieldError[] {
  const errors: FieldError[] = []
  const { listMapKeys: keys } = schema
  const items = itemSchema(schema)
  if (keys.length === 0) errors.push(requiredValue(keysPath, 'must name the fields that identify an item'))
  if (schema.items === undefined)
    errors.push(requiredValue(`${path}.items`, 'a list of type map needs a schema of its items'))
  else if (Array.isArray(schema.items))
    errors.push(invalidValue(`${path}.items`, 'a list', 'must be a single schema in a list of type map'))
  else if (items && items.type !== 'object')
    errors.push(invalidValue(`${path}.items.type`, items.type, 'must be object in a list of type map'))
  if (items?.type !== 'object') return errors
  const seen = new Set<string>()
  for (const key of keys) {
    const field = items.properties.get(key)
    if (!field) errors.push(invalidValue(keysPath, keys, 'must all be names of fields of the items'))
    else if (field.type === 'array' || field.type === 'object')
      errors.push(
        invalidValue(
          `${path}.items.properties[${key}].type`,
          field.type,
          'must be a scalar, because it identifies an item',
        ),
      )
    if (seen.has(key)) errors.push(invalidValue(keysPath, keys, 'must not name a field twice'))
    seen.add(key)
  }
  return errors
}

/** Items of sets and map lists must be identifiable, so that they can be merged. */
function validateMergedItems(
  schema: SchemaNode,
  path: string,
  listType: string,
  keywords: SchemaKeywords,
): FieldError[] {
  const items = itemSchema(schema)
  if (!items) return []
  const errors: FieldError[] = []
  const at = `${path}.items`
  if (items.nullable) errors.push(forbiddenField(`${at}.nullable`, `must not be true in a list of type ${listType}`))
  if (listType === 'set') {
    // A value that is not a list was reported already.
    if (schema.type !== 'array') return errors
    const detail = 'must be atomic in a list of type set'
    if (items.type === 'array' && items.listType !== undefined && items.listType !== 'atomic')
      errors.push(invalidValue(`${at}.${keywords.listType}`, items.listType, detail))
    if (items.type === 'object' && items.mapType !== 'atomic')
      errors.push(invalidValue(`${at}.${keywords.mapType}`, items.mapType ?? '', detail))
    return errors
  }
  const required = new Set(items.required)
  for (const key of schema.listMapKeys) {
    const field = items.properties.get(key)
    if (!field) continue
    if (!required.has(key) && field.default === undefined)
      errors.push(
        requiredValue(
          `${at}.properties[${key}].default`,
          'it identifies an item, so it needs a default or must be required',
        ),
      )
    if (field.nullable)
      errors.push(forbiddenField(`${at}.properties[${key}].nullable`, 'it identifies an item, so it must not be null'))
  }
  return errors
}
