import { isObject, type JsonObject, own, setOwn } from '../json/index.js'

/**
 * Applies a JSON Merge Patch (RFC 7386). Returns a new value; neither argument changes. A patch that is no object replaces the
 * target, as the RFC says: whether the result still makes sense is the caller's question.
 */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const result: JsonObject = isObject(target) ? { ...target } : {}
  for (const key of Object.keys(patch)) {
    const value = own(patch, key)
    if (value === null) delete result[key]
    else setOwn(result, key, applyMergePatch(own(result, key), value))
  }
  return result
}
