/**
 * `object[key] = value` for keys that clients choose: the key `__proto__` becomes a property like any other instead of
 * replacing the prototype.
 */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    object[key] = value
  }
}

/** The object's own value of a key. A client may name a key `constructor` or `__proto__`; inherited values do not count. */
export function own(object: Record<string, unknown>, key: string): unknown {
  const value = object[key]
  return value === undefined || Object.hasOwn(object, key) ? value : undefined
}

/** With more keys, V8 keeps an object as a dictionary, and a spread takes twice as long as setting each key (test/limits/large). */
const maxSpreadKeys = 500

/** A copy of an object with the same values. */
export function shallowCopy(object: Record<string, unknown>): Record<string, unknown> {
  const keys = Object.keys(object)
  if (keys.length <= maxSpreadKeys) return { ...object }
  const copy: Record<string, unknown> = {}
  for (const key of keys) setOwn(copy, key, object[key])
  return copy
}

/** The keys of a map in the order in which they are written; unsorted if there are more than `max`. */
export function sortedKeys(map: Record<string, unknown>, max = Number.POSITIVE_INFINITY) {
  const keys = Object.keys(map)
  // Most maps are sorted already.
  for (let index = 1; index < keys.length && keys.length <= max; index++)
    if (keys[index - 1]! > keys[index]!) return { keys: keys.sort(), wereSorted: false }
  return { keys, wereSorted: true }
}
