import { notOnTheWire } from 'orch/sdk/host'
import type { FieldNode, StructNode, TypeNode } from '../../schema/type-model.js'

/** The Protobuf layout of a struct: its members in the order of their numbers. */
export interface MessageLayout {
  readonly members: readonly Member[]
}
export type Member =
  | { readonly is: 'field'; readonly number: number; readonly field: FieldNode }
  /** A message whose fields JSON inlines into the parent: read from and written to the same object. */
  | { readonly is: 'inlined'; readonly number: number; readonly layout: MessageLayout }

export function messageLayout(node: StructNode): MessageLayout {
  const fields = [...node.fields.values()].filter(({ proto }) => proto !== notOnTheWire)
  return layoutAt(node, fields, 0)
}

/** The layout of the message at this depth: deeper fields are in nested messages. */
function layoutAt(node: StructNode, fields: readonly FieldNode[], depth: number): MessageLayout {
  const members: Member[] = []
  const inlined = new Map<number, FieldNode[]>()
  for (const field of fields) {
    const inside = field.protoIn?.[depth]
    if (inside === undefined) members.push({ is: 'field', number: numberOf(node, field), field })
    else inlined.set(inside, [...(inlined.get(inside) ?? []), field])
  }
  for (const [number, inner] of inlined)
    members.push({ is: 'inlined', number, layout: layoutAt(node, inner, depth + 1) })
  return ordered(members)
}

const ordered = (members: Member[]): MessageLayout => ({
  members: members.sort((left, right) => left.number - right.number),
})

function numberOf(node: StructNode, field: FieldNode): number {
  if (field.proto === undefined)
    throw new Error(`${node.name}.${field.name} has no Protobuf number; call hasProtobuf first`)
  return field.proto
}

/** Whether every field below has a number, so that the type can be sent as Protobuf at all. */
export function hasProtobuf(node: TypeNode, visited: Set<TypeNode> = new Set()): boolean {
  if (visited.has(node)) return true
  visited.add(node)
  switch (node.is) {
    case 'struct':
      return [...node.fields.values()].every(field => field.proto !== undefined && hasProtobuf(field.node, visited))
    case 'list':
      return hasProtobuf(node.item, visited)
    case 'map':
      return hasProtobuf(node.value, visited)
    default:
      return true
  }
}
