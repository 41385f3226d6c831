import { atOnce, type InTurns } from '../../contracts/in-turns.js'
import { insideUnstructured, isAtomic, type ListNode, type TypeNode } from '../../schema/type-model.js'
import { emptySet, type FieldSet, type FieldSetDraft, sortSet, unionOfAll } from './field-set.js'
import { isObject, type JsonObject } from './json-values.js'
import { elementOf } from './list-items.js'
import { fieldElement, self } from './path-element.js'

/** The fields that a value states: its leaves, its list items, and its empty or null parts. */
export const toFieldSet = (value: unknown, node: TypeNode): FieldSet => atOnce(statedFields(value, node))

/** The same for a request, which may yield. */
export function* statedFields(value: unknown, node: TypeNode): InTurns<FieldSet> {
  const fields = isUnit(value, node) ? emptySet : partsOf(value, node, false)
  yield
  return sortSet(fields)
}

/** What a value that is no unit states below itself, and `.` with it if the value is a member; empty if that is nothing. */
function partsOf(value: unknown, node: TypeNode, isMember: boolean): FieldSet {
  if (node.is === 'list') return Array.isArray(value) ? itemsOf(value, node, isMember) : emptySet
  return isObject(value) ? fieldsOf(value, node, isMember) : emptySet
}

const started = (isMember: boolean): FieldSetDraft => (isMember ? { [self]: emptySet as FieldSetDraft } : {})

/** Whether a value is owned as a whole. Without a schema, only objects have parts. */
function isUnit(value: unknown, node: TypeNode): boolean {
  if (node.is === 'unstructured') return !isObject(value) || isAtomic(node)
  return node.is === 'scalar' || isAtomic(node)
}

function fieldsOf(value: JsonObject, node: TypeNode, isMember: boolean): FieldSet {
  let set: FieldSetDraft | undefined
  for (const key in value) {
    const field = value[key]
    const fieldNode = nodeOfField(node, key)
    if (field === undefined || fieldNode === undefined) continue
    const below = statedBelow(field, fieldNode, !(node.is === 'struct' && node.fields.has(key)))
    if (below === undefined) continue
    set ??= started(isMember)
    set[fieldElement(key)] = below as FieldSetDraft
  }
  return set ?? emptySet
}

/** The node of a field; undefined if nothing is stated. An undeclared key is a member itself; a declared field only if it is empty. */
function statedBelow(field: unknown, node: TypeNode, isUndeclared: boolean): FieldSet | undefined {
  if (isUnit(field, node)) return emptySet
  const below = partsOf(field, node, isUndeclared)
  if (below !== emptySet || isUndeclared) return below
  const isBlank = field === null || (isObject(field) && Object.keys(field).length === 0)
  return isBlank ? emptySet : undefined
}

function itemsOf(items: readonly unknown[], node: ListNode, isMember: boolean): FieldSet {
  let set: FieldSetDraft | undefined
  /** Items with the element of another one. */
  const repeated: FieldSet[] = []
  for (const item of items) {
    const element = elementOf(node, item)
    const below = isUnit(item, node.item) ? emptySet : partsOf(item, node.item, true)
    set ??= started(isMember)
    if (set[element] === undefined) set[element] = below as FieldSetDraft
    else repeated.push({ [element]: below })
  }
  if (set === undefined) return emptySet
  return repeated.length === 0 ? set : unionOfAll([set, ...repeated])
}

/** The type of a key's value; unstructured values are made of unstructured values. */
export function nodeOfField(node: TypeNode, key: string): TypeNode | undefined {
  if (node.is === 'struct') return node.fields.get(key)?.node ?? node.rest
  if (node.is === 'map') return node.value
  return node.is === 'unstructured' ? insideUnstructured(node) : undefined
}
