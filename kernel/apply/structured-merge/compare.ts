import { atOnce, type InTurns } from '../../contracts/in-turns.js'
import { isAtomic, type ListNode, type TypeNode } from '../../schema/type-model.js'
import { checkTyped } from './check-typed.js'
import { type FieldSet, type FieldSetDraft, insertPath, insertSet, isMember, leaf } from './field-set.js'
import { isObject, type JsonObject, own, sameJson } from './json-values.js'
import { elementOf, ItemWithoutIdentity } from './list-items.js'
import { describeElement, describePath, type PathElement, self } from './path-element.js'
import { addWideMaps, nodeOfField, putsOff, type WideMap } from './to-field-set.js'
import { TypedValueError } from './typed-error.js'

/** The differences between two values. The sets are not sorted, because they are combined with others. */
export interface Comparison {
  readonly added: FieldSet
  readonly modified: FieldSet
  readonly removed: FieldSet
}

interface Walk {
  readonly path: PathElement[]
  readonly added: FieldSetDraft
  readonly modified: FieldSetDraft
  readonly removed: FieldSetDraft
  /** Whether lists may have several items of the same identity. */
  readonly mayRepeat: boolean
  readonly wide: WideMap[]
}

/** Several items of a list with the same identity. They are one unit, since they cannot be distinguished. */
class Repeats {
  readonly items: unknown[]
  constructor(...items: unknown[]) {
    this.items = items
  }
}

interface CompareOptions {
  readonly ignored?: FieldSet
  readonly mayRepeat?: boolean
}

/** The differences between two values, at once: see `comparing`. */
export const compare = (before: unknown, after: unknown, node: TypeNode, options?: CompareOptions): Comparison =>
  atOnce(comparing(before, after, node, options))

/**
 * Compares two values of a type. Only differences cost something, so that an update of one field in a large object
 * is cheap to track. Members of `ignored` and everything below them count as unchanged.
 * Throws a TypedValueError when a list has an item without identity, or two with the same unless they `mayRepeat`; and when a member
 * of `ignored` is not of its type.
 */
export function* comparing(
  before: unknown,
  after: unknown,
  node: TypeNode,
  { ignored, mayRepeat = false }: CompareOptions = {},
): InTurns<Comparison> {
  const walk: Walk = { path: [], added: {}, modified: {}, removed: {}, mayRepeat, wide: [] }
  compareValues(before, after, node, walk, ignored)
  if (walk.wide.length > 0) yield* addWideMaps(walk.wide)
  return walk
}

function compareValues(before: unknown, after: unknown, node: TypeNode, walk: Walk, ignored?: FieldSet): void {
  if (before === after) return
  if (node.is === 'scalar') compareLeaf(before, after, walk)
  else if (isAtomic(node)) compareUnit(before, after, node, walk)
  else if (before === undefined && !ignored) insertSet(walk.added, walk.path, setOfAdded(after, node, walk))
  else if (node.is === 'list') compareLists(before, after, node, walk)
  else if (node.is === 'unstructured') compareUnstructured(before, after, node, walk)
  else compareMaps(before, after, node, walk, ignored)
}

/** All fields of an added value that is no unit. */
function setOfAdded(value: unknown, node: TypeNode, walk: Walk): FieldSetDraft {
  const set: FieldSetDraft = { [self]: leaf }
  let isBlank = true
  const addBelow = (element: PathElement, item: unknown, itemNode: TypeNode) => {
    isBlank = false
    if (itemNode.is === 'scalar' || isAtomic(itemNode) || item instanceof Repeats) {
      if (itemNode.is !== 'scalar' && !(item instanceof Repeats)) checkTyped(item, itemNode, walk.mayRepeat)
      set[element] = leaf
      return
    }
    walk.path.push(element)
    set[element] = setOfAdded(item, itemNode, walk)
    walk.path.pop()
  }
  if (node.is === 'list') {
    if (Array.isArray(value) && value.length > 0)
      for (const [element, item] of itemsByElement(value, node, walk)) addBelow(element, item, node.item)
  } else if (isObject(value)) {
    const keys = Object.keys(value)
    if (putsOff(walk.wide, set, value, keys, node)) return set
    for (const key of keys) {
      const [item, itemNode] = [value[key], nodeOfField(node, key)]
      if (item !== undefined && itemNode !== undefined) addBelow(`f:${key}`, item, itemNode)
    }
  }
  return isBlank ? leaf : set
}

function compareLeaf(before: unknown, after: unknown, walk: Walk): void {
  if (before === undefined) insertPath(walk.added, walk.path)
  else if (after === undefined) insertPath(walk.removed, walk.path)
  else if (!sameJson(before, after)) insertPath(walk.modified, walk.path)
}

/** A value that is owned as a whole; what is in it must be of its type, too. */
function compareUnit(before: unknown, after: unknown, node: TypeNode, walk: Walk): void {
  if (sameJson(before, after)) return
  checkTyped(after, node, walk.mayRepeat)
  compareLeaf(before, after, walk)
}

