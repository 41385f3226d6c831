import { copyJson, isObject, type JsonObject, own, quoted, sameJson, setOwn, shallowCopy } from '../json/index.js'
import { JsonPatchError } from './errors.js'

/** Patches with more operations are rejected: each operation may copy what earlier ones built. */
export const maxJsonPatchOperations = 10_000
/** Copies may multiply a document; a patch that copies more values is rejected. */
const maxCopiedValues = 200_000
/**
 * Adding or removing an item in the middle of a list moves all later items; a patch with more moves is rejected. This
 * many take a fraction of a second.
 */
const maxMovedItems = 200_000_000
/** A string counts as one value per this many characters: copying it is free, but writing the result is not. */
const charactersPerValue = 150

interface Operation {
  readonly op: string
  readonly path: string
  readonly from?: string
  readonly value?: unknown
}

/**
 * Applies a JSON Patch (RFC 6902). Returns a new document, which shares unchanged parts with the original; neither argument changes.
 * As lenient as the library that Kubernetes uses: indexes may be negative, a missing key may be replaced (and is copied as null), and
 * only `replace` and `test` may name the whole document.
 */
export function applyJsonPatch(document: unknown, patch: unknown): unknown {
  const operations = readOperations(patch)
  const patching: Patching = { root: { document }, copied: new Set(), copiedValues: 0, movedItems: 0 }
  for (const operation of operations) perform(patching, operation)
  return patching.root['document']
}

interface Patching {
  readonly root: JsonObject
  /** Copies of lists and objects of the original, which may be changed. Each is in one place of the document. */
  readonly copied: Set<unknown>
  /** The cost of the operations applied so far. */
  copiedValues: number
  movedItems: number
}

function readOperations(patch: unknown): Operation[] {
  if (!Array.isArray(patch)) throw new JsonPatchError('malformed', 'a JSON patch is a list of operations')
  if (patch.length > maxJsonPatchOperations) {
    throw tooLarge(`The allowed maximum operations in a JSON patch is ${maxJsonPatchOperations}, got ${patch.length}`)
  }
  return patch.map((operation: unknown, index) => {
    if (operation === null) throw unprocessable(`operation ${index} is null`)
    if (!isObject(operation)) throw new JsonPatchError('malformed', `operation ${index} is not an object`)
    return operation as unknown as Operation
  })
}

const unprocessable = (why: string) => new JsonPatchError('unprocessable', why)
const tooLarge = (why: string) => new JsonPatchError('too-large', why)

function perform(patching: Patching, operation: Operation): void {
  const { op, path, from } = operation
  if (op === 'add') add(patching, path, copyJson(operandOf(operation)))
  else if (op === 'remove') remove(patching, path)
  else if (op === 'replace') replace(patching, path, copyJson(operandOf(operation)))
  else if (op === 'move') move(patching, path, from)
  else if (op === 'copy') copy(patching, path, from)
  else if (op === 'test') test(patching, path, operation.value ?? null)
  else throw unprocessable(`unexpected kind: ${quoted(op)}`)
}

function move(patching: Patching, path: string, from: unknown): void {
  if (path !== from && `${path}/`.startsWith(`${String(from)}/`)) {
    throw unprocessable(`move operation cannot put ${quoted(from)} into itself`)
  }
  add(patching, path, remove(patching, from))
}

function copy(patching: Patching, path: string, from: unknown): void {
  const source = findOrNull(patching, from)
  patching.copiedValues += countValues(source)
  if (patching.copiedValues > maxCopiedValues) throw tooLarge('the JSON patch copies too much')
  add(patching, path, copyJson(source))
}

function test(patching: Patching, path: string, expected: unknown): void {
  if (!sameJson(findOrNull(patching, path, true), expected)) throw unprocessable(`testing path ${quoted(path)} failed`)
}

function operandOf(operation: Operation): unknown {
  if (!('value' in operation)) throw unprocessable(`${quoted(operation.op)} operation without a value`)
  return operation.value
}

/** The steps of a JSON pointer below `root.document`; the first step is always `document`. */
function stepsOf(pointer: unknown): string[] {
  if (typeof pointer !== 'string') throw unprocessable('operation without a path')
  if (pointer !== '' && !pointer.startsWith('/')) throw unprocessable(`invalid path ${quoted(pointer)}`)
  const steps = pointer
    .split('/')
    .slice(1)
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return ['document', ...steps]
}

