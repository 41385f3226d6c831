import { isAtomic, type ListNode, type TypeNode } from '../../schema/type-model.js'
import { type FieldSet, isMember } from './field-set.js'
import { isObject, type JsonObject, own, setOwn } from './json-values.js'
import { elementOf } from './list-items.js'
import { fieldElement } from './path-element.js'
import { nodeOfField } from './to-field-set.js'

/** The value without the members of a set. A part that becomes empty is null. */
export function removeItems(value: unknown, set: FieldSet, node: TypeNode): unknown {
  return select(value, set, node, (part, below, partNode) => {
    if (below === undefined) return part
    if (isMember(below)) return undefined
    return removeItems(part, below, partNode) ?? null
  })
}

/** Only the members of a set, with their parents: the object that their owner applied. */
export function extractItems(value: unknown, set: FieldSet, node: TypeNode): unknown {
  return select(value, set, node, (part, below, partNode) => {
    if (below === undefined) return undefined
    if (isUnit(part, partNode)) return part
    const extracted = extractItems(part, below, partNode)
    return extracted === undefined && isMember(below) ? blankOf(part) : extracted
  })
}

type Keep = (part: unknown, below: FieldSet | undefined, partNode: TypeNode) => unknown

/** Rebuilds a value from the parts that `keep` returns; `undefined` if none is left. */
function select(value: unknown, set: FieldSet, node: TypeNode, keep: Keep): unknown {
  if (node.is === 'scalar') return value
  if (isAtomic(node)) return undefined
  if (node.is === 'list') return Array.isArray(value) ? selectItems(value, set, node, keep) : undefined
  if (!isObject(value)) return node.is === 'unstructured' ? value : undefined
  const result: JsonObject = {}
  for (const key of Object.keys(value)) {
    const fieldNode = nodeOfField(node, key)
    if (fieldNode === undefined) continue
    const kept = keep(own(value, key), set[fieldElement(key)], fieldNode)
    if (kept !== undefined) setOwn(result, key, kept)
  }
  return Object.keys(result).length === 0 ? undefined : result
}

function selectItems(items: readonly unknown[], set: FieldSet, node: ListNode, keep: Keep): unknown {
  const result = items
    .map(item => keep(item, set[elementOf(node, item)], node.item))
    .filter(item => item !== undefined && item !== null)
  return result.length === 0 ? undefined : result
}

const isUnit = (value: unknown, node: TypeNode) =>
  node.is === 'scalar' || isAtomic(node) || (node.is === 'unstructured' && !isObject(value))

const blankOf = (value: unknown) => (Array.isArray(value) ? [] : isObject(value) ? {} : value)