/** After the parts of a value: the value itself was added or removed. */
function comparePresence(before: unknown, after: unknown, walk: Walk): void {
  if (before === undefined) insertPath(walk.added, walk.path)
  else if (after === undefined) insertPath(walk.removed, walk.path)
}

const noFields: JsonObject = Object.freeze({})

function compareMaps(before: unknown, after: unknown, node: TypeNode, walk: Walk, ignored?: FieldSet): void {
  const left = isObject(before) ? before : noFields
  const right = isObject(after) ? after : noFields
  let isBlank = true
  // Most fields are the same on both sides, and need no further lookups; inherited values are none of JSON.
  for (const key in left) {
    isBlank = false
    const value = left[key]
    if (value !== right[key]) compareField(key, value, own(right, key), node, walk, ignored)
  }
  for (const key in right) {
    isBlank = false
    const value = right[key]
    if (value === undefined || value === left[key] || own(left, key) !== undefined) continue
    compareField(key, undefined, value, node, walk, ignored)
  }
  // Empty on both sides: compared as one unit, which keeps the difference between empty and null.
  if (isBlank) compareLeaf(before, after, walk)
  else comparePresence(before, after, walk)
}

function compareField(
  key: string,
  before: unknown,
  after: unknown,
  node: TypeNode,
  walk: Walk,
  ignored: FieldSet | undefined,
): void {
  if (before === after) return
  const fieldNode = nodeOfField(node, key)
  if (fieldNode === undefined) return
  const element = `f:${key}`
  const ignoredBelow = ignored?.[element]
  if (ignoredBelow !== undefined && isMember(ignoredBelow)) {
    // Nobody owns it, but it must be of its type, too.
    if (fieldNode.is !== 'scalar' && !sameJson(before, after)) checkTyped(after, fieldNode, walk.mayRepeat)
    return
  }
  walk.path.push(element)
  compareValues(before, after, fieldNode, walk, ignoredBelow)
  walk.path.pop()
}

function compareLists(before: unknown, after: unknown, node: ListNode, walk: Walk): void {
  // Computing the identity of every item is expensive; most lists are unchanged.
  if (sameJson(before, after)) return
  const left = Array.isArray(before) ? before : []
  const right = Array.isArray(after) ? after : []
  if (left.length === 0 && right.length === 0) {
    compareLeaf(before, after, walk)
    return
  }
  const rightItems = itemsByElement(right, node, walk)
  const leftItems = itemsByElement(left, node, walk)
  for (const [element, item] of leftItems) compareItem(element, item, rightItems.get(element), node, walk)
  for (const [element, item] of rightItems) {
    if (!leftItems.has(element)) compareItem(element, undefined, item, node, walk)
  }
  comparePresence(before, after, walk)
}

function compareItem(element: PathElement, before: unknown, after: unknown, node: ListNode, walk: Walk): void {
  walk.path.push(element)
  if (before instanceof Repeats && after instanceof Repeats) {
    if (!sameJson(before.items, after.items)) insertPath(walk.modified, walk.path)
  } else if (before instanceof Repeats) {
    // Several items became one, whose parts count as new.
    compareValues(undefined, after, node.item, walk)
    insertPath(walk.removed, walk.path)
  } else if (after instanceof Repeats) {
    compareValues(before, undefined, node.item, walk)
    insertPath(walk.added, walk.path)
  } else compareValues(before, after, node.item, walk)
  walk.path.pop()
}

function itemsByElement(
  items: readonly unknown[],
  node: ListNode,
  { path, mayRepeat }: Walk,
): Map<PathElement, unknown> {
  const found = new Map<PathElement, unknown>()
  items.forEach((item, index) => {
    let element: PathElement
    try {
      element = elementOf(node, item)
    } catch (error) {
      if (!(error instanceof ItemWithoutIdentity)) throw error
      throw new TypedValueError(describePath(path), `element ${index}: ${error.message}`)
    }
    if (found.has(element) && mayRepeat) {
      const known = found.get(element)
      if (known instanceof Repeats) known.items.push(item)
      else found.set(element, new Repeats(known, item))
      return
    }
    if (found.has(element)) {
      throw new TypedValueError(describePath(path), `duplicate entries for key ${describeElement(element)}`)
    }
    found.set(element, item)
  })
  return found
}

/** Without a schema the values determine the types: maps are granular, lists and scalars are units. */
function compareUnstructured(before: unknown, after: unknown, node: TypeNode, walk: Walk): void {
  if (mayBeMap(before) && mayBeMap(after)) {
    compareMaps(before, after, node, walk)
    return
  }
  // When one is a map and the other is not, the unit changed and so did every part of the map.
  compareLeaf(before, after, walk)
  const wasMap = isObject(before)
  const isMap = isObject(after)
  if (wasMap !== isMap) compareMaps(wasMap ? before : null, isMap ? after : null, node, walk)
}

/** Null counts as an empty map: filling it adds fields and takes nothing from its owner. */
const mayBeMap = (value: unknown) => value === undefined || value === null || isObject(value)
