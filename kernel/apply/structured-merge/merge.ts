import { isAtomic, type ListNode, type TypeNode } from '../../schema/type-model.js'
import { isObject, type JsonObject, own, setOwn, shallowCopy } from './json-values.js'
import { elementOf } from './list-items.js'
import { mergedOrder } from './merged-order.js'
import type { PathElement } from './path-element.js'
import { nodeOfField } from './to-field-set.js'

/**
 * Merges an applied value into the live one: units are replaced, everything else is merged. Lists have the order of the applied ones if
 * `keepsOrder`; otherwise new items come last. Parts that do not change are those of the live value, so that comparing them costs nothing.
 */
export function merge(live: unknown, applied: unknown, node: TypeNode, keepsOrder = true): unknown {
  if (applied === undefined) return live
  if (live === undefined || node.is === 'scalar' || isAtomic(node)) return applied
  if (node.is === 'list') return mergeLists(live, applied, node, keepsOrder)
  if (node.is === 'unstructured' && (Array.isArray(applied) || typeof applied !== 'object')) return applied
  return mergeMaps(live, applied, node, keepsOrder)
}

function mergeMaps(live: unknown, applied: unknown, node: TypeNode, keepsOrder: boolean): unknown {
  const left = isObject(live) ? live : {}
  const right = isObject(applied) ? applied : {}
  const keys = Object.keys(right)
  // Empty on both sides: the applied value is used, whether empty or null.
  if (keys.length === 0 && Object.keys(left).length === 0) return applied
  let merged: JsonObject | undefined
  for (const key of keys) {
    const value = right[key]
    // Most values are the same; inherited ones are none of JSON.
    if (value === left[key]) continue
    const fieldNode = nodeOfField(node, key)
    if (fieldNode === undefined) continue
    const before = own(left, key)
    const after = merge(before, value, fieldNode, keepsOrder)
    if (after === before) continue
    merged ??= shallowCopy(left)
    setOwn(merged, key, after)
  }
  return merged ?? left
}

function mergeLists(live: unknown, applied: unknown, node: ListNode, keepsOrder: boolean): unknown {
  const left: unknown[] = Array.isArray(live) ? live : []
  const right: unknown[] = Array.isArray(applied) ? applied : []
  if (left.length === 0 && right.length === 0) return applied
  const sent = new Map<PathElement, unknown>(right.map(item => [elementOf(node, item), item]))
  const elements = left.map(item => elementOf(node, item))
  const known = new Set(elements)
  const repeated = known.size === elements.length ? nothing : repeatedIn(elements)
  const merged = left.map((item, i) => {
    const element = elements[i]!
    const before = repeated.has(element) ? undefined : item
    return sent.has(element) ? merge(before, sent.get(element), node.item, keepsOrder) : item
  })
  const added = [...sent].flatMap(([element, item]) => (known.has(element) ? [] : [item]))
  const items = [...merged, ...added]
  const ordered = keepsOrder ? mergedOrder(elements, [...sent.keys()]).map(position => items[position]) : items
  return ordered.length === left.length && ordered.every((item, i) => item === left[i]) ? left : ordered
}

const nothing: ReadonlySet<PathElement> = new Set()
/** Live items of the same identity cannot be told apart: an applied one replaces them all. */
function repeatedIn(elements: readonly PathElement[]): ReadonlySet<PathElement> {
  const once = new Set<PathElement>()
  return new Set(elements.filter(element => once.size === once.add(element).size))
}
