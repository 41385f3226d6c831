import { isAtomic, type ListNode, type TypeNode } from '../../schema/type-model.js'
import { isObject, type JsonObject, own, setOwn } from './json-values.js'
import { elementOf } from './list-items.js'
import type { PathElement } from './path-element.js'
import { nodeOfField } from './to-field-set.js'

/** Merges an applied value into the live one: units are replaced, everything else is merged. New items come last. */
export function merge(live: unknown, applied: unknown, node: TypeNode): unknown {
  if (applied === undefined) return live
  if (live === undefined || node.is === 'scalar' || isAtomic(node)) return applied
  if (node.is === 'list') return mergeLists(live, applied, node)
  if (node.is === 'unstructured' && (Array.isArray(applied) || typeof applied !== 'object')) return applied
  return mergeMaps(live, applied, node)
}

function mergeMaps(live: unknown, applied: unknown, node: TypeNode): unknown {
  const left = isObject(live) ? live : {}
  const right = isObject(applied) ? applied : {}
  // Empty on both sides: the applied value is used, whether empty or null.
  if (Object.keys(left).length === 0 && Object.keys(right).length === 0) return applied
  const merged: JsonObject = { ...left }
  for (const key of Object.keys(right)) {
    const fieldNode = nodeOfField(node, key)
    const value = own(right, key)
    if (fieldNode !== undefined) setOwn(merged, key, merge(own(left, key), value, fieldNode))
  }
  return merged
}

function mergeLists(live: unknown, applied: unknown, node: ListNode): unknown {
  const left = Array.isArray(live) ? live : []
  const right = Array.isArray(applied) ? applied : []
  if (left.length === 0 && right.length === 0) return applied
  const sent = new Map<PathElement, unknown>(right.map(item => [elementOf(node, item), item]))
  const merged: unknown[] = []
  for (const item of left) {
    const element = elementOf(node, item)
    merged.push(merge(item, sent.get(element), node.item))
    sent.delete(element)
  }
  return [...merged, ...sent.values()]
}
