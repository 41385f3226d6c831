import { isObject, type JsonObject, own, recursedLevels, setOwn, shallowCopy } from '../json/index.js'

/** The fields of a patch, and the result that they are to be laid over. */
type Unmerged = readonly [result: JsonObject, patch: JsonObject]

/**
 * Applies a JSON Merge Patch (RFC 7386), however deep it is. Returns a new value; neither argument changes. A patch that is not an
 * object replaces the target, as the RFC says: the caller has to check whether the result is valid. Beyond the RFC, fields that are null
 * in objects of a list are left out, too, as in Kubernetes: they mean what they mean elsewhere in a patch.
 */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  const deeper: Unmerged[] = []
  const result = merged(target, patch, 0, deeper)
  for (const [below, fields] of deeper) mergeFields(below, fields, 0, deeper)
  return result
}

function merged(target: unknown, patch: unknown, level: number, deeper: Unmerged[]): unknown {
  if (Array.isArray(patch)) return isObject(target) ? patch : withoutNullFields(patch)
  if (!isObject(patch)) return patch
  const result: JsonObject = isObject(target) ? shallowCopy(target) : {}
  if (level < recursedLevels) mergeFields(result, patch, level, deeper)
  else deeper.push([result, patch])
  return result
}

function mergeFields(result: JsonObject, patch: JsonObject, level: number, deeper: Unmerged[]): void {
  for (const key of Object.keys(patch)) {
    const value = own(patch, key)
    if (value === null) delete result[key]
    else setOwn(result, key, merged(own(result, key), value, level + 1, deeper))
  }
}

/** A copy of a list in which no object has a field that is null. Entries that are null stay: their number counts. */
function withoutNullFields(list: readonly unknown[]): unknown[] {
  const copy = [...list]
  const open: (unknown[] | JsonObject)[] = [copy]
  const copied = (value: unknown): unknown => {
    const inner = Array.isArray(value) ? [...value] : isObject(value) ? { ...value } : undefined
    if (inner === undefined) return value
    open.push(inner)
    return inner
  }
  for (const holder of open)
    if (Array.isArray(holder)) for (const [index, value] of holder.entries()) holder[index] = copied(value)
    else
      for (const key of Object.keys(holder)) {
        const value = own(holder, key)
        if (value === null) delete holder[key]
        else setOwn(holder, key, copied(value))
      }
  return copy
}
