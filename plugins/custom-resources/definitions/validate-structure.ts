import { addAll, type FieldError, forbiddenField, invalidValue, requiredValue } from 'orch/sdk'
import { itemSchema, type SchemaNode, valueSchema } from '../../../libs/json-schema/index.js'
import type { SchemaKeywords } from '../names.js'
import { patternProblem } from '../schemas/pattern.js'

type Level = 'root' | 'item' | 'field'

/** What a structural schema may contain. */
export interface StructureRules {
  readonly keywords: SchemaKeywords
  /** Whether logical parts may have `additionalProperties: false`. */
  readonly partsMayClose: boolean
  /** Whether the schema of metadata may have an example and a reference to documentation. */
  readonly metadataMayHaveExamples: boolean
}

const missingType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for items of a list',
  field: 'must not be empty for fields of an object',
}

/**
 * Checks that a schema is structural: it specifies the type of every value, and its logical parts (allOf, anyOf, oneOf,
 * not) only narrow it further. Only then is it unambiguous which fields are unknown and which defaults apply.
 */
export function validateStructure(
  schema: SchemaNode,
  path: string,
  rules: StructureRules,
  level: Level = 'root',
): FieldError[] {
  const errors: FieldError[] = []
  const { keywords } = rules
  const { type, properties, additionalProperties, embeddedResource, intOrString, preserveUnknownFields } = schema
  const items = itemSchema(schema)
  if (type === 'array' && schema.items === undefined)
    errors.push(requiredValue(`${path}.items`, 'a list needs a schema of its items'))
  if (items) addAll(errors, validateStructure(items, `${path}.items`, rules, 'item'))
  for (const [name, field] of properties)
    addAll(errors, validateStructure(field, `${path}.properties[${name}]`, rules, 'field'))
  if (additionalProperties !== undefined && level === 'root')
    errors.push(forbiddenField(`${path}.additionalProperties`, 'must not be used at the root'))
  const values = valueSchema(schema)
  if (values) addAll(errors, validateStructure(values, `${path}.additionalProperties`, rules, 'field'))
  if (intOrString && preserveUnknownFields)
    errors.push(
      invalidValue(
        `${path}.${keywords.preserveUnknownFields}`,
        true,
        `must be false if ${keywords.intOrString} is true`,
      ),
    )
  if (intOrString && embeddedResource)
    errors.push(
      invalidValue(`${path}.${keywords.embeddedResource}`, true, `must be false if ${keywords.intOrString} is true`),
    )
  addAll(errors, validateNarrowing(schema, path, rules, allowedTypes(schema)))
  if (embeddedResource && type !== 'object') {
    const detail = `must be object if ${keywords.embeddedResource} is true`
    errors.push(type === '' ? requiredValue(`${path}.type`, detail) : invalidValue(`${path}.type`, type, detail))
  } else if (type === '' && !intOrString && !preserveUnknownFields) {
    errors.push(requiredValue(`${path}.type`, missingType[level]))
  }
  if (embeddedResource && additionalProperties !== undefined)
    errors.push(forbiddenField(`${path}.additionalProperties`, `must not be used with ${keywords.embeddedResource}`))
  if (level === 'root' && type !== '' && type !== 'object')
    errors.push(invalidValue(`${path}.type`, type, 'must be object at the root'))
  addAll(errors, validateObjectFields(schema, path, level, rules))
  if (embeddedResource && !preserveUnknownFields && properties.size === 0)
    errors.push(
      requiredValue(
        `${path}.properties`,
        `must not be empty with ${keywords.embeddedResource} unless ${keywords.preserveUnknownFields} is true`,
      ),
    )
  return errors
}

/**
 * Where a logical part may declare that a value is an integer or a string: in `anyOf`, or in `anyOf` of the first item
 * of `allOf`.
 */
interface AllowedTypes {
  readonly anyOf: boolean
  readonly firstAllOf: boolean
}
const none: AllowedTypes = { anyOf: false, firstAllOf: false }

function allowedTypes({ anyOf, allOf }: SchemaNode): AllowedTypes {
  const isNumberOrText = (parts: readonly SchemaNode[]) =>
    parts.length === 2 &&
    parts[0]?.type === 'integer' &&
    parts[1]?.type === 'string' &&
    parts.every(part => Object.keys(part.source).length === 1)
  return { anyOf: isNumberOrText(anyOf), firstAllOf: isNumberOrText(allOf[0]?.anyOf ?? []) }
}

function validateNarrowing(
  schema: SchemaNode,
  path: string,
  rules: StructureRules,
  allowed: AllowedTypes,
): FieldError[] {
  const errors: FieldError[] = []
  const each = (key: 'anyOf' | 'allOf' | 'oneOf', allowedIn: (index: number) => AllowedTypes = () => none) => {
    for (const [i, part] of schema[key].entries())
      addAll(errors, validatePart(part, `${path}.${key}[${i}]`, rules, allowedIn(i)))
  }
  if (!allowed.anyOf) each('anyOf')
  each('allOf', i => ({ anyOf: i === 0 && allowed.firstAllOf, firstAllOf: false }))
  each('oneOf')
  if (schema.not) addAll(errors, validatePart(schema.not, `${path}.not`, rules))
  const problem = schema.pattern === '' ? undefined : patternProblem(schema.pattern)
  if (problem !== undefined)
    errors.push(invalidValue(`${path}.pattern`, schema.pattern, `must be a valid regular expression (RE2): ${problem}`))
  return errors
}

