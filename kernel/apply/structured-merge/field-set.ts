import { canonicalElement, type PathElement, self, sortElements } from './path-element.js'

/**
 * A set of field paths in the wire form of FieldsV1, so that reading and writing cost nothing:
 *
 *     {"f:data": {".": {}, "f:a": {}}, "f:spec": {"f:size": {}}}
 *     is the set  .data  .data.a  .spec.size   (but not .spec)
 *
 * A path is a member if its node is empty or has the key `.`. Sets are immutable; operations share unchanged parts and
 * return their first argument if nothing changes, so that `===` means "the same set".
 */
export interface FieldSet {
  readonly [element: PathElement]: FieldSet
}
/** A set that is being built. */
export interface FieldSetDraft {
  [element: PathElement]: FieldSetDraft
}

/** The node of a path with nothing below it. All drafts share it, so nothing may be inserted there. */
export const leaf: FieldSetDraft = Object.freeze({})
export const emptySet: FieldSet = leaf

/** `.` is looked for first: to begin a walk over thousands of keys takes as long as a walk over all of them (test/limits/large). */
export function isEmpty(set: FieldSet): boolean {
  if (set[self] !== undefined) return false
  for (const _ in set) return false
  return true
}

/** Whether a node (not the root) is a member. */
export const isMember = (node: FieldSet): boolean => node[self] !== undefined || isEmpty(node)

/**
 * Marks drafts that have children: checking for children is slow in a map of thousands of keys, and is done once per key. A symbol
 * is not a path: `for in` and JSON skip it.
 */
const grown = Symbol('grown')
type MarkedDraft = FieldSetDraft & { [grown]?: true }

/** Adds a path to a draft. The empty path is ignored. */
export function insertPath(draft: FieldSetDraft, path: readonly PathElement[]): void {
  let node: MarkedDraft = draft
  const last = path.length - 1
  for (let i = 0; i <= last; i++) {
    const element = path[i] as PathElement
    const next: MarkedDraft | undefined = node[element]
    if (next === undefined) {
      const created: MarkedDraft = {}
      if (i < last) created[grown] = true
      node[element] = created
      node = created
      continue
    }
    if (i === last) {
      if (next[grown] ? next[self] === undefined : !isMember(next)) next[self] = {}
    } else if (!next[grown]) {
      // A leaf that gets a child must be marked to stay a member.
      if (isEmpty(next)) next[self] = {}
      next[grown] = true
    }
    node = next
  }
}

/** Adds a path and a set of paths below it, of which the draft has none yet. */
export function insertSet(draft: FieldSetDraft, path: readonly PathElement[], set: FieldSetDraft): void {
  insertPath(draft, path)
  if (isEmpty(set)) return
  let parent = draft
  for (let i = 0; i < path.length - 1; i++) parent = parent[path[i] as PathElement] as FieldSetDraft
  const [last] = path.slice(-1)
  if (last !== undefined) parent[last] = set
}

/** Every member path, in order of writing. */
export function* pathsOf(set: FieldSet, prefix: readonly PathElement[] = []): Generator<readonly PathElement[]> {
  for (const element in set) {
    if (element === self) continue
    const node = set[element] as FieldSet
    const path = [...prefix, element]
    if (isMember(node)) yield path
    yield* pathsOf(node, path)
  }
}

export function setOf(paths: Iterable<readonly PathElement[]>): FieldSet {
  const draft: FieldSetDraft = {}
  for (const path of paths) insertPath(draft, path)
  return sortSet(draft)
}

export function union(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right) return left
  let changes: Map<PathElement, FieldSet> | undefined
  let added: PathElement[] | undefined
  for (const element in right) {
    const theirs = right[element] as FieldSet
    const ours = left[element]
    const both = ours === undefined ? theirs : unionOfNodes(ours, theirs)
    if (both === ours) continue
    changes ??= new Map()
    changes.set(element, both)
    if (ours === undefined) (added ??= []).push(element)
  }
  if (changes === undefined) return left
  const elements = Object.keys(left).concat(added ?? [])
  return setIn(added ? sortElements(elements) : elements, left, changes)
}

/** A set with these elements in this order: those that changed, and the others as they were. */
function setIn(
  elements: readonly PathElement[],
  set: FieldSet,
  changes?: ReadonlyMap<PathElement, FieldSet>,
): FieldSetDraft {
  const result: FieldSetDraft = {}
  for (const element of elements) result[element] = (changes?.get(element) ?? set[element]) as FieldSetDraft
  return result
}

/** The union of many sets, in time proportional to their size: uniting them one by one sorts and copies the result each time. */
export function unionOfAll(sets: readonly FieldSet[]): FieldSet {
  const [first, second] = sets
  if (second === undefined) return first ?? emptySet
  const draft: FieldSetDraft = {}
  for (const set of sets) addSet(draft, set)
  return sortSet(draft)
}

function addSet(draft: MarkedDraft, set: FieldSet): void {
  for (const element in set) {
    const theirs = set[element] as FieldSet
    const known: MarkedDraft | undefined = draft[element]
    const node: MarkedDraft = known ?? {}
    draft[element] = node
    if (isEmpty(theirs)) {
      if (node[grown]) node[self] ??= {}
      continue
    }
    // A leaf that gets children must be marked to stay a member.
    if (known && !node[grown]) node[self] = {}
    node[grown] = true
    addSet(node, theirs)
  }
}

function unionOfNodes(left: FieldSet, right: FieldSet): FieldSet {
  if (isEmpty(right)) return isMember(left) ? left : withSelf(left)
  if (isEmpty(left)) return isMember(right) ? right : withSelf(right)
  return union(left, right)
}

