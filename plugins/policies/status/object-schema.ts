import { isRecord, type JsonObject } from 'orch/sdk'

/** The part of an OpenAPI document that contains schemas. */
export interface OpenApiDocument {
  readonly components?: { readonly schemas?: Readonly<Record<string, Readonly<JsonObject>>> }
}

/** A recursive schema is cut off at this depth; anything is allowed below. */
const maxDepth = 24
const reference = '#/components/schemas/'

/** The schema of a kind with all references resolved, for compiling expressions. Undefined if the document does not contain the kind. */
export function objectSchema(
  { components = {} }: OpenApiDocument,
  wanted: { readonly group: string; readonly version: string; readonly kind: string },
): Readonly<JsonObject> | undefined {
  const { schemas = {} } = components
  const found = Object.values(schemas).find(schema =>
    Object.entries(schema).some(
      ([key, value]) =>
        key.endsWith('-group-version-kind') &&
        Array.isArray(value) &&
        value.some(each => isSameKind(each as Readonly<JsonObject>, wanted)),
    ),
  )
  return found && (resolve(found, schemas, 0) as Readonly<JsonObject>)
}

const isSameKind = (one: Readonly<JsonObject>, other: { group: string; version: string; kind: string }) =>
  (one.group ?? '') === other.group && one.version === other.version && one.kind === other.kind

function resolve(schema: unknown, schemas: Readonly<Record<string, Readonly<JsonObject>>>, depth: number): unknown {
  if (!isRecord(schema) || depth > maxDepth) return {}
  const { $ref, allOf } = schema
  if (typeof $ref === 'string') return resolve(schemas[$ref.slice(reference.length)], schemas, depth + 1)
  // A reference with a default is wrapped in `allOf`.
  if (Array.isArray(allOf) && allOf.length === 1) return resolve(allOf[0], schemas, depth + 1)
  if (allOf || schema.oneOf || schema.anyOf || schema.format === 'int-or-string') return {}
  const resolved: Record<string, unknown> = { ...schema }
  const inside = (value: unknown) => resolve(value, schemas, depth + 1)
  const { properties, items, additionalProperties } = schema
  if (isRecord(properties))
    resolved.properties = Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, inside(each)]))
  if (items !== undefined) resolved.items = inside(items)
  if (isRecord(additionalProperties)) resolved.additionalProperties = inside(additionalProperties)
  // An object without properties may have any field.
  if (schema.type === 'object' && !isRecord(properties) && !isRecord(additionalProperties)) return {}
  return resolved
}
