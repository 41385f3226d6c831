import type { TSchema } from 'orch/sdk'
import type { FieldNode, StructNode, TypeNode } from './type-model.js'

/** JSON Schema of nothing but value constraints. */
export type Constraints = Record<string, unknown>

const keywords = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'enum',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
] as const
/** Formats that constrain a string. Other formats (int32, byte, date-time ...) determine the type of a field. */
const textFormats: ReadonlySet<unknown> = new Set([
  'uri',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
  'date',
  'duration',
  'regex',
])

/** The constraints of a field that can be checked without the structs below it. */
export function ownFieldConstraints({ node, schema }: Pick<FieldNode, 'node' | 'schema'>): Constraints | undefined {
  const constraints = { ...withoutStructs(node), ...scalarConstraints(node, schema) }
  return Object.keys(constraints).length > 0 ? constraints : undefined
}

function withoutStructs(node: TypeNode): Constraints | undefined {
  const own = ownConstraints(node)
  if (node.is === 'list') {
    const items = withoutStructs(node.item)
    return items ? { ...own, items } : own
  }
  if (node.is === 'map') {
    const additionalProperties = withoutStructs(node.value)
    return additionalProperties ? { ...own, additionalProperties } : own
  }
  return own
}

/** The struct at the end of lists and maps; undefined where there is none. */
export function structBelow(node: TypeNode): StructNode | undefined {
  if (node.is === 'list') return structBelow(node.item)
  if (node.is === 'map') return structBelow(node.value)
  return node.is === 'struct' ? node : undefined
}

/** Is any value below a struct constrained? */
export function isConstrained(node: StructNode, seen: Set<StructNode> = new Set()): boolean {
  if (seen.has(node)) return false
  seen.add(node)
  const fields = [...node.fields.values()]
  if (fields.some(field => ownFieldConstraints(field) !== undefined)) return true
  return fields.some(field => {
    const below = structBelow(field.node)
    return below !== undefined && isConstrained(below, seen)
  })
}

function ownConstraints(node: TypeNode): Constraints | undefined {
  const constraints = scalarConstraints(node, node.schema)
  return Object.keys(constraints).length > 0 ? constraints : undefined
}

function scalarConstraints(node: TypeNode, schema: TSchema): Constraints {
  const constraints: Constraints = {}
  for (const keyword of keywords) if (schema[keyword] !== undefined) constraints[keyword] = schema[keyword]
  if (node.is === 'scalar' && node.scalar === 'string') {
    if (textFormats.has(schema['format'])) constraints['format'] = schema['format']
    const literals = literalsOf(schema)
    if (literals) constraints['enum'] = literals
  }
  if (node.is === 'list' && schema['distinct'] === true) constraints['distinctBy'] = schema['listMapKeys'] ?? []
  // A list that is always written is null when empty, which minItems alone would accept.
  if (node.is === 'list' && Number(schema['minItems'] ?? 0) > 0) constraints['type'] = 'array'
  return constraints
}

/** A union of literals is an enum. */
function literalsOf(schema: TSchema): unknown[] | undefined {
  if (schema['const'] !== undefined) return [schema['const']]
  const options = schema['anyOf'] as TSchema[] | undefined
  return options?.every(option => option['const'] !== undefined) ? options.map(option => option['const']) : undefined
}
