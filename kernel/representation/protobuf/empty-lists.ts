import type { StructNode, TypeNode } from '../../schema/type-model.js'

/**
 * A copy of an object as it is after a Protobuf round trip, in which empty lists are lost. For tests that compare both forms.
 */
export const withoutEmptyLists = (object: object, model: StructNode): Record<string, unknown> =>
  fieldsOf(object as Record<string, unknown>, model)

function fieldsOf(object: Readonly<Record<string, unknown>>, { fields }: StructNode): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(object)) {
    const field = fields.get(name)
    const isEmptyList = field?.node.is === 'list' && Array.isArray(value) && value.length === 0
    if (isEmptyList && field.presence === 'keep') continue
    copy[name] = isEmptyList && field.nullable ? null : field ? copyOf(value, field.node) : value
  }
  return copy
}

function copyOf(value: unknown, node: TypeNode): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (node.is === 'struct') return fieldsOf(value as Record<string, unknown>, node)
  if (node.is === 'list' && Array.isArray(value)) return value.map(item => copyOf(item, node.item))
  if (node.is !== 'map') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyOf(item, node.value)]))
}
