import { atOnce, type InTurns } from '../../contracts/in-turns.js'
import { insideUnstructured, isAtomic, type ListNode, type TypeNode } from '../../schema/type-model.js'
import { emptySet, type FieldSet, type FieldSetDraft, leaf, sortSet, unionOfAll } from './field-set.js'
import { isObject, type JsonObject } from './json-values.js'
import { elementOf } from './list-items.js'
import { fieldElement, self } from './path-element.js'

/** The fields that a value states: its leaves, its list items, and its empty or null parts. */
export const toFieldSet = (value: unknown, node: TypeNode): FieldSet => atOnce(statedFields(value, node))

/** The same for a request, which may yield. */
export function* statedFields(value: unknown, node: TypeNode): InTurns<FieldSet> {
  const wide: WideMap[] = []
  const fields = isUnit(value, node) ? emptySet : partsOf(value, node, false, wide)
  if (wide.length > 0) yield* addWideMaps(wide)
  yield
  return sortSet(fields)
}

/** What a value that is no unit states below itself, and `.` with it if the value is a member; empty if that is nothing. */
function partsOf(value: unknown, node: TypeNode, isMember: boolean, wide: WideMap[]): FieldSet {
  if (node.is === 'list') return Array.isArray(value) ? itemsOf(value, node, isMember, wide) : emptySet
  return isObject(value) ? fieldsOf(value, node, isMember, wide) : emptySet
}

const started = (isMember: boolean): FieldSetDraft => (isMember ? { [self]: leaf } : {})

/** Whether a value is owned as a whole. Without a schema, only objects have parts. */
function isUnit(value: unknown, node: TypeNode): boolean {
  if (node.is === 'unstructured') return !isObject(value) || isAtomic(node)
  return node.is === 'scalar' || isAtomic(node)
}

function fieldsOf(value: JsonObject, node: TypeNode, isMember: boolean, wide: WideMap[]): FieldSet {
  const keys = Object.keys(value)
  if (keys.length === 0) return emptySet
  const set = started(isMember)
  if (putsOff(wide, set, value, keys, node)) return set
  let isEmpty = true
  for (const key of keys) {
    const field = value[key]
    const fieldNode = nodeOfField(node, key)
    if (field === undefined || fieldNode === undefined) continue
    const below = statedBelow(field, fieldNode, !(node.is === 'struct' && node.fields.has(key)), wide)
    if (below === undefined) continue
    set[fieldElement(key)] = below as FieldSetDraft
    isEmpty = false
  }
  return isEmpty ? emptySet : set
}

/** The node of a field; undefined if nothing is stated. An undeclared key is a member itself; a declared field only if it is empty. */
function statedBelow(field: unknown, node: TypeNode, isUndeclared: boolean, wide: WideMap[]): FieldSet | undefined {
  if (isUnit(field, node)) return emptySet
  const below = partsOf(field, node, isUndeclared, wide)
  if (below !== emptySet || isUndeclared) return below
  const isBlank = field === null || (isObject(field) && Object.keys(field).length === 0)
  return isBlank ? emptySet : undefined
}

function itemsOf(items: readonly unknown[], node: ListNode, isMember: boolean, wide: WideMap[]): FieldSet {
  let set: FieldSetDraft | undefined
  /** Items with the element of another one. */
  const repeated: FieldSet[] = []
  for (const item of items) {
    const element = elementOf(node, item)
    const below = isUnit(item, node.item) ? emptySet : partsOf(item, node.item, true, wide)
    set ??= started(isMember)
    if (set[element] === undefined) set[element] = below as FieldSetDraft
    else repeated.push({ [element]: below })
  }
  if (set === undefined) return emptySet
  if (repeated.length === 0) return set
  // A union is a copy, so it has to be of whole sets.
  atOnce(addWideMaps(wide))
  return unionOfAll([set, ...repeated])
}

/** The type of a key's value; unstructured values are made of unstructured values. */
export function nodeOfField(node: TypeNode, key: string): TypeNode | undefined {
  if (node.is === 'struct') return node.fields.get(key)?.node ?? node.rest
  if (node.is === 'map') return node.value
  return node.is === 'unstructured' ? insideUnstructured(node) : undefined
}

/** More keys than this are added to a set in turns: V8 hashes and keeps the text of each (test/limits/large). */
const keysPerTurn = 5000

/** A map whose keys are still to be added to a set. */
export interface WideMap {
  readonly set: FieldSetDraft
  readonly map: JsonObject
  readonly keys: readonly string[]
}

/** Whether a walk adds this map later, with `addWideMaps`. Only maps whose values are units: nothing below them has to be walked. */
export function putsOff(
  wide: WideMap[],
  set: FieldSetDraft,
  map: JsonObject,
  keys: readonly string[],
  node: TypeNode,
): boolean {
  if (keys.length <= keysPerTurn || node.is !== 'map') return false
  if (node.value.is !== 'scalar' && !isAtomic(node.value)) return false
  wide.push({ set, map, keys })
  return true
}

/** Adds the keys of all maps that were put off so far. */
export function* addWideMaps(wide: WideMap[]): InTurns<void> {
  for (const { set, map, keys } of wide.splice(0))
    for (let index = 0; index < keys.length; index++) {
      if (index % keysPerTurn === 0) yield
      const key = keys[index]!
      if (map[key] !== undefined) set[fieldElement(key)] = leaf
    }
}
