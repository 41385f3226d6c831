import { ApiError, badRequest } from 'orch/sdk'
import type { ListNode, TypeNode } from '../schema/type-model.js'
import { refuseDeepNesting } from './nesting-limit.js'
import {
  deleteFromListPrefix,
  fieldOfDirective,
  isListDirective,
  patchDirective,
  retainKeys,
  retainKeysDirective,
  setElementOrderPrefix,
  withoutDirectives,
} from './strategic-directives.js'
import { checkElementOrder, identityText, orderAfterDeletions, orderMerged } from './strategic-list-order.js'
import { isObject, type JsonObject, own, quoted, setOwn } from './structured-merge/json-values.js'

/**
 * Strategic merge patch: a merge patch whose lists merge item by item where the schema names a merge key, and whose
 * `$` directives delete, replace and order. Returns a new object; neither argument changes.
 */
export function strategicMergePatch(original: JsonObject, patch: unknown, node: TypeNode): JsonObject {
  if (!isObject(patch)) throw badRequest('invalid JSON document')
  refuseDeepNesting(patch)
  return mergeObject(original, patch, node)
}

function mergeObject(original: JsonObject, patch: JsonObject, node: TypeNode | undefined): JsonObject {
  const directive = own(patch, patchDirective)
  if (directive === 'delete') return {}
  if (directive === 'replace') return withoutDirectives(patch) as JsonObject
  if (directive !== undefined && directive !== 'merge') throw unknownPatchType(directive, patch)

  const result: JsonObject = { ...retainKeys(original, patch) }
  const done = new Set<string>([patchDirective, retainKeysDirective])
  for (const key of Object.keys(patch)) {
    if (key.startsWith(deleteFromListPrefix)) deleteFromList(result, patch, key)
  }
  for (const key of Object.keys(patch)) {
    if (key.startsWith(setElementOrderPrefix)) done.add(mergeInOrder(result, patch, key, node))
  }
  for (const key of Object.keys(patch)) {
    if (done.has(key) || isListDirective(key)) continue
    const value = own(patch, key)
    if (value === null) delete result[key]
    else setOwn(result, key, mergeValue(own(result, key), value, fieldNode(node, key)))
  }
  return result
}

function mergeValue(original: unknown, patch: unknown, field: FieldOfPatch): unknown {
  if (isObject(original) && isObject(patch)) {
    return field.strategy === 'replace' ? withoutDirectives(patch) : mergeObject(original, patch, field.node)
  }
  if (Array.isArray(original) && Array.isArray(patch)) {
    return field.node?.is === 'list' && field.node.patchStrategy.startsWith('merge')
      ? mergeList(original, patch, field.node)
      : patch
  }
  return withoutDirectives(patch)
}

interface FieldOfPatch {
  readonly node: TypeNode | undefined
  readonly strategy: unknown
}

function fieldNode(node: TypeNode | undefined, key: string): FieldOfPatch {
  if (node?.is === 'map') return { node: node.value, strategy: undefined }
  const field = node?.is === 'struct' ? node.fields.get(key) : undefined
  return { node: field?.node, strategy: field?.schema['patchStrategy'] }
}

function mergeList(original: unknown[], patch: unknown[], node: ListNode): unknown[] {
  const all = [...original, ...patch]
  if (all.some(Array.isArray)) throw unprocessable('lists of lists are not supported')
  const objects = all.filter(isObject).length
  if (objects === 0) return orderMerged(withoutDuplicates(all), patch, original, undefined)
  if (objects < all.length) throw badRequest('expected all items of a list to be of one type')
  if (node.patchMergeKey === undefined) throw badRequest('cannot merge lists without merge key')
  return mergeObjects(original as JsonObject[], patch as JsonObject[], node, node.patchMergeKey)
}

function mergeObjects(original: JsonObject[], patch: JsonObject[], node: ListNode, mergeKey: string): unknown[] {
  const plain = patch.filter(item => own(item, patchDirective) === undefined)
  const deleted = new Set<string>()
  let replaced = false
  for (const item of patch) {
    const directive = own(item, patchDirective)
    if (directive === undefined) continue
    if (directive === 'delete') deleted.add(identityText(item, mergeKey))
    else if (directive === 'replace') replaced = true
    else if (directive === 'merge') throw badRequest('merging lists cannot yet be specified in the patch')
    else throw unknownPatchType(directive, item)
  }
  if (replaced) return plain.map(withoutDirectives)
  const live = deleted.size === 0 ? original : original.filter(item => !deleted.has(identityText(item, mergeKey)))
  return orderMerged(mergeItems(live, plain, node, mergeKey), plain, live, mergeKey)
}

/** Each item of the patch merges into the first that is the same, or is added. */
function mergeItems(live: JsonObject[], plain: JsonObject[], node: ListNode, mergeKey: string): JsonObject[] {
  const merged = [...live]
  const positions = new Map<string, number>()
  live.forEach((item, position) => {
    const identity = identityText(item, mergeKey)
    if (!positions.has(identity)) positions.set(identity, position)
  })
  for (const item of plain) {
    const identity = identityText(item, mergeKey)
    const position = positions.get(identity)
    if (position === undefined) {
      positions.set(identity, merged.length)
      merged.push(withoutDirectives(item) as JsonObject)
    } else merged[position] = mergeObject(merged[position]!, item, node.item)
  }
  return merged
}

/** Merges the list that a `$setElementOrder` is about and puts it in that order. Returns the list's key. */
function mergeInOrder(result: JsonObject, patch: JsonObject, directive: string, node: TypeNode | undefined): string {
  const complaint = 'invalid patch format of setElementOrder list'
  const key = fieldOfDirective(directive, setElementOrderPrefix, complaint)
  const order = own(patch, directive)
  const live = own(result, key)
  const sent = own(patch, key)
  if (!Array.isArray(order)) throw badRequest(complaint)
  if (sent === null) {
    delete result[key]
    return key
  }
  if ((live !== undefined && !Array.isArray(live)) || (sent !== undefined && !Array.isArray(sent))) {
    throw badRequest(complaint)
  }
  const field = fieldNode(node, key)
  const mergeKey = field.node?.is === 'list' ? field.node.patchMergeKey : undefined
  checkElementOrder(sent ?? [], order, mergeKey)
  if (live === undefined && sent === undefined) return key
  const merged = sent === undefined ? live : mergeValue(live, sent, field)
  const liveOrder = orderAfterDeletions(live ?? [], sent ?? [], mergeKey)
  setOwn(result, key, orderMerged(merged as unknown[], order, liveOrder, mergeKey))
  return key
}

function deleteFromList(result: JsonObject, patch: JsonObject, directive: string): void {
  const complaint = 'invalid patch format of primitive list'
  const key = fieldOfDirective(directive, deleteFromListPrefix, complaint)
  const removed = own(patch, directive)
  const live = own(result, key)
  if (!Array.isArray(removed)) throw badRequest(complaint)
  if (live === undefined) return
  if (!Array.isArray(live)) throw badRequest(complaint)
  const gone = new Set<unknown>(removed)
  setOwn(
    result,
    key,
    live.filter(item => !gone.has(item)),
  )
}

const withoutDuplicates = (items: readonly unknown[]) => [...new Set(items)]

/** With its text as a cause: clients such as kubectl show nothing else of a 422. */
const unprocessable = (why: string) =>
  new ApiError(422, 'Invalid', why, { causes: [{ reason: 'FieldValueInvalid', message: why, field: 'patch' }] })
const unknownPatchType = (directive: unknown, patch: JsonObject) =>
  unprocessable(`unknown patch type: ${quoted(directive)} in map: ${quoted(patch)}`)
