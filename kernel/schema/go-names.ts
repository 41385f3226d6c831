import type { StructNode, TypeNode } from './type-model.js'

/** Type names as clients of this kind of API are used to seeing them in messages: `v1.ObjectMeta`, `[]string`. */
export const goNameOf = (node: StructNode): string => node.name.split('.').slice(-2).join('.') || 'struct {}'
export function goTypeOf(node: TypeNode): string {
  switch (node.is) {
    case 'struct':
      return goNameOf(node)
    case 'scalar':
      return node.scalar
    case 'list':
      return `[]${goTypeOf(node.item)}`
    case 'map':
      return `map[string]${goTypeOf(node.value)}`
    case 'unstructured':
      return 'map[string]interface {}'
  }
}
