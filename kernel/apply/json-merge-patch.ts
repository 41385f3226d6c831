import { refuseDeepNesting } from './nesting-limit.js'
import { isObject, type JsonObject, own, setOwn } from './structured-merge/json-values.js'

/**
 * JSON Merge Patch (RFC 7386). Returns a new value; neither argument changes. A patch that is no object replaces the
 * target, as the RFC says: whether the result is still an object of the type is the caller's question.
 */
export function jsonMergePatch(target: unknown, patch: unknown): unknown {
  refuseDeepNesting(patch)
  return merge(target, patch)
}

function merge(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const result: JsonObject = isObject(target) ? { ...target } : {}
  for (const key of Object.keys(patch)) {
    const value = own(patch, key)
    if (value === null) delete result[key]
    else setOwn(result, key, merge(own(result, key), value))
  }
  return result
}
