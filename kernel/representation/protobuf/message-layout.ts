import { notOnTheWire } from 'orch/sdk/host'
import type { FieldNode, StructNode, TypeNode } from '../../schema/type-model.js'

/** A struct as Protobuf sees it: its members in the order of their numbers. */
export interface MessageLayout {
  readonly members: readonly Member[]
}
export type Member =
  | { readonly is: 'field'; readonly number: number; readonly field: FieldNode }
  /** A message whose fields JSON inlines into the parent: read from and written to the same object. */
  | { readonly is: 'inlined'; readonly number: number; readonly layout: MessageLayout }

export function messageLayout(node: StructNode): MessageLayout {
  const members: Member[] = []
  const inlined = new Map<number, Member[]>()
  for (const field of node.fields.values()) {
    if (field.proto === notOnTheWire) continue
    const member: Member = { is: 'field', number: numberOf(node, field), field }
    if (field.protoIn === undefined) members.push(member)
    else inlined.set(field.protoIn, [...(inlined.get(field.protoIn) ?? []), member])
  }
  for (const [number, inner] of inlined) members.push({ is: 'inlined', number, layout: ordered(inner) })
  return ordered(members)
}

const ordered = (members: Member[]): MessageLayout => ({
  members: members.sort((left, right) => left.number - right.number),
})

function numberOf(node: StructNode, field: FieldNode): number {
  if (field.proto === undefined)
    throw new Error(`${node.name}.${field.name} has no Protobuf number; ask hasProtobuf first`)
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
