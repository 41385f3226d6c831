import { isObject, type JsonObject, own, setOwn } from '../json/index.js'
import { malformed } from './errors.js'

/** The words with which a strategic merge patch says more than "merge this". */
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

/** Keeps of `original` only the keys that `$retainKeys` lists; the patch may set no other ones. */
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

/** A patch value that meets nothing: without its nulls and directives, and without what it deletes. */
export function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.filter(item => !(isObject(item) && isRemovedItem(item))).map(withoutDirectives)
  }
  if (!isObject(value)) return value
  if (own(value, patchDirective) === 'delete') return {}
  const result: JsonObject = {}
  for (const key of Object.keys(value)) {
    const each = own(value, key)
    if (each === null || key === patchDirective || key === retainKeysDirective || isListDirective(key)) continue
    setOwn(result, key, withoutDirectives(each))
  }
  return result
}

/** `{name: x, $patch: delete}`, or the lone `{$patch: replace}` that stands for the whole list. */
const isRemovedItem = (item: JsonObject) =>
  own(item, patchDirective) === 'delete' || (own(item, patchDirective) === 'replace' && Object.keys(item).length === 1)