/** The container that holds the last step of a pointer; `below` gets from each container to the next. */
function parentOf(
  root: JsonObject,
  pointer: unknown,
  mayBeWhole: boolean,
  below: (parent: unknown, step: string) => unknown,
): { parent: JsonObject | unknown[]; step: string } {
  const steps = stepsOf(pointer)
  if (steps.length === 1 && !mayBeWhole) throw unprocessable('the whole document cannot be added, moved or removed')
  const step = steps.pop() ?? ''
  let parent: unknown = root
  for (const each of steps) parent = below(parent, each)
  if (!isObject(parent) && !Array.isArray(parent)) throw unprocessable(`missing path: ${quoted(pointer)}`)
  return { parent, step }
}

function child(parent: unknown, step: string): unknown {
  if (isObject(parent)) return own(parent, step)
  return Array.isArray(parent) ? parent[positionOf(step, parent.length)] : undefined
}

/** The same to change it: each container on the way becomes a copy, unless it is one already. */
const changeableParentOf = ({ root, copied }: Patching, pointer: unknown, mayBeWhole = false) =>
  parentOf(root, pointer, mayBeWhole, (parent, step) => {
    const value = child(parent, step)
    if (typeof value !== 'object' || value === null || copied.has(value)) return value
    const copy = Array.isArray(value) ? value.slice() : shallowCopy(value as JsonObject)
    copied.add(copy)
    if (Array.isArray(parent)) parent[positionOf(step, parent.length)] = copy
    else setOwn(parent as JsonObject, step, copy)
    return copy
  })

/** The operand of `test` and `copy`: a missing key counts as null, a missing item is an error. */
function findOrNull({ root }: Patching, pointer: unknown, mayBeWhole = false): unknown {
  const { parent, step } = parentOf(root, pointer, mayBeWhole, child)
  const value = child(parent, step)
  if (value === undefined && Array.isArray(parent)) throw unprocessable(`missing path: ${quoted(pointer)}`)
  return value ?? null
}

function add(patching: Patching, pointer: unknown, value: unknown): void {
  const { parent, step } = changeableParentOf(patching, pointer)
  if (!Array.isArray(parent)) return setOwn(parent, step, value)
  // An item may be added at any index including the end.
  const position = step === '-' ? parent.length : positionOf(step, parent.length + 1)
  if (position < 0 || position > parent.length) throw unprocessable(`unable to access invalid index: ${step}`)
  spendMoves(patching, parent.length - position)
  parent.splice(position, 0, value)
}

function replace(patching: Patching, pointer: unknown, value: unknown): void {
  const { parent, step } = changeableParentOf(patching, pointer, true)
  if (parent === patching.root && !isObject(value) && !Array.isArray(value))
    throw unprocessable('the whole document can be replaced by an object or a list only')
  if (!Array.isArray(parent)) return setOwn(parent, step, value)
  if (child(parent, step) === undefined) throw unprocessable(`missing path: ${quoted(pointer)}`)
  parent[positionOf(step, parent.length)] = value
}

function remove(patching: Patching, pointer: unknown): unknown {
  const { parent, step } = changeableParentOf(patching, pointer)
  const value = child(parent, step)
  if (value === undefined) throw unprocessable(`unable to remove nonexistent path: ${quoted(pointer)}`)
  if (Array.isArray(parent)) {
    const position = positionOf(step, parent.length)
    spendMoves(patching, parent.length - position)
    parent.splice(position, 1)
  } else delete parent[step]
  return value
}

function spendMoves(patching: Patching, items: number): void {
  patching.movedItems += items
  if (patching.movedItems > maxMovedItems) throw tooLarge('the JSON patch moves too many items of lists')
}

/** The index that a step refers to in a list of this length; -1 if it is not an index. */
function positionOf(step: string, places: number): number {
  if (!/^[+-]?\d{1,9}$/.test(step)) return -1
  const position = Number(step)
  return position < 0 ? Math.max(-1, position + places) : position
}

/** Not recursive: documents may nest deeper than the stack. */
function countValues(value: unknown): number {
  let count = 0
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    count++
    if (typeof next === 'string') count += Math.floor(next.length / charactersPerValue)
    else if (typeof next === 'object' && next !== null) for (const each of Object.values(next)) open.push(each)
  }
  return count
}