export function intersection(left: FieldSet, right: FieldSet): FieldSet {
  const result: FieldSetDraft = {}
  for (const element in left) {
    const theirs = right[element]
    if (element === self || theirs === undefined) continue
    const ours = left[element] as FieldSet
    const below = intersection(ours, theirs)
    const member = isMember(ours) && isMember(theirs)
    if (isEmpty(below)) {
      if (member) result[element] = {}
    } else result[element] = (member ? withSelf(below) : below) as FieldSetDraft
  }
  return result
}

/** The members of `left` that are not in `right`: children of a removed path stay. */
export const difference = (left: FieldSet, right: FieldSet): FieldSet => subtract(left, right, false) ?? emptySet

/** The members of `left` that are neither in `right` nor below one of its members. */
export const recursiveDifference = (left: FieldSet, right: FieldSet): FieldSet =>
  subtract(left, right, true) ?? emptySet

/**
 * Removes the elements of `theirs` from `ours`, and `.` if the node itself is removed. Walks `theirs`, which is mostly the smaller
 * one. The result is undefined if nothing is left, and a leaf if only `.` is.
 */
function subtract(ours: FieldSet, theirs: FieldSet, recursive: boolean, isGone = false): FieldSet | undefined {
  let changes: Map<PathElement, FieldSet | undefined> | undefined
  for (const element in theirs) {
    const mine = ours[element]
    if (element === self || mine === undefined) continue
    const kept = subtractNode(mine, theirs[element] as FieldSet, recursive)
    if (kept === mine) continue
    changes ??= new Map()
    changes.set(element, kept)
  }
  const wasMember = ours[self] !== undefined
  if (changes === undefined && !(isGone && wasMember)) return ours
  const isMemberStill = wasMember && !isGone
  // Copied, because deleting keys makes an object slow from then on.
  const result: FieldSetDraft = {}
  let hasChildren = false
  for (const element in ours) {
    if (element === self) {
      if (isMemberStill) result[self] = leaf
      continue
    }
    const kept = changes?.has(element) ? changes.get(element) : ours[element]
    if (kept === undefined) continue
    result[element] = kept as FieldSetDraft
    hasChildren = true
  }
  if (hasChildren) return result
  return isMemberStill ? leaf : undefined
}

/** The remaining node; `undefined` if it is empty. */
function subtractNode(ours: FieldSet, theirs: FieldSet, recursive: boolean): FieldSet | undefined {
  const isGone = isMember(theirs)
  if (isGone && recursive) return undefined
  if (isEmpty(ours)) return isGone ? undefined : ours
  return subtract(ours, theirs, recursive, isGone)
}

const withSelf = (node: FieldSet): FieldSet => (node[self] === undefined ? { [self]: leaf, ...node } : node)
function withoutSelf(node: FieldSet): FieldSet {
  if (node[self] === undefined) return node
  const { [self]: _, ...rest } = node
  return rest
}
function onlySelf(node: FieldSet): boolean {
  for (const element in node) if (element !== self) return false
  return true
}

export function equalSets(left: FieldSet, right: FieldSet): boolean {
  if (left === right) return true
  let count = 0
  for (const element in left) {
    const theirs = right[element]
    if (theirs === undefined || !equalSets(left[element] as FieldSet, theirs)) return false
    count++
  }
  for (const _ in right) count--
  return count === 0
}

/** Whether every member of `left` is one of `right`. */
export function isSubset(left: FieldSet, right: FieldSet): boolean {
  for (const element in left) {
    if (element === self) continue
    const ours = left[element] as FieldSet
    const theirs = right[element]
    if (theirs === undefined || (isMember(ours) && !isMember(theirs)) || !isSubset(ours, theirs)) return false
  }
  return true
}

/** The set with its keys in the order in which they are written, `.` first. */
export function sortSet(set: FieldSet): FieldSet {
  if (set === leaf) return leaf
  const elements = Object.keys(set)
  if (elements.length === 0) return leaf
  const sorted = sortElements(elements.slice())
  let result: FieldSetDraft | undefined
  for (let i = 0; i < sorted.length; i++) {
    const element = sorted[i]!
    const before = set[element]!
    const after = sortSet(before)
    if (result === undefined) {
      if (element === elements[i] && (after === before || after === leaf)) continue
      result = setIn(sorted.slice(0, i), set)
    }
    result[element] = after as FieldSetDraft
  }
  return result ?? set
}
function sortLevel(set: FieldSet): FieldSet {
  const elements = Object.keys(set)
  const sorted = sortElements(elements.slice())
  return elements.every((element, i) => element === sorted[i]) ? set : setIn(sorted, set)
}

/** Far deeper than the sets of this server (see `ownedLevels`), and shallow enough for recursive operations. */
const maxLevels = 600

/**
 * Parses FieldsV1 from a client. Throws a SyntaxError if it is not a set; unknown kinds of elements are dropped, and paths that
 * are too deep are cut.
 */
export const fromFieldsV1 = (fields: unknown): FieldSet => withoutSelf(readNode(fields, 0))

function readNode(fields: unknown, level: number): FieldSet {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw new SyntaxError('a field set must be an object')
  }
  if (level > maxLevels) return leaf
  const draft: FieldSetDraft = {}
  for (const [key, value] of Object.entries(fields)) {
    const element = key === self ? self : canonicalElement(key)
    if (element !== undefined) draft[element] = (element === self ? leaf : readNode(value, level + 1)) as FieldSetDraft
  }
  return onlySelf(draft) ? leaf : sortLevel(draft)
}
