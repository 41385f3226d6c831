/**
 * The value that a map of an object has under a key that a client chose. Not `map[key]`: every object inherits something
 * called `constructor`.
 */
export const ownValue = <T>(map: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined
