import { atOnce, type InTurns } from '../../contracts/in-turns.js'
import { insideUnstructured, isAtomic, type ListNode, type TypeNode } from '../../schema/type-model.js'
import { emptySet, type FieldSet, type FieldSetDraft, insertPath, isEmpty, sortSet } from './field-set.js'
import { isObject, type JsonObject, own } from './json-values.js'
import { elementOf } from './list-items.js'
import { fieldElement, type PathElement } from './path-element.js'

/** The fields that a value states: its leaves, its list items, and its empty or null parts. */
export const toFieldSet = (value: unknown, node: TypeNode): FieldSet => atOnce(statedFields(value, node))

/** The same for a request, which may yield. */
export function* statedFields(value: unknown, node: TypeNode): InTurns<FieldSet> {
  const draft: FieldSetDraft = {}
  collect(value, node, [], draft)
  yield
  return isEmpty(draft) ? emptySet : sortSet(draft)
}

function collect(value: unknown, node: TypeNode, path: PathElement[], draft: FieldSetDraft): void {
  if (isUnit(value, node)) insertPath(draft, path)
  else if (node.is === 'list') {
    if (Array.isArray(value)) collectItems(value, node, path, draft)
  } else if (isObject(value)) collectFields(value, node, path, draft)
}

/** Whether a value is owned as a whole. Without a schema, only objects have parts. */
function isUnit(value: unknown, node: TypeNode): boolean {
  if (node.is === 'unstructured') return !isObject(value) || isAtomic(node)
  return node.is === 'scalar' || isAtomic(node)
}

function collectFields(value: JsonObject, node: TypeNode, path: PathElement[], draft: FieldSetDraft): void {
  for (const key of Object.keys(value)) {
    const field = own(value, key)
    const fieldNode = nodeOfField(node, key)
    if (field === undefined || fieldNode === undefined) continue
    path.push(fieldElement(key))
    collect(field, fieldNode, path, draft)
    // An undeclared key is a member itself; a declared field only if it is empty.
    const isBlank = field === null || (isObject(field) && Object.keys(field).length === 0)
    const isDeclared = node.is === 'struct' && node.fields.has(key)
    if (isBlank || (!isDeclared && !isUnit(field, fieldNode))) insertPath(draft, path)
    path.pop()
  }
}

function collectItems(items: readonly unknown[], node: ListNode, path: PathElement[], draft: FieldSetDraft): void {
  for (const item of items) {
    path.push(elementOf(node, item))
    collect(item, node.item, path, draft)
    insertPath(draft, path)
    path.pop()
  }
}

/** The type of a key's value; unstructured values are made of unstructured values. */
export function nodeOfField(node: TypeNode, key: string): TypeNode | undefined {
  if (node.is === 'struct') return node.fields.get(key)?.node ?? node.rest
  if (node.is === 'map') return node.value
  return node.is === 'unstructured' ? insideUnstructured(node) : undefined
}
