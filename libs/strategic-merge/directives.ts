import { isObject, type JsonObject, own, recursedLevels, setOwn } from '../json/index.js'
import { malformed } from './errors.js'

/** The directives of strategic merge patches. */
export const patchDirective = '$patch'
export const retainKeysDirective = '$retainKeys'
export const deleteFromListPrefix = '$deleteFromPrimitiveList'
export const setElementOrderPrefix = '$setElementOrder'

/** `$setElementOrder/containers` is about `containers`. */
export function fieldOfDirective(key: string, prefix: string, complaint: string): string {
  if (!key.startsWith(`${prefix}/`)) throw malformed(complaint)
  return key.slice(prefix.length + 1)
}

export const isListDirective = (key: string) =>
  key.startsWith(deleteFromListPrefix) || key.startsWith(setElementOrderPrefix)

/** Keeps only the keys of `original` that `$retainKeys` lists; the patch may set no others. */
export function retainKeys(original: JsonObject, patch: JsonObject): JsonObject {
  const listed = own(patch, retainKeysDirective)
  if (listed === undefined) return original
  if (!Array.isArray(listed)) throw malformed('invalid patch format of retainKeys')
  const retained = new Set<unknown>(listed)
  for (const key of Object.keys(patch)) {
    if (key === retainKeysDirective || patch[key] === null || isListDirective(key)) continue
    if (!retained.has(key)) throw malformed('invalid patch format of retainKeys')
  }
  const kept: JsonObject = {}
  for (const key of Object.keys(original)) if (retained.has(key)) setOwn(kept, key, own(original, key))
  return kept
}

/** A value of a patch, and its result, which is still empty. */
type Unfilled = readonly [value: unknown[] | JsonObject, result: unknown[] | JsonObject]

/** A patch value that has no counterpart to merge into: without nulls, directives and deleted items. */
export const withoutDirectives = (value: unknown): unknown => stripped(value, each => each !== null)

/** A patch value that replaces another as a whole or is a new item, without directives: a null in it is a value. */
export const replacement = (value: unknown): unknown => stripped(value, () => true)

function stripped(value: unknown, isKept: IsKept): unknown {
  const deeper: Unfilled[] = []
  const result = plain(value, 0, deeper, isKept)
  for (const [from, to] of deeper) fill(from, to, 0, deeper, isKept)
  return result
}
type IsKept = (value: unknown) => boolean

function plain(value: unknown, level: number, deeper: Unfilled[], isKept: IsKept): unknown {
  if (!Array.isArray(value) && !isObject(value)) return value
  const result = Array.isArray(value) ? [] : {}
  if (level < recursedLevels) fill(value, result, level, deeper, isKept)
  else deeper.push([value, result])
  return result
}

function fill(
  value: unknown[] | JsonObject,
  result: unknown[] | JsonObject,
  level: number,
  deeper: Unfilled[],
  isKept: IsKept,
): void {
  if (Array.isArray(value)) {
    for (const item of value)
      if (!isInstruction(item)) (result as unknown[]).push(plain(item, level + 1, deeper, isKept))
    return
  }
  if (own(value, patchDirective) === 'delete') return
  for (const key of Object.keys(value)) {
    const each = own(value, key)
    if (
      !isKept(each) ||
      isOnlyInstruction(each) ||
      key === patchDirective ||
      key === retainKeysDirective ||
      isListDirective(key)
    )
      continue
    setOwn(result as JsonObject, key, plain(each, level + 1, deeper, isKept))
  }
}

/** An item that says what to do with a list: `{name: x, $patch: delete}`, or the `{$patch: replace}` that stands for the whole list. */
const isInstruction = (item: unknown) => isObject(item) && own(item, patchDirective) !== undefined

/** An object that says what to do with one that is not there; to replace or merge it is to add it. */
export function isOnlyInstruction(value: unknown): boolean {
  const directive = isObject(value) ? own(value, patchDirective) : undefined
  return directive !== undefined && directive !== 'replace' && directive !== 'merge'
}
