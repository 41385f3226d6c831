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