/** A logical part may only narrow the schema; types, defaults and the like must be specified outside. */
function validatePart(part: SchemaNode, path: string, rules: StructureRules, allowed = none): FieldError[] {
  const { keywords, partsMayClose } = rules
  const errors = validateNarrowing(part, path, rules, allowed)
  const items = itemSchema(part)
  if (items) addAll(errors, validatePart(items, `${path}.items`, rules))
  for (const [name, field] of part.properties) addAll(errors, validatePart(field, `${path}.properties[${name}]`, rules))
  const forbid = (isUsed: boolean, key: string) => {
    if (isUsed) errors.push(forbiddenField(`${path}.${key}`, 'must not be set inside allOf, anyOf, oneOf and not'))
  }
  const text = (key: string) => (part.source[key] ?? '') !== ''
  forbid(part.type !== '', 'type')
  const isClosed = part.additionalProperties === false
  forbid(isClosed ? !partsMayClose : part.additionalProperties !== undefined, 'additionalProperties')
  forbid(part.default !== undefined, 'default')
  forbid(text('title'), 'title')
  forbid(text('description'), 'description')
  forbid(part.nullable, 'nullable')
  forbid(part.preserveUnknownFields === true, keywords.preserveUnknownFields)
  forbid(part.embeddedResource, keywords.embeddedResource)
  forbid(part.intOrString, keywords.intOrString)
  forbid(part.listMapKeys.length > 0, keywords.listMapKeys)
  forbid(part.listType !== undefined, keywords.listType)
  forbid(part.mapType !== undefined, keywords.mapType)
  forbid(part.rules.length > 0, keywords.validations)
  if (part.properties.has('metadata'))
    errors.push(forbiddenField(`${path}.properties[metadata]`, 'must not be narrowed'))
  return errors
}

/**
 * Every field, and the items of every list, that the logical parts of the whole schema mention must be specified
 * outside of them. Parts of inner schemas may mention any field, as in the reference.
 */
export function validateCompleteness(schema: SchemaNode, path: string): FieldError[] {
  const errors: FieldError[] = []
  const checkParts = (part: SchemaNode, specified: SchemaNode, at: string, from: string) => {
    if (part.not) checkPart(part.not, specified, at, `${from}.not`)
    for (const key of ['allOf', 'anyOf', 'oneOf'] as const)
      for (const [i, each] of part[key].entries()) checkPart(each, specified, at, `${from}.${key}[${i}]`)
  }
  const checkPart = (part: SchemaNode, specified: SchemaNode | undefined, at: string, from: string) => {
    if (!specified) {
      errors.push(requiredValue(at, `because it is defined in ${from}`))
      return
    }
    checkParts(part, specified, at, from)
    const items = itemSchema(part)
    if (items) checkPart(items, itemSchema(specified), `${at}.items`, `${from}.items`)
    for (const [name, field] of part.properties)
      checkPart(field, specified.properties.get(name), `${at}.properties[${name}]`, `${from}.properties[${name}]`)
  }
  checkParts(schema, schema, path, path)
  return errors
}

/** apiVersion, kind and metadata have a fixed schema in every object. */
function validateObjectFields(
  schema: SchemaNode,
  path: string,
  level: Level,
  { metadataMayHaveExamples }: StructureRules,
): FieldError[] {
  const errors: FieldError[] = []
  const isObject = level === 'root' || schema.embeddedResource
  const { properties } = schema
  for (const name of ['kind', 'apiVersion']) {
    const type = properties.get(name)?.type
    if (isObject && type !== undefined && type !== 'string')
      errors.push(invalidValue(`${path}.properties[${name}].type`, type, 'must be string'))
  }
  const metadata = properties.get('metadata')
  if (!metadata) return errors
  const at = `${path}.properties[metadata]`
  if (isObject && metadata.type !== 'object') errors.push(invalidValue(`${at}.type`, metadata.type, 'must be object'))
  if (level === 'root' && !specifiesOnlyNames(metadata, metadataMayHaveExamples))
    errors.push(
      forbiddenField(at, 'may specify only name and generateName: the rest of metadata is the same for all types'),
    )
  return errors
}

function specifiesOnlyNames({ source, properties }: SchemaNode, mayHaveExamples: boolean): boolean {
  const allowed = ['type', 'default', 'properties', ...(mayHaveExamples ? ['example', 'externalDocs'] : [])]
  const others = Object.keys(source).filter(key => !allowed.includes(key))
  return others.length === 0 && [...properties.keys()].every(name => name === 'name' || name === 'generateName')
}
