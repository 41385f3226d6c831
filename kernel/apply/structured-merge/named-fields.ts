import type { TypeNode } from '../../schema/type-model.js'
import { emptySet, type FieldSet, type FieldSetDraft, isMember } from './field-set.js'
import { nodeBelow } from './reconcile.js'

/**
 * The set with the named fields that lead to its members made members too. Nobody owns `spec` for owning `spec.size`;
 * but when sets are compared to find what may go, `spec` goes with the last of its parts.
 */
export function withNamedFields(set: FieldSet, node: TypeNode | undefined): FieldSet {
  const result: FieldSetDraft = {}
  for (const element in set) {
    const before = set[element] as FieldSet
    const below = withNamedFields(before, node === undefined ? undefined : nodeBelow(node, element))
    const isNamed = node?.is === 'struct' && element.charAt(0) === 'f' && node.fields.has(element.slice(2))
    result[element] = (isNamed && !isMember(before) ? { '.': emptySet, ...below } : below) as FieldSetDraft
  }
  return result
}
