import { derive } from '../../schema/derive.js'
import { isAtomic, type TypeNode } from '../../schema/type-model.js'
import { emptySet, type FieldSet, type FieldSetDraft } from './field-set.js'

/**
 * Adapts a set that was written under an older schema to the current one: the owner of a part of a value that has become
 * atomic owns all of it. In the opposite case nothing changes.
 */
export function reconcileWithSchema(set: FieldSet, node: TypeNode): FieldSet {
  if (!derive(node, holdsUnits)) return set
  let result: FieldSetDraft | undefined
  for (const element in set) {
    const child = nodeBelow(node, element)
    const before = set[element] as FieldSet
    if (child === undefined || isLeaf(before)) continue
    const after = isAtomic(child) ? emptySet : reconcileWithSchema(before, child)
    if (after === before) continue
    result ??= { ...set } as FieldSetDraft
    result[element] = after as FieldSetDraft
  }
  return result ?? set
}

/** The type of the value that an element leads to. */
export function nodeBelow(node: TypeNode, element: string): TypeNode | undefined {
  const kind = element.charAt(0)
  if (kind === 'f') {
    if (node.is === 'struct') return node.fields.get(element.slice(2))?.node ?? node.rest
    return node.is === 'map' ? node.value : undefined
  }
  return node.is === 'list' && kind !== '.' ? node.item : undefined
}

function isLeaf(set: FieldSet): boolean {
  for (const _ in set) return false
  return true
}

/** Whether anything below a node is atomic; most parts of objects contain no atomic values. */
function holdsUnits(node: TypeNode): boolean {
  // Types may contain themselves, so each node is visited once.
  const reached = new Set([node])
  for (const each of reached) for (const child of childrenOf(each)) reached.add(child)
  return [...reached].some(each => childrenOf(each).some(isAtomic))
}

function childrenOf(node: TypeNode): readonly TypeNode[] {
  if (node.is === 'struct') return [...node.fields.values()].map(field => field.node)
  if (node.is === 'map') return [node.value]
  return node.is === 'list' ? [node.item] : []
}
